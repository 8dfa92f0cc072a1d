import { KINDS } from '../../gateway/gateway';
import { getMembers } from '../gateways/parameters';
import { withServers, type Answer } from '../gateways/server';
import { describeOnEngine, ERROR_OUTPUT, runNode, syncParameters, tell } from '../support';

const [OWN, ADMIN, MEMBER, UNKNOWN, WANTED] = [1, 2, 3, 4, 5].map((n) => `49152000000${n}0`);
const jidOf = (phone = '') => `${phone}@s.whatsapp.net`;
const without = (...phones: Array<string | undefined>) => phones.map((phone) => ({ id: jidOf(phone) }));
const known = [
	{ id: jidOf(OWN), admin: 'superadmin' },
	{ id: jidOf(ADMIN), isAdmin: true, isSuperAdmin: false },
	{ id: jidOf(MEMBER), admin: null },
];

describeOnEngine('members whose role the gateway does not tell', (engine) => {
	const startServer = withServers();
	/** A gateway with these members, that makes every change; and whom it was asked to change. */
	const startWith = async (participants: object[]) =>
		await startServer(({ path }): Answer => {
			if (path.includes('/participants/')) return { status: 200, body: { participants } };
			if (path.includes('/fetchInstances'))
				return { status: 200, body: [{ name: 'keeper', id: '1', ownerJid: jidOf(OWN) }] };
			return { status: 201, body: { updateParticipants: [] } };
		});
	const run = async ({ url }: { url: string }, parameters: object, items: object[] = [{}]) =>
		await runNode(engine(), { url, apiKey: 'TEST-KEY' }, parameters, items, ERROR_OUTPUT);
	const sync = (more: object = {}) =>
		syncParameters({ unlisted: 'remove', options: { maxRemovalPercent: 100, ...more } });

	test('have no role, and are neither among the admins nor among the members', async () => {
		const gateway = await startWith([...known, ...without(UNKNOWN)]);
		const rolesOf = async (role: string) =>
			tell(
				(await run(gateway, getMembers(KINDS.numbers, 'keeper', { filters: { role } }))).main,
				'participant',
				'role',
			);

		expect(await rolesOf('admins')).toBe(`${OWN} superAdmin, ${ADMIN} admin`);
		expect(await rolesOf('members')).toBe(`${MEMBER} member`);
		expect(await rolesOf('any')).toMatch(new RegExp(`, ${UNKNOWN}$`));
	});

	test('are kept by Sync where other roles are known, also if admins may be removed', async () => {
		const gateway = await startWith([...known, ...without(UNKNOWN)]);
		const options = { removeAdmins: true, dryRun: true };
		const { main } = await run(gateway, sync(options), [{ phone: WANTED }]);

		expect(tell(main, 'participant', 'action', 'outcome', 'reason')).toBe(
			[
				`${WANTED} add planned`,
				`${OWN} none kept self, ${ADMIN} remove planned, ${MEMBER} remove planned`,
				`${UNKNOWN} none kept unidentified`,
			].join(', '),
		);
	});

	test('stop Sync before anything is sent if no role is known and somebody would be removed', async () => {
		const gateway = await startWith(without(OWN, MEMBER, UNKNOWN));
		const { main, failed } = await run(gateway, sync(), [{ phone: WANTED }]);

		expect(main).toEqual([]);
		expect(tell(failed, 'error')).toMatch(
			/^Nothing was changed: members would be removed, and the gateway doesn't show who is an admin/,
		);
		expect(gateway.calls.filter(({ method }) => method !== 'GET')).toEqual([]);
	});

	test('stop no Sync that only adds', async () => {
		const gateway = await startWith(without(OWN, MEMBER));
		const { failed } = await run(gateway, syncParameters(), [{ phone: WANTED }]);

		expect(failed).toEqual([]);
		expect(gateway.calls.filter(({ method }) => method !== 'GET')).toHaveLength(1);
	});
});
