import { installTools } from './install';
import { LINES } from './lines';
import { takePanels, takeRecipes } from './support/pictures';
import { runScript, withSite } from './support/script';

/** Takes all pictures of the documents in the editor, with a group in which nobody was changed yet. */
runScript(async () => {
	installTools();
	await withSite(LINES[2], async ({ rest }) => {
		// Light is the last, since it changes the group.
		for (const look of ['dark', 'light'] as const) await takePanels(rest, look);
		await takeRecipes(rest);
	});
});
