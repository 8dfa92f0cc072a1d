import { installTools } from './install';
import { LINES } from './lines';
import { takePanels, takeRecipes } from './support/pictures';
import { runScript, withSite } from './support/script';

/** Takes all pictures of the documents in the editor, with a group in which nobody was changed yet. */
runScript(async () => {
	installTools();
	await withSite(LINES[2], async ({ rest }) => {
		for (const look of ['light', 'dark'] as const) await takePanels(rest, look);
		await takeRecipes(rest);
	});
});
