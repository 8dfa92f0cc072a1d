import type { StoredMessage } from './network';
import { json, type Reply } from './reply';
import { withInstance, type Target } from './target';

function field(value: unknown, name: string): unknown {
	return typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
}

function recordOf({ to, text, sentAt, updates }: StoredMessage, instanceId: string, place: number): object {
	const id = String(place).padStart(12, '0');
	return {
		id: `cmtestmessage${id}`,
		key: { id: `3EB0${id}`, fromMe: true, remoteJid: to },
		pushName: 'Você',
		messageType: 'conversation',
		message: { conversation: text },
		messageTimestamp: Math.floor(sentAt / 1000),
		instanceId,
		source: 'web',
		contextInfo: {
			mentionedJid: [],
			groupMentions: [],
			disappearingMode: { initiator: 0 },
			ephemeralSettingTimestamp: { low: 0, high: 0, unsigned: false },
		},
		MessageUpdate: updates.map((status) => ({ status })),
	};
}

/** `/chat/findMessages/{instance}`: stored messages to one person, newest first; `offset` is the size of a page. */
export function findMessages(target: Target): Reply {
	const { backend, request } = target;
	return withInstance(target, (instance) => {
		const remoteJid = field(field(request.body.where, 'key'), 'remoteJid');
		const found = backend.network
			.stored(instance)
			.filter(({ to }) => remoteJid === undefined || to === remoteJid);
		const size = Number(request.body.offset ?? 50);
		const records = found
			.slice(0, size)
			.map((message, place) => recordOf(message, instance.instanceId, place));
		const pages = Math.ceil(found.length / size);
		return json(200, { messages: { total: found.length, pages, currentPage: 1, records } });
	});
}
