import { isRecord, textOf } from '../../common/json';
import { isErrorBody } from './errorBody';

export interface QrCode {
	status: 'open' | 'connecting';
	/** A PNG in base64; missing as long as the network has sent no code. */
	picture?: string | undefined;
	pairingCode?: string | undefined;
}

const PNG = /^data:image\/png;base64,([a-z0-9+/=]+)$/i;

/** Reads the reply to "connect instance". @returns `undefined` for anything else */
export function readQrCode(reply: unknown): QrCode | undefined {
	if (!isRecord(reply) || isErrorBody(reply)) return undefined;
	if (isRecord(reply.instance)) {
		const state = textOf(reply.instance.state);
		return state === undefined ? undefined : { status: state === 'open' ? state : 'connecting' };
	}
	if (reply.connected === true) return { status: 'open' };
	if (!['base64', 'code', 'count', 'pairingCode'].some((field) => field in reply)) return undefined;
	const picture = PNG.exec(textOf(reply.base64) ?? '')?.[1];
	return { status: 'connecting', picture, pairingCode: textOf(reply.pairingCode) || undefined };
}
