import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { listen } from '../../test/gateway/wire';

/** A mail server on this machine that takes every mail, and sends none on. */
export interface Mailbox {
	readonly port: number;
	/** The mails so far, oldest first: their head and body, as text. */
	readonly mails: readonly string[];
	close(): Promise<void>;
}

/** What the server says to each command; to all others, that it is done. */
const REPLIES: Record<string, string> = { DATA: '354 Go on, and end with a dot', QUIT: '221 Goodbye' };

/** Starts a mail server, without encryption and without passwords. */
export async function startMailbox(): Promise<Mailbox> {
	const mails: string[] = [];
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket)).on('error', () => undefined);
		void serve(socket, (mail) => mails.push(mail));
	});
	const port = await listen(server);
	return {
		port,
		mails,
		close: async () => {
			sockets.forEach((socket) => socket.destroy());
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

async function serve(socket: Socket, take: (mail: string) => void): Promise<void> {
	const say = (line: string) => socket.write(`${line}\r\n`);
	let mail: string[] | undefined;
	say('220 Mailbox of the tests');
	for await (const line of createInterface({ input: socket, crlfDelay: Infinity })) {
		if (mail === undefined) {
			const [command = ''] = line.toUpperCase().split(' ');
			if (command === 'DATA') mail = [];
			say(REPLIES[command] ?? '250 Done');
		} else if (line === '.') {
			take(decode(mail.join('\n')));
			mail = undefined;
			say('250 Taken');
		} else mail.push(line.replace(/^\./, ''));
	}
}

/** Undoes the "quoted-printable" that mails are in. */
function decode(mail: string): string {
	const bytes = mail
		.replace(/=\n/g, '')
		.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
	return Buffer.from(bytes, 'latin1').toString('utf8');
}
