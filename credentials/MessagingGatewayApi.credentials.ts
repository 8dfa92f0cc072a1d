import type { IAuthenticateGeneric, Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

// Kept apart, because n8n's linter takes the name for a secret. As a password field, n8n would blank it.
const allowUnauthorizedCerts: INodeProperties = {
	displayName: 'Ignore SSL Issues (Insecure)',
	name: 'allowUnauthorizedCerts',
	type: 'boolean',
	default: false,
	description:
		"Whether to connect even if the SSL certificate of the gateway can't be trusted, e.g. a self-signed one",
};

/** The address and key of a gateway. The node tests them (`testedBy`), since it tells more failures apart. */
export class MessagingGatewayApi implements ICredentialType {
	name = 'messagingGatewayApi';

	displayName = 'Messaging Gateway API';

	icon: Icon = {
		light: 'file:../nodes/MessagingGateway/messagingGateway.svg',
		dark: 'file:../nodes/MessagingGateway/messagingGateway.dark.svg',
	};

	documentationUrl = 'https://github.com/messaging-gateway/n8n-nodes-messaging-gateway#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://gateway.example.com',
			description:
				"The address at which you open your Evolution API gateway. You can paste it from the browser: everything from '/manager' on is removed. It's the only host that the node talks to.",
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				"The gateway's AUTHENTICATION_API_KEY, from its settings, or the key of one instance, from its web page (/manager), which works for that instance only",
		},
		allowUnauthorizedCerts,
		// n8n's HTTP Request node hands the key to this host alone. Without these, n8n 2.x adds one for all hosts.
		{
			displayName: 'Allowed HTTP Request Domains',
			name: 'allowedHttpRequestDomains',
			type: 'hidden',
			default: 'domains',
		},
		// n8n 1.x gives `$self` as entered, so the text of an expression is worked out here.
		{
			displayName: 'Allowed Domains',
			name: 'allowedDomains',
			type: 'hidden',
			default: `={{ String($self["baseUrl"]).replace(/^=(.*)/s, (_, text) => $evaluateExpression(text)).match(/^\\s*https?:\\/\\/(\\[[^\\]]+\\]|[^:\\/?#]+)/i)?.[1] }}`,
		},
	];

	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		properties: { headers: { apikey: '={{$credentials.apiKey}}' } },
	};
}
