import { thorough } from '../../thorough';
import { describeOnEngine, runNode, skipPauses } from '../support';
import { testReplies } from './replies';
import { withServers } from './server';

// All of them are tried on a stand-in for n8n: test/unit/recordings.test.ts.
describeOnEngine('a recorded reply comes out right', (engine) => {
	skipPauses(engine);
	const run = async ({ url }: { url: string }, apiKey: string, parameters: object, item: object) =>
		await runNode(engine(), { url, apiKey }, parameters, [item]);
	testReplies({ start: withServers(), run }, thorough ? Infinity : 2);
});
