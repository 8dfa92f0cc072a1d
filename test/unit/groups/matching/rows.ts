import type { Action } from '../../../../nodes/MessagingGateway/groups/outcomes';
import type { PlannedRequest } from '../../../../nodes/MessagingGateway/groups/batching/plan';
import { resultsOf } from '../../../../nodes/MessagingGateway/groups/matching/results';
import { person, requestOf } from '../../support';

export const A = '5511999990001';
export const B = '5521988880002';
export const C = '4915112345678';
export const LID = '199999999999777@lid';

/** One request for all of them. */
export function request(sent: string[], action: Action = 'add'): PlannedRequest {
	return requestOf(action, sent.map(person));
}

export const jidOf = (number: string) => `${number}@s.whatsapp.net`;
export const row = (status: string, jid: string) => ({ status, jid });
/** A row that names a person by a hidden ID and their number. */
export const lidRow = (status: string, lid: string, phone: string) => ({
	status,
	jid: lid,
	content: { tag: 'participant', attrs: { jid: lid, phone_number: phone } },
});

/** The outcome of each participant, for the rows of the reply. */
export function outcomes(sent: string[], rows: unknown[], action: Action = 'add'): string[] {
	return resultsOf(request(sent, action), { updateParticipants: rows }).map(({ outcome }) => outcome);
}

export const only = (reply: unknown, action: Action = 'add') => resultsOf(request([A], action), reply)[0];
export const onlyFor = (...rows: unknown[]) => only({ updateParticipants: rows });
