import { ACTIONS, type Action, type Outcome } from '../outcomes';

/** The first row that fits counts; `asAnother`: only where the gateway asked about another number than the one sent. */
const CODES: Array<{ code: string; actions?: Action[]; asAnother?: true; outcome: Outcome }> = [
	{ code: '200', outcome: 'done' },
	{ code: '409', actions: ['add'], outcome: 'unchanged' },
	{ code: '404', actions: ['remove'], asAnother: true, outcome: 'unconfirmed' },
	{ code: '404', actions: ['remove'], outcome: 'unchanged' },
	{ code: '404', outcome: 'notFound' },
	{ code: '403', actions: ['add'], outcome: 'inviteRequired' },
	{ code: '417', actions: ['add'], outcome: 'inviteRequired' },
	{ code: '408', outcome: 'recentlyLeft' },
	{ code: '419', outcome: 'groupFull' },
	{ code: '421', outcome: 'pendingApproval' },
	{ code: '401', outcome: 'blocked' },
];

/**
 * The outcome that a participant's code stands for.
 *
 * @param code the gateway's code, e.g. `403` (the codes of the network, as gateways pass them on)
 * @param asAnother whether the gateway asked about another number than the one sent, or may have
 */
export function outcomeOf(code: string, action: Action, asAnother = false): Outcome {
	const fits = (row: (typeof CODES)[number]) =>
		row.code === code && (row.actions ?? ACTIONS).includes(action) && (asAnother || !row.asAnother);
	return CODES.find(fits)?.outcome ?? 'rejected';
}
