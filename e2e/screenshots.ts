import { installTools } from './install';
import { LINES } from './lines';
import { takeDryRun, takePanels, takeRecipes } from './support/pictures';
import { runScript, withSite } from './support/script';

/** Takes all pictures of the documents in the editor, each time with a group in which nobody was changed yet. */
runScript(async () => {
	installTools();
	for (const look of ['light', 'dark'] as const)
		await withSite(LINES[2], async ({ rest }) => {
			await takeDryRun(rest, look);
			if (look === 'dark') return;
			await takeRecipes(rest);
			await takePanels(rest);
		});
});
