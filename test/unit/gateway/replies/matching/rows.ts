import { readRows } from '../../../../../nodes/MessagingGateway/gateway/replies/changeRows';
import type { ChangeRequest, ChangeResult } from '../../../../../nodes/MessagingGateway/groups/change';
import { resultsOf } from '../../../../../nodes/MessagingGateway/gateway/replies/changeResults';
import type { Action } from '../../../../../nodes/MessagingGateway/groups/outcomes';
import { person, requestOf } from '../../../support';

export const A = '5511999990001';
export const B = '5521988880002';
export const C = '4915112345678';
export const LID = '199999999999777@lid';

/** One request for all of them. */
export function request(sent: string[], action: Action = 'add'): ChangeRequest {
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

/** What a reply to a request says, as it came. */
export function resultsIn(asked: ChangeRequest, reply: unknown): ChangeResult[] {
	return resultsOf(asked, readRows(reply));
}

/** The outcome of each participant, for the rows of the reply. */
export function outcomes(sent: string[], rows: unknown[], action: Action = 'add'): string[] {
	return resultsIn(request(sent, action), { updateParticipants: rows }).map(({ outcome }) => outcome);
}

export const only = (reply: unknown, action: Action = 'add') => resultsIn(request([A], action), reply)[0];
export const onlyFor = (...rows: unknown[]) => only({ updateParticipants: rows });
