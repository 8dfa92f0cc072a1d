import type { INodeCredentialTestResult } from 'n8n-workflow';
import { createAdditionalData } from './additional-data';
import { createCredentialsHelper } from './credentials-helper';
import type { InstalledPackage } from './installed-package';
import type { Line } from './line';
import type { GatewayCredentials } from './protocol';

/** Tests a credential with the function that the node names for it (`testedBy`). */
export async function testCredential(
	line: Line,
	installed: InstalledPackage,
	credentials: GatewayCredentials,
): Promise<INodeCredentialTestResult> {
	const { credential, node } = installed;
	const testedBy = node.description.credentials?.[0]?.testedBy;
	const test = typeof testedBy === 'string' ? node.methods?.credentialTest?.[testedBy] : undefined;
	if (!test) throw new Error('not supported: the node has no function for its credential test');
	const helper = createCredentialsHelper(line, installed, credentials);
	const context = new line.core.CredentialTestContext(createAdditionalData(line, helper));
	return await test.call(context, {
		id: '1',
		name: 'Gateway',
		type: credential.name,
		data: { ...credentials },
	});
}
