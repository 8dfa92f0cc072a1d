import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kindsSeed, type Call, type Gateway, type Generation, type Seed } from '../../gateway/gateway';
import { createGroup, leaveGroup, sendMessage, updateGroup } from '../gateways/parameters';
import {
	describeOnEngine,
	ERROR_OUTPUT,
	runNode,
	seedWith,
	skipPauses,
	tell,
	withGateways,
} from '../support';
import { abroad, CUSTOMERS, jidOf, UNKNOWN_GROUP } from './people';

const OWN = '5511990000001';
const routeOf = ({ path }: Call) => path.replace(/^\/v1/, '').split('/')[2]?.split('?')[0] ?? '';
const on = (route: string) => (call: Call) => routeOf(call) === route;
const CHANGES = ['sendText', 'leaveGroup', 'updateGroupSubject', 'create'];
const isChange = (call: Call) => CHANGES.includes(routeOf(call));

type SeedGroup = Seed['instances'][number]['groups'][number];

/** What is so before the run: of the group, of the gateway, or what happens to its calls. */
interface Situation {
	group?: (group: SeedGroup) => void;
	fault?: (gateway: Gateway) => void;
}

const replayed = (route: string, status: number, body: unknown) => ({
	fault: (gateway: Gateway) =>
		gateway.replay({ response: { status, contentType: 'application/json', body } }, on(route)),
});
const failing = (route: string) => ({
	fault: (gateway: Gateway) => gateway.fault({ kind: '500', on: on(route) }),
});
const extra = (more: object) => ({
	group: (group: SeedGroup) => void (group.extra = { ...group.extra, ...more }),
});

const SITUATIONS: Record<string, Situation> = {
	outside: {
		group: (group) => {
			group.members = ['447700900004'];
			group.admins = group.members;
		},
	},
	announce: extra({ announce: true }),
	'no admin': { group: (group) => void (group.admins = ['447700900004']) },
	'two admins': { group: (group) => group.admins.push('447700900004') },
	alone: { group: (group) => void (group.members = [OWN]) },
	'one other': { group: (group) => void (group.members = [OWN, '447700900004']) },
	full: { group: (group) => group.members.push('4915200000000', '4915200000001') },
	'no numbers': { group: (group) => Object.assign(group, { lid: true, withoutNumbers: true }) },
	there: { group: (group) => void (group.subject = 'Course') },
	'named so': { group: (group) => void (group.subject = 'Course') },
	"another's": extra({ owner: jidOf('447700900004') }),
	'hidden owner': extra({ owner: '1234567890@lid' }),
	'owner untold': extra({ owner: undefined }),
	'a community': extra({ isCommunity: true }),
	announcements: extra({ isCommunityAnnounce: true }),
	'own unknown': failing('fetchInstances'),
	unreadable: failing('findGroupInfos'),
	'list fails': failing('fetchAllGroups'),
	'nothing read': replayed('findGroupInfos', 200, null),
	'no such route': replayed('findGroupInfos', 404, { response: { message: ['Cannot GET /x'] } }),
	'no roles': replayed('findGroupInfos', 200, {
		id: CUSTOMERS,
		announce: true,
		participants: [{ id: jidOf(OWN) }],
	}),
	'no list': replayed('fetchAllGroups', 200, []),
	'no names': replayed('fetchAllGroups', 200, [{ id: CUSTOMERS }]),
	closed: { fault: ({ network }) => network.setConnection('main', 'close') },
	'taken, not done': replayed('updateGroupSubject', 201, {}),
	lost: {
		fault: (gateway) => {
			gateway.fault({ kind: 'reset-after', on: on('sendText'), times: 1 });
			gateway.fault({ kind: 'closed-1006', on: isChange, times: 1 });
		},
	},
	'lost, not done': {
		fault: (gateway) => gateway.fault({ kind: 'closed-1006', on: isChange, applied: false, times: 1 }),
	},
	'lost, logged out': {
		fault: (gateway) => {
			const happening = () => gateway.network.setConnection('main', 'close');
			gateway.fault({ kind: 'closed-1006', on: isChange, times: 1, happening });
		},
	},
	'refused later': {
		fault: (gateway) => gateway.fault({ kind: 'forbidden', on: on('create'), applied: true }),
	},
	'there since': { fault: ({ network }) => network.rename('main', CUSTOMERS, 'Course') },
	'renamed since': { fault: ({ network }) => network.rename('main', CUSTOMERS, 'Course 🎉') },
	renamed: { fault: ({ network }) => network.rename('main', MADE, 'Course 🎉') },
	left: { fault: ({ network }) => network.leave('main', MADE, OWN) },
};

/** The first group that the network makes. */
const MADE = '120363990000000008@g.us';

/** The words of a situation that say how the node is run. */
const RUNS = [
	'usual',
	'dry',
	'in any case',
	'only the account',
	'remembered',
	'tried again',
	'unknown',
	'whatsmiau',
	'groups ignored',
];

const lines = readFileSync(join(__dirname, '../../fixtures/writes.txt'), 'utf8')
	.split('\n')
	.filter((line) => line !== '' && !line.startsWith('#'))
	.map((line) => line.split(' | '));

/** Splits the words of a situation; some of them have a comma. */
function wordsOf(text: string): string[] {
	const known = [...Object.keys(SITUATIONS), ...RUNS].sort((one, other) => other.length - one.length);
	const words: string[] = [];
	for (let rest = text; rest !== '';) {
		const word = known.find((one) => rest === one || rest.startsWith(`${one}, `));
		if (word === undefined) throw new Error(`Unknown situation: ${rest}`);
		words.push(word);
		rest = rest.slice(word.length).replace(/^, /, '');
	}
	return words;
}

describeOnEngine('an operation that writes', (engine) => {
	skipPauses(engine);
	const start = withGateways();

	it.each(lines)('%s: %s', async (operation = '', situation = '', asked, outcome, says = '') => {
		const words = wordsOf(situation);
		const is = (word: string) => words.includes(word);
		const group = is('unknown') ? UNKNOWN_GROUP : CUSTOMERS;
		const options = { dryRun: is('dry'), maxRetries: 0 };
		const isIgnoring = is('groups ignored');
		const instance = isIgnoring ? 'ignoring' : 'main';
		const seed = isIgnoring
			? kindsSeed
			: seedWith((all) => {
					const [customers] = all.instances[0]?.groups ?? [];
					for (const word of words) if (customers) SITUATIONS[word]?.group?.(customers);
				});
		const generation: Generation = is('whatsmiau') ? 'whatsmiau' : isIgnoring ? '1.8' : 'published';
		const gateway = await start({ seed, generation });
		const people = is('only the account') ? [{ phone: `+${OWN}` }] : abroad(2);
		const more = { options: { ...options, ...(is('in any case') && { onlyIfMissing: false }) } };
		const parameters = {
			message: sendMessage('Hi', group, 'main', { options }),
			leave: leaveGroup(group, 'main', { options }),
			update: updateGroup({ subject: 'Course' }, group, 'main', { options }),
			create: createGroup('Course', instance, more),
		}[operation];
		const items = operation === 'create' ? people : [{}];
		const settings = is('tried again')
			? { ...ERROR_OUTPUT, retryOnFail: true, maxTries: 2, waitBetweenTries: 0 }
			: ERROR_OUTPUT;
		const run = async () => await runNode(engine(), gateway, parameters ?? {}, items, settings);
		if (is('remembered')) await run();
		const before = gateway.calls.length;
		for (const word of words) SITUATIONS[word]?.fault?.(gateway);
		const { main, failed } = await run();

		expect(gateway.calls.slice(before).map(routeOf).join(' ')).toBe(asked);
		expect(outcome).toBe(failed.length > 0 ? 'error' : tell(main.slice(0, 1), 'outcome', 'applied'));
		const said = String(failed[0]?.json.error ?? main[0]?.json.message);
		// A `$` at the end: nothing follows.
		if (says.endsWith('$')) expect(`${said}$`.endsWith(says)).toBe(true);
		else expect(said).toContain(says);
	});
});
