import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { listen } from '../../test/gateway/wire';

/** A mail server without accounts, which delivers nothing. */
export interface MailServer {
	port: number;
	/** What it was given, as plain text. */
	readonly mails: string[];
	close(): void;
}

/** Starts a mail server on this machine. */
export async function startMailServer(): Promise<MailServer> {
	const mails: string[] = [];
	const server = createServer((socket) => void take(socket, mails));
	return { port: await listen(server), mails, close: () => server.close() };
}

async function take(socket: Socket, mails: string[]): Promise<void> {
	const say = (line: string) => socket.write(`${line}\r\n`);
	say('220 mail.example');
	let mail: string | undefined;
	for await (const line of createInterface({ input: socket })) {
		if (mail === undefined) {
			if (line === 'DATA') mail = '';
			say(line === 'DATA' ? '354 Go on' : line === 'QUIT' ? '221 Bye' : '250 OK');
		} else if (line === '.') {
			mails.push(
				mail.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
			);
			mail = undefined;
			say('250 OK');
		} else {
			// Quoted-printable: a line that ends in "=" goes on in the next one.
			mail += line.endsWith('=') ? line.slice(0, -1) : `${line}\n`;
		}
	}
}
