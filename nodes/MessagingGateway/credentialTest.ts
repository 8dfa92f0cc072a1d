import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { readInstances } from './domain/records/instances';
import { messageOf, Problem } from './domain/failures/problem';
import { strikeOut } from './domain/text/strikeOut';
import { keysIn, readCredential } from './transport/credential';
import { Gateway } from './transport/gateway';
import { credentialTestHttp } from './transport/http';

/** Shorter than in a workflow: somebody waits for it. */
const RETRY_OPTIONS = { timeout: 20_000, maxRetries: 0 };

/**
 * Tests a credential by listing the instances, which every generation of gateways can do.
 *
 * @returns `OK`, or `Error` with what is wrong and what to do
 */
export async function messagingGatewayApiTest(
	this: ICredentialTestFunctions,
	{ data }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		const credential = readCredential(data);
		const gateway = new Gateway(credential, credentialTestHttp(this, credential));
		await gateway.read('listInstances', {}, RETRY_OPTIONS, { read: readInstances });
		return { status: 'OK', message: 'Connection successful' };
	} catch (problem) {
		const description = problem instanceof Problem ? `. ${problem.description}` : '';
		return {
			status: 'Error',
			message: strikeOut(messageOf(problem) + description, keysIn(data)),
		};
	}
}
