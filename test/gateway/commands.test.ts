import { carryOut, COMMAND_LIST } from './commands';
import { startGateway, type Gateway } from './gateway';
import { CUSTOMERS } from './seed';

let gateway: Gateway;
beforeEach(async () => {
	gateway = await startGateway();
});
afterEach(async () => await gateway.close());

const members = () => gateway.group('main', CUSTOMERS)?.members;

test('"leave" and "join" let somebody leave the group and join it', () => {
	expect(carryOut(gateway.network, 'leave')).toBe('5521990000003 has left the group Customers.');
	expect(members()).not.toContain('5521990000003@s.whatsapp.net');
	expect(carryOut(gateway.network, ' join 447700900100 ')).toBe(
		'447700900100 has joined the group Customers.',
	);
	expect(members()).toContain('447700900100@s.whatsapp.net');
});

test('"close" and "open" end the connection of an instance, and begin it again', async () => {
	const statusOf = async (instance: string) => {
		const path = `/instance/connectionState/${encodeURIComponent(instance)}`;
		const reply = await fetch(`${gateway.url}${path}`, { headers: { apikey: gateway.apiKey } });
		return JSON.stringify(await reply.json());
	};
	expect(carryOut(gateway.network, 'close')).toBe('The instance main has closed.');
	expect(await statusOf('main')).toContain('close');
	carryOut(gateway.network, 'close second one/ü');
	expect(await statusOf('second one/ü')).toContain('close');
	carryOut(gateway.network, 'open');
	expect(await statusOf('main')).toContain('open');
});

test('a wrong name is told, and anything else gives the list of commands', () => {
	expect(carryOut(gateway.network, 'close nobody')).toBe('There is no instance "nobody".');
	expect(carryOut(gateway.network, 'leave 447700900100')).toContain('is not a member');
	for (const line of ['', 'help', 'constructor']) expect(carryOut(gateway.network, line)).toBe(COMMAND_LIST);
});
