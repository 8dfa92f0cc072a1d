import { Problem } from '../../common/problem';
import { quote } from '../../common/text';
import { instanceLocator, readInstance } from '../../fields/locators';
import { maxRetries, notice, optionsOf, timeout, type Field } from '../../fields/options';
import type { RequestOptions } from '../../gateway/sender';
import type { Operation, Run } from '../../run/operation';
import { runReads } from '../reads';

/** Number of further tries while the gateway has no picture yet, and the wait before each in ms. */
const MORE_TRIES = 5;
const WAIT = 2000;

const binaryPropertyName: Field<string> = {
	displayName: 'Put Output in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	description: 'The name of the output binary field to put the picture in',
};

export const getQrCode: Operation = {
	name: 'Get QR Code',
	action: 'Get instance QR code',
	description: 'Get the QR code that connects an instance to its account',
	fields: [
		instanceLocator,
		notice(
			'qrCodeNotice',
			"A code expires after about 40 seconds. Whoever sees the picture can link an account with it, so only send it to the account's owner.",
		),
		optionsOf(binaryPropertyName, maxRetries, timeout),
	],
	execute: async (run) =>
		await runReads(run, {
			read: (parameters, options) => ({
				asked: { instance: readInstance(parameters) },
				field: options.text(binaryPropertyName),
			}),
			ask: async ({ instance }, options) => {
				const { picture, ...others } = await waitForPicture(run, instance, options);
				if (picture === undefined) return { ...others, binary: undefined };
				const bytes = Buffer.from(picture, 'base64');
				const binary = await run.context.helpers.prepareBinaryData(bytes, 'qr-code.png', 'image/png');
				return { ...others, binary };
			},
			present: ({ status, pairingCode, binary }, { asked, field }) => {
				const json = { ...asked, status, ...(pairingCode && { pairingCode }) };
				return [{ json, ...(binary && { binary: { [field]: binary } }) }];
			},
		}),
};

/** Asks until the account is connected or there is a picture. @throws Problem after the last try */
async function waitForPicture({ client, session }: Run, instance: string, requestOptions: RequestOptions) {
	for (let tries = 0; tries <= MORE_TRIES; tries++) {
		if (tries > 0) await session.pause(WAIT);
		const qrCode = await client.connect(instance, requestOptions);
		if (qrCode.status === 'open' || qrCode.picture !== undefined) return qrCode;
	}
	throw new Problem(
		`The gateway gave no QR code for the instance ${quote(instance)}`,
		"Run this again in a minute. If that doesn't help, restart the instance on the gateway's own web page",
	);
}
