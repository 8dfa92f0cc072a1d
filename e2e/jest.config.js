const { projects } = require('../jest.config');

/** @type {import('jest').Config} */
module.exports = {
	rootDir: '..',
	transform: projects[0].transform,
	testEnvironment: 'node',
	// Not the whole folder: the servers in it have a hundred thousand files.
	roots: ['<rootDir>/e2e/tests'],
	maxWorkers: 1,
	// A server takes half a minute to start on a small machine.
	testTimeout: 300_000,
};
