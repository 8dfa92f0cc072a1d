/** Of {@link file://./test/pure.js}, in Stryker's copy of the project. */
const BUNDLE = 'test/pure.bundle.js';

/** Mutation testing of the pure modules: `npm run test:mutation`. @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	mutate: [
		'nodes/MessagingGateway/{common,groups,input}/**/*.ts',
		'nodes/MessagingGateway/gateway/{failures,redact,replies}/**/*.ts',
		'nodes/MessagingGateway/gateway/{baseUrl,routes}.ts',
		'nodes/MessagingGateway/run/itemField.ts',
	],
	buildCommand: `esbuild test/pure.js --bundle --platform=node --packages=external --outfile=${BUNDLE}`,
	testRunner: 'jest',
	jest: {
		projectType: 'custom',
		// That would be none: Jest doesn't see what the bundle is made of.
		enableFindRelatedTests: false,
		config: {
			testEnvironment: './test/bailEnvironment.js',
			transform: {},
			// Stryker reads jest.config.js too, and with its projects each test would run once for each of them.
			projects: [],
			testMatch: [`<rootDir>/${BUNDLE}`],
		},
	},
	coverageAnalysis: 'perTest',
	// Tables are read once when their module loads: each mutant in them would need every test, and the run an hour.
	ignoreStatic: true,
	concurrency: 2,
	// Each run of Jest leaves something behind that makes every promise after it slower.
	maxTestRunnerReuse: 20,
	// Generous, so that on a busy machine nothing counts as an endless loop that is only slow.
	timeoutMS: 15_000,
	reporters: ['clear-text', 'progress'],
	clearTextReporter: { allowColor: false, logTests: false },
	thresholds: { high: 95, low: 90, break: 90 },
	tempDirName: '.stryker-tmp',
	ignorePatterns: ['bench', 'dist', 'docs', 'e2e', 'examples', 'mutation', 'n8n-1', 'scan'],
};
