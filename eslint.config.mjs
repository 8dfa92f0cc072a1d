import { createRequire } from 'node:module';
import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import importX from 'eslint-plugin-import-x';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import { configs as typescript, config, parser } from 'typescript-eslint';

// Published for both module systems, but only its CommonJS side resolves here.
const { n8nCommunityNodesPlugin } = createRequire(import.meta.url)('@n8n/eslint-plugin-community-nodes');

const rulesOf = (name) => n8nNodesBase.configs[name].rules;

// The rule sets that n8n's own tool for community nodes combines.
export default config(
	{ ignores: ['dist/**', 'node_modules/**', '.stryker-tmp/**'] },
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
		languageOptions: {
			globals: { module: 'writable', require: 'readonly' },
		},
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
		rules: { 'no-console': 'error' },
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
