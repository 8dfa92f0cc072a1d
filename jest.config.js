/** ts-jest without type checks: `npm run types` does those once, for everything. */
const shared = {
	testEnvironment: 'node',
	modulePathIgnorePatterns: ['<rootDir>/bench/'],
	transform: {
		'^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.test.json', diagnostics: false }],
	},
};

/** @type {import('jest').Config} */
module.exports = {
	projects: [
		{ ...shared, displayName: 'unit', testMatch: ['<rootDir>/test/{unit,gateway}/**/*.test.ts'] },
		{ ...shared, displayName: 'engine', testMatch: ['<rootDir>/test/engine/**/*.test.ts'] },
	],
	testTimeout: 60_000,
	maxWorkers: 2,
};
