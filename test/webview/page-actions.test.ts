/** Real Chromium: what the user can do about pages, from the cards of the agent's calls. */
import assert from 'node:assert/strict';
import { newId } from '../../src/protocol/rpc/ids.ts';
import type { ToolItem } from '../../src/protocol/thread/items.ts';
import { AT } from './support/fake-thread.ts';
import { useViews } from './support/suite.ts';
import { only, withThread } from './support/with-thread.ts';

describe('webview: the card', function () {
	this.timeout(60_000);
	const views = useViews();

	async function openWith(given: Partial<ToolItem>) {
		const opened = await views.open(withThread);
		const thread = only(opened.extension);
		const turnId = thread.begin('go on');
		const item: ToolItem = {
			...{ id: newId('itm'), turnId, at: AT, kind: 'tool', opId: newId('op'), durationMs: 12 },
			...{ tool: 'shell_run', title: 'npm run dev', input: { argv: ['npm', 'run', 'dev'] } },
			...{ status: 'done', output: '', outputTruncated: false },
			...given,
		};
		thread.emit({ type: 'item.start', item });
		await opened.page.getByText(item.title).first().waitFor();
		return { ...opened, item, thread, turnId };
	}

	it('of a command offers no page where it has ended, names none of this machine, or was refused one', async () => {
		for (const given of [
			{ output: 'http://localhost:5173/' },
			{ output: 'http://evil.example:80/ http://localhost.evil.example:1/', inBackground: true as const },
			{ output: 'http://localhost:99999/', inBackground: true as const },
			{ tool: 'browser_open', title: 'Open a page', input: {}, status: 'denied' as const },
		]) {
			const { page } = await openWith(given);
			assert.equal(await page.getByRole('button', { name: /^(Watch|Open the dev server and look at it)$/ }).count(), 0);
		}
	});

	it('of a command that serves a page sends the wish to look at it', async () => {
		const output = '  Local:   http://0.0.0.0:5173/\n  Network: use --host to expose';
		const { page, extension, thread, turnId } = await openWith({ output, inBackground: true });
		thread.emit({ type: 'turn.end', turnId, outcome: 'done', durationMs: 1 });
		const sent = extension.called('thread/prompt');
		await page.getByRole('button', { name: 'Open the dev server and look at it' }).press('Enter');
		const { text } = (await sent).params as { readonly text: string };
		assert.equal(text, 'Open http://localhost:5173 in the browser and look at it.');
	});

	it('of a page that was opened leads to where it is watched', async () => {
		const { page, extension, item } = await openWith({ tool: 'browser_open', title: 'Open a page', input: {} });
		const asked = extension.called('view/runAct');
		await page.getByRole('button', { name: 'Watch' }).press('Enter');
		assert.deepEqual((await asked).params, { opId: item.opId, act: 'watch' });
	});
});
