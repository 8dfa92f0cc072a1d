// Imported first by tests of what n8n's own classes make of an error: the other unit tests run with a stand-in.
jest.mock('n8n-workflow', () => jest.requireActual<object>('../../node_modules/n8n-workflow'));
