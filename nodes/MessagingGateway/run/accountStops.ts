import type { IExecuteFunctions } from 'n8n-workflow';
import { isRecord, recordOf, textOf } from '../common/json';
import { HOUR } from '../common/time';
import { GatewayFailure, type StopMemory } from '../gateway/failures/gatewayFailure';
import { executionMemory } from './executionMemory';

/** How long an account is left alone that the network limits or has restricted. */
const STOPPED_FOR = HOUR;

/** Of the network's limits. */
const POLICY = {
	retry: 'none',
	stop: 'instance',
	certainlyNotApplied: true,
	failureCause: 'rate-limited',
	mayBeDisconnected: false,
} as const;

/**
 * What the network's limits end for an account for an hour, kept by n8n for the node until the execution ends: the next
 * round of a loop, the next try and the next call of a tool would only make it worse.
 */
export function accountStops(context: IExecuteFunctions): StopMemory {
	const kept = executionMemory(context);
	const stops = () => recordOf(kept.accountStops);
	return {
		earlier: Object.entries(stops()).flatMap(([instance, stop]) => {
			const failure = failureIn(stop);
			return failure === undefined ? [] : [{ instance, failure }];
		}),
		note({ message, description, policy }, instance) {
			if (policy.failureCause !== POLICY.failureCause || policy.stop !== POLICY.stop) return;
			const until = Date.now() + STOPPED_FOR;
			kept.accountStops = { ...stops(), [instance]: { message, description, until } };
		},
	};
}

/** The failure that stopped an account; `undefined` where that is too long ago. */
function failureIn(stop: unknown): GatewayFailure | undefined {
	if (!isRecord(stop) || Number(stop.until) < Date.now()) return undefined;
	const call = { baseUrl: '', timeout: 0, message: '', errorText: '' };
	return new GatewayFailure(call, textOf(stop.message) ?? '', textOf(stop.description) ?? '', POLICY);
}
