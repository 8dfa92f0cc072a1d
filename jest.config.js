const shared = {
	testEnvironment: '<rootDir>/test/environment.ts',
	// With the product's folders, `--findRelatedTests` knows which tests import a file.
	roots: ['<rootDir>/test', '<rootDir>/nodes', '<rootDir>/credentials'],
	transform: { '\\.ts$': '<rootDir>/test/transform.js' },
};

/** @type {import('jest').Config} */
module.exports = {
	projects: [
		{
			...shared,
			displayName: 'unit',
			testMatch: ['<rootDir>/test/{unit,gateway}/**/*.test.ts'],
			moduleNameMapper: { '^n8n-workflow$': '<rootDir>/test/unit/n8n-workflow.ts' },
		},
		{
			...shared,
			displayName: 'engine',
			testMatch: ['<rootDir>/test/engine/**/*.test.ts'],
			testEnvironment: '<rootDir>/test/engine/environment.ts',
			globalSetup: '<rootDir>/test/engine/install.ts',
		},
	],
	// Only for a test that hangs. No test relies on it, and none may miss it because the machine is busy.
	testTimeout: 600_000,
	// Each has a host of n8n's engine, which takes seconds to start.
	maxWorkers: 3,
};
