import { createHash } from 'node:crypto';
import { stateOf } from './network';
import { json, type Reply } from './reply';
import { withInstance, type Target } from './target';

/** A picture of one pixel. */
const PICTURE =
	'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

function codeOf(instanceName: string, count: number): string {
	return `2@${createHash('sha256').update(`${instanceName} ${count}`).digest('base64')}`;
}

/** `/instance/connectionState/{instance}`: the connection as it is, where the list has the status as stored. */
export function getConnectionState(target: Target): Reply {
	return withInstance(target, (instance) => {
		const { instanceName } = instance;
		return json(200, {
			instance: { instanceName, state: stateOf[target.backend.network.connection(instance)] },
		});
	});
}

/** `/instance/connect/{instance}`: starts a connection. The first QR code is there with the second call. */
export function connect(target: Target): Reply {
	const { backend, rules, request } = target;
	return withInstance(target, (instance) => {
		const { instanceName } = instance;
		if (backend.network.connection(instance) === 'open')
			return json(200, { instance: { instanceName, state: 'open' } });
		const count = backend.network.connect(instance);
		const pairingCode = request.query('number') === undefined ? null : 'ABCD1234';
		const code = { pairingCode, code: codeOf(instanceName, count), base64: PICTURE };
		return { ...json(200, { ...(count === 0 ? {} : code), count }), afterMs: rules.qrMs };
	});
}
