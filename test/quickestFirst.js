const Sequencer = require('@jest/test-sequencer').default;

/** Runs quick test files first: where the first failure ends all, most breaks are noticed in seconds. */
module.exports = class extends Sequencer {
	sort(tests) {
		return super.sort(tests).reverse();
	}
};
