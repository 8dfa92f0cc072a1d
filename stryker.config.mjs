import jestConfig from './jest.config.js';

const { transform, testEnvironment } = jestConfig.projects[0];

/** Mutation testing of the pure modules: `npm run test:mutation`. @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	mutate: ['nodes/MessagingGateway/domain/**/*.ts', 'nodes/MessagingGateway/transport/routes.ts'],
	testRunner: 'jest',
	jest: {
		projectType: 'custom',
		// That would be none: the one file finds its tests while it runs.
		enableFindRelatedTests: false,
		config: {
			transform,
			testEnvironment,
			// Stryker reads jest.config.js too, and with its projects each test would run once for each of them.
			projects: [],
			testMatch: ['<rootDir>/test/unit/all.ts'],
		},
	},
	coverageAnalysis: 'perTest',
	// Tables are read once when their module loads: each mutant in them would need every test, and the run an hour.
	ignoreStatic: true,
	concurrency: 2,
	// Generous, so that on a busy machine nothing counts as an endless loop that is only slow.
	timeoutMS: 15_000,
	reporters: ['clear-text', 'progress'],
	clearTextReporter: { allowColor: false, logTests: false },
	thresholds: { high: 95, low: 90, break: 90 },
	tempDirName: '.stryker-tmp',
	ignorePatterns: ['bench', 'dist', 'docs', 'e2e', 'examples', 'mutation', 'n8n-1', 'scan'],
};
