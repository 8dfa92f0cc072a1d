const jidDomains = ['@g.us', '@s.whatsapp.net', '@lid', '@broadcast'];

/** Plain numbers that the gateway shortens before the network sees them: what matches, and what is left. */
const rewrites: ReadonlyArray<readonly [pattern: RegExp, replacement: string]> = [
	[/^(5[24])\d(\d{10})$/, '$1$2'],
	[/^(55(?:3[1-9]|[4-9]\d))\d([7-9]\d{7})$/, '$1$2'],
];

/**
 * The JID that the gateway makes of one entry of `participants`; seen in the `normalisation` recordings.
 * A full JID goes through as it is.
 */
export function toJid(participant: string): string {
	if (jidDomains.some((domain) => participant.includes(domain))) return participant;
	const user = participant.replace(/@.*|[\s+()]/g, '');
	if (user.includes('-') && user.length >= 24) return `${user.replace(/[^\d-]/g, '')}@g.us`;
	const digits = user.replace(/\D/g, '');
	if (digits.length >= 18) return `${digits}@g.us`;
	return `${rewrites.reduce((number, [pattern, to]) => number.replace(pattern, to), digits)}@s.whatsapp.net`;
}

/** The group's JID as the gateway completes it. */
export function toGroupJid(groupJid: string): string {
	return groupJid.endsWith('@g.us') ? groupJid : `${groupJid}@g.us`;
}

/** The hidden id under which a group of that kind knows a phone number: other digits, so that none match by chance. */
export function toLid(jid: string): string {
	const [user = '', domain] = jid.split('@');
	return domain === 's.whatsapp.net' ? `1${[...user].reverse().join('')}@lid` : jid;
}
