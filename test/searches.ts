/** What people type into n8n's list of nodes who need this one: n8n has to find it by each. */
export const SEARCHES = [
	...['whatsapp', 'whatsapp group', 'whatsapp groups', 'whatsapp sync', 'whatsapp invite'],
	...['evolution', 'evolution api', 'evolution-api', 'evolutionapi', 'gateway'],
	...['group', 'group members', 'group members sync', 'group participants', 'group sync', 'sync group'],
	...['participants', 'members', 'add member', 'add members', 'add participant', 'add participants'],
	...['remove member', 'remove members', 'remove participant', 'remove participants', 'kick'],
	...['invite', 'invite link', 'group admin', 'send message to group', 'group message', 'create group'],
	...['leave group', 'new member', 'join', 'disconnect', 'qr code'],
];
