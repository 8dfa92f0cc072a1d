import { createRequire } from 'node:module';
import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import importX, { createNodeResolver } from 'eslint-plugin-import-x';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import { configs as typescript, config, parser } from 'typescript-eslint';

// Published for both module systems, but only its CommonJS side resolves here.
const { n8nCommunityNodesPlugin } = createRequire(import.meta.url)('@n8n/eslint-plugin-community-nodes');

/** The rooms of the node, and which others each may import from; see the house in CONTRIBUTING.md. */
const MAY_IMPORT = {
	common: [],
	groups: ['common'],
	input: ['common', 'groups'],
	gateway: ['common', 'groups'],
	run: ['common', 'groups', 'gateway'],
	fields: ['common', 'groups', 'input', 'gateway', 'run'],
	listSearch: ['common', 'input', 'gateway', 'run'],
};
const NODE = './nodes/MessagingGateway';
/** What is open of the gateway's room: how calls are made, and what they look like, is for that room alone. */
const OPEN_OF_THE_GATEWAY = [
	...['client', 'connection', 'execution', 'sender', 'failures/gatewayFailure'],
	...['redactText', 'secretFields'].map((file) => `redact/${file}`),
	...['bots', 'groups', 'instances'].map((file) => `replies/${file}`),
];
const zones = [
	...Object.entries(MAY_IMPORT).map(([room, others]) => ({
		target: `${NODE}/${room}`,
		from: NODE,
		except: [room, ...others].map((one) => `./${one}`),
	})),
	...['actions', 'fields', 'listSearch', 'run', '../MessagingGatewayTrigger'].map((room) => ({
		target: `${NODE}/${room}`,
		from: `${NODE}/gateway`,
		except: OPEN_OF_THE_GATEWAY.map((file) => `./${file}.ts`),
		message: 'Use the client (gateway/client.ts).',
	})),
];

const rulesOf = (name) => n8nNodesBase.configs[name].rules;

// The rule sets that n8n's own tool for community nodes combines.
export default config(
	{ ignores: ['dist/**', 'node_modules/**'] },
	js.configs.recommended,
	...typescript.recommended,
	{
		plugins: { 'import-x': importX },
		rules: {
			...importX.flatConfigs.recommended.rules,
			// TypeScript resolves imports.
			'import-x/no-unresolved': 'off',
			'import-x/namespace': 'off',
			'import-x/named': 'off',
			'import-x/no-named-as-default-member': 'off',
			'import-x/no-named-as-default': 'off',
			'@typescript-eslint/no-explicit-any': 'error',
			'@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
		},
	},
	{
		files: ['**/*.js'],
		languageOptions: { globals: { module: 'writable', require: 'readonly' } },
		rules: { '@typescript-eslint/no-require-imports': 'off' },
	},
	{
		files: ['{nodes,credentials}/**/*.ts', 'package.json'],
		...n8nCommunityNodesPlugin.configs.recommended,
		// n8n's scan looks past comments that switch a rule off, so none may be there.
		linterOptions: { noInlineConfig: true },
	},
	...typescript.recommendedTypeCheckedOnly.map((one) => ({ ...one, files: ['{nodes,credentials}/**/*.ts'] })),
	{
		files: ['{nodes,credentials}/**/*.ts'],
		languageOptions: { parserOptions: { project: 'tsconfig.json', tsconfigRootDir: import.meta.dirname } },
		settings: { 'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.js'] })] },
		rules: {
			'no-console': 'error',
			'max-lines': ['error', 350],
			'max-lines-per-function': ['error', { max: 45, skipBlankLines: true, skipComments: true }],
			'max-params': ['error', 5],
			complexity: ['error', 15],
			'import-x/no-cycle': 'error',
			'import-x/no-restricted-paths': ['error', { basePath: import.meta.dirname, zones }],
			'import-x/order': [
				'error',
				{
					groups: ['builtin', 'external', ['parent', 'sibling']],
					alphabetize: { order: 'asc', caseInsensitive: true },
				},
			],
		},
	},
	// A table may be as long as what it lists.
	{ files: ['nodes/**/failureTable.ts'], rules: { 'max-lines': 'off' } },
	{
		// What thinks doesn't know n8n.
		files: [
			'nodes/MessagingGateway/{common,groups,input}/**/*.ts',
			'nodes/MessagingGateway/gateway/{failures,redact,replies}/**/*.ts',
		],
		rules: { 'no-restricted-imports': ['error', 'n8n-workflow'] },
	},
	{
		files: ['nodes/**/*.ts'],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: {
			...rulesOf('nodes'),
			// Off in n8n's own tool too: inputs and outputs can be NodeConnectionTypes, and a maximum can be real.
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
		},
	},
	{
		files: ['credentials/**/*.ts'],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: {
			...rulesOf('credentials'),
			// Off in n8n's own tool too: the first is not for community nodes, the second has a better twin there.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
		},
	},
	{
		files: ['package.json'],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		languageOptions: { parser, parserOptions: { extraFileExtensions: ['.json'] } },
		rules: {
			...rulesOf('community'),
			'@typescript-eslint/no-unused-expressions': 'off',
			'n8n-nodes-base/community-package-json-name-still-default': 'off',
		},
	},
	prettier,
);
