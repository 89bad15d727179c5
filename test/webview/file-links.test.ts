/** Files that answers and outputs name, as links that the editor opens. */
import assert from 'node:assert/strict';
import { newId } from '../../src/protocol/rpc/ids.ts';
import { AT } from './support/fake-thread.ts';
import { useViews } from './support/suite.ts';
import { violations } from './support/violations.ts';
import { only, withThread } from './support/with-thread.ts';

describe('webview: files that a text names', function () {
	this.timeout(30_000);
	const views = useViews();

	const answer =
		'The sum is wrong in src/cart.ts:12, see `src/cart.test.ts:4` and `src/money.ts`.\n\n' +
		'`Array.map`, https://example.com:443/a.ts and localhost:3000 are no files.\n\n```ts\n// src/cart.ts:1\n```';

	it('open at their line from an answer, by mouse and by keyboard', async () => {
		const { page, extension } = await views.open(withThread);
		only(extension).say('where?', answer);
		const links = page.locator('.assistant').last().getByRole('link');
		await links.getByText('src/money.ts').waitFor();
		assert.deepEqual(await links.allInnerTexts(), [
			'src/cart.ts:12',
			'src/cart.test.ts:4',
			'src/money.ts',
			'https://example.com:443/a.ts',
		]);
		assert.equal(await links.first().getAttribute('title'), 'Open src/cart.ts at line 12');
		const clicked = extension.called('view/openFile');
		await links.first().click();
		assert.deepEqual((await clicked).params, { path: 'src/cart.ts', line: 12 });
		const pressed = extension.called('view/openFile');
		await links.nth(2).press('Enter');
		assert.deepEqual((await pressed).params, { path: 'src/money.ts' });
	});

	it('open at their line also where the path has 200 characters', async () => {
		const { page, extension } = await views.open({ ...withThread, width: 255 });
		const path = `src/${'a-long-folder/'.repeat(13)}${'x'.repeat(11)}.ts`;
		assert.equal(path.length, 200);
		only(extension).say('where?', `Look at ${path}:3.`);
		const clicked = extension.called('view/openFile');
		await page.locator('.assistant').last().getByRole('link').click();
		assert.deepEqual((await clicked).params, { path, line: 3 });
		assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
	});

	it('open from the output of a command, which stays the same text', async () => {
		const { page, extension } = await views.open(withThread);
		const thread = only(extension);
		const turnId = thread.begin('test it');
		const output = '✗ adds up\n    at sum (/srv/sample/src/cart.ts:9:11)\nsrc/money.ts(3,1): error TS1005\n';
		const item = {
			id: newId('itm'),
			turnId,
			at: AT,
			kind: 'tool' as const,
			opId: newId('op'),
			tool: 'shell_run',
			title: 'Run npm test',
			input: { argv: ['npm', 'test'] },
			status: 'done' as const,
			output,
			outputTruncated: false,
		};
		thread.emit({ type: 'item.start', item });
		await page.getByRole('button', { name: 'Run npm test' }).click();
		const shown = page.getByLabel('Output', { exact: true });
		await shown.waitFor();
		assert.equal(await shown.textContent(), output);
		const opened = extension.called('view/openFile');
		await shown.getByRole('link', { name: '/srv/sample/src/cart.ts:9:11' }).click();
		assert.deepEqual((await opened).params, { path: '/srv/sample/src/cart.ts', line: 9 });
	});

	it('are readable in every theme', async () => {
		const { page, extension } = await views.open(withThread);
		only(extension).say('where?', answer);
		await page.getByRole('link', { name: 'src/money.ts' }).waitFor();
		assert.deepEqual(await violations(page), []);
	});
});
