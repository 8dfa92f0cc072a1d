import type { ICredentialDataDecryptedObject, ICredentialsHelper, INode, Workflow } from 'n8n-workflow';
import type { InstalledPackage } from './installed-package';
import type { Line } from './line';
import type { GatewayCredentials } from './protocol';

/** Gives every node the same credential, and applies the credential type's `authenticate` as n8n's server does. */
export function createCredentialsHelper(
	line: Line,
	{ name: packageName, credential }: InstalledPackage,
	data: GatewayCredentials,
): ICredentialsHelper {
	// The server keeps credentials in its database; nothing here needs that.
	const noDatabase = async (): Promise<never> => {
		throw new Error('Credentials are not stored in tests');
	};

	class TestCredentialsHelper extends line.workflow.ICredentialsHelper {
		override getParentTypes = () => [];
		override preAuthentication = async () => undefined;
		override runPreAuthentication = async () => undefined; // asked for by 2.x
		override getCredentials = noDatabase;
		override updateCredentials = noDatabase;
		override updateCredentialsOauthTokenData = noDatabase;
		override getCredentialsProperties = () => credential.properties;

		/** Asked by 2.x before it gives a node a credential. */
		override isCredentialUsableByNode(_credentialType: string, nodeType: string) {
			const usableBy = (credential.supportedNodes ?? []).map((node) => `${packageName}.${node}`);
			return credential.restrictToSupportedNodes !== true || usableBy.includes(nodeType);
		}

		/** A field that was never filled in has its default, as on the server. */
		override async getDecrypted(): Promise<ICredentialDataDecryptedObject> {
			const defaults = credential.properties.map((property) => [property.name, property.default]);
			return { ...Object.fromEntries(defaults), ...data };
		}

		override authenticate: ICredentialsHelper['authenticate'] = async (
			credentials,
			_typeName,
			incoming,
			workflow,
			node,
		) => {
			const options = { url: '', ...incoming }; // the type of what comes in allows for no url
			const { authenticate } = credential;
			if (typeof authenticate === 'function') return await authenticate(credentials, options);
			if (!authenticate || !workflow || !node) return options;
			const parts = Object.entries(authenticate.properties).map(([part, fields]) => [
				part,
				{ ...Reflect.get(options, part), ...resolveFields(fields, credentials, workflow, node) },
			]);
			return { ...options, ...Object.fromEntries(parts) };
		};
	}
	return new TestCredentialsHelper();
}

function resolveFields(
	fields: object,
	credentials: ICredentialDataDecryptedObject,
	workflow: Workflow,
	node: INode,
): Record<string, string> {
	const resolve = (value: string) =>
		value.startsWith('=')
			? String(
					workflow.expression.getSimpleParameterValue(
						node,
						value,
						'internal',
						{ $credentials: credentials },
						undefined,
						'',
					) ?? '',
				)
			: value;
	return Object.fromEntries(
		Object.entries(fields).map(([key, value]) => [resolve(key), resolve(String(value))]),
	);
}
