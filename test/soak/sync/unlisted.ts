import type { OutputItem } from '../../engine/engine';
import { type Scene, fitsChoice, judgeClaim } from './group';
import { idsOfMember, type Member } from './people';
import { shown } from './told';

/** The items of members who are not in the list. */
export function judgeUnlisted(scene: Scene, items: readonly OutputItem[]): void {
	const { expected, complain } = scene;
	const { unlisted, first } = expected;
	const name = ({ id, phoneNumber, jid, lid }: Member) => {
		const { numbers } = idsOfMember({
			id,
			admin: null,
			...(phoneNumber !== undefined && { phoneNumber }),
			...(jid !== undefined && { jid }),
			...(lid !== undefined && { lid }),
		});
		return numbers[0] ?? id;
	};
	const errors = items.filter(({ error }) => error !== undefined);
	if (errors.length > 1) complain('several error items for removals of one group', shown(errors));
	const message = errors[0]?.error?.message ?? '';
	let place = -1;
	for (const item of items) {
		if (JSON.stringify(item.pairedItem) !== JSON.stringify({ item: first }))
			complain('an unlisted member is not paired with the first item', shown([item]));
		if (item.error !== undefined) continue;
		const at = unlisted.findIndex(({ member }) => name(member) === item.json.participant);
		if (at < 0) complain('an unlisted member who is listed, or none', shown([item]));
		else if (at <= place) complain('unlisted members are not in the order of the list', shown([item]));
		else place = at;
	}
	for (const { member, choices, perhapsListed } of unlisted) {
		const item = items.find(({ json }) => json.participant === name(member));
		const arrival = scene.sent.find(
			({ request, change }) => request.action === 'remove' && change.sent === member.id,
		);
		const about = `${JSON.stringify(member)}: ${item === undefined ? message : shown([item])}; allowed ${JSON.stringify(choices)}`;
		if (item === undefined) {
			if (errors.length > 0 && choices.some(({ action }) => action === 'remove')) {
				if (!message.includes(name(member)))
					complain('the error about removals does not name the member', about);
			} else if (!perhapsListed) complain('an unlisted member is not in the output', about);
			continue;
		}
		if (fitsChoice(item, choices)) {
			if (arrival !== undefined) complain('kept, and it was sent', about);
			continue;
		}
		if (item.json.action !== 'remove' || !choices.some(({ action }) => action === 'remove')) {
			complain(
				`an unlisted member: unexpected ${item.json.action} ${item.json.outcome} ${item.json.reason ?? ''}`,
				about,
			);
			continue;
		}
		if (item.json.sentAs !== member.id) complain('sentAs is not the id of the member', about);
		if (item.json.outcome === 'planned') continue;
		if (arrival === undefined) complain('an unlisted member: said so without a request', about);
		else judgeClaim(scene, item, arrival, about);
	}
}
