const { TestEnvironment } = require('jest-environment-node');

/** Skips all tests after the first that fails, for mutation testing: Jest's own `bail` goes on to the end of the file. */
module.exports = class extends TestEnvironment {
	hasFailed = false;

	handleTestEvent({ name, test }) {
		if (name === 'test_fn_failure') this.hasFailed = true;
		if (name === 'test_start' && this.hasFailed) test.mode = 'skip';
	}
};
