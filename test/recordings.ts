import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An exchange with a real gateway. */
export interface Recorded {
	/** Of the gateway, e.g. `2.3.6`. */
	version: string;
	/** Its path is below the base URL. */
	request: { method: string; path: string; headers: Record<string, string>; body: unknown };
	/** A status of `null`: the gateway never answered. */
	response: { status: number | null; contentType: string | null; body: unknown };
}

/** As it is written down: where the recording client gave up, there is no more than the client's own error. */
interface Written extends Omit<Recorded, 'response'> {
	response: Partial<Recorded['response']>;
}

const folder = join(__dirname, 'fixtures/recordings');

/**
 * The names of all: `v2.3.6-SIM__groupParticipants__lid-group` is of that version, about that call; a gateway other than
 * Evolution API has its name in place of `v`. `-SIM`: the network was played. `-SEED`: the gateway's database was filled.
 */
export const allRecordings: readonly string[] = readdirSync(folder).map((file) =>
	file.replace(/\.json$/, ''),
);

/** What the node doesn't ask for, or not in a run of usual length, by the call in the recording's name. */
export const otherCalls: ReadonlyArray<readonly [call: RegExp, reason: string]> = [
	[
		/__findGroupInfos__|fetchAllGroups__network-silent|^v2.*__updateSetting__(network-silent|restart|stream-error)/,
		'asked for only after a minute of silence: test/unit/gateway/client.test.ts plays them',
	],
	[/^whatsmiau.*(10-characters|POST-plus|twice-the-same)/, 'the node sends no such participants'],
	[/__whatsappNumbers__/, 'asked for only with an invite: test/engine/group/sendInvite.test.ts'],
	[/__findMessages__/, 'asked for only after an invite: test/unit/gateway/messageStatus.test.ts plays them'],
	[/__openai__(create|fetchSe|GET-creds)/, 'the node makes no bots, and leaves their settings alone'],
	[/__openai__(GET-|disabled-)?find(?!-bot)|openai-find__/, 'only the picker lists bots'],
	[/__instance__(logout|restart)/, 'the node ends no connection'],
	[
		/__(instance__)?connectionState(__|-)/,
		'asked for only after most of a minute of silence: test/unit/gateway/client.test.ts plays them',
	],
];

/** The names of the recordings of what the node asks for, which tests go through. */
export const recordings = allRecordings.filter((name) => !otherCalls.some(([call]) => call.test(name)));

/** Reads a recording. @throws where there is none of this name */
export function load(name: string): Recorded {
	const recorded: Written = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
	const { status = null, contentType = null, body = null } = recorded.response;
	// WhatsMiau's base URL ends in this.
	const path = recorded.request.path.replace(/^\/v1(?=\/)/, '');
	// An empty reply is written in two ways.
	const response = { status, contentType, body: body === '' ? null : body };
	return { ...recorded, request: { ...recorded.request, path }, response };
}
