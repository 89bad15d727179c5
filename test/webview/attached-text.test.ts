/**
 * Checks text that is too long for the input, text and files that are dropped on it, and the uses of code in an answer.
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { approval } from './support/fake-extension.ts';
import { useViews } from './support/suite.ts';
import { THEME_NAMES } from './support/themes.ts';
import { showTheme, violations } from './support/violations.ts';
import { only, withThread } from './support/with-thread.ts';

const artifacts = fileURLToPath(new URL('../../artifacts', import.meta.url));

describe('webview: the input', function () {
	this.timeout(60_000);
	const views = useViews();
	before(() => mkdirSync(artifacts, { recursive: true }));

	const field = (page: Page) => page.locator('.composer-field');
	const chips = (page: Page) => page.locator('.chips .chip');
	const paste = (page: Page, given: string) =>
		field(page).evaluate((element, text) => {
			const data = new DataTransfer();
			data.setData('text/plain', text);
			const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
			return element.dispatchEvent(event);
		}, given);
	const log = Array.from({ length: 70 }, (_, n) => `line ${n}`).join('\n');

	it('attaches a long text that is pasted, beside what is written about it, and takes a short one as it is', async () => {
		const { page, extension } = await views.open({ width: 255, ...withThread });
		await field(page).fill('Why does this fail?');
		assert.equal(await paste(page, 'a short one'), true);
		assert.equal(await chips(page).count(), 0);
		assert.equal(await paste(page, log), false);
		await chips(page).getByText('pasted text (70 lines)').waitFor();
		assert.equal(await paste(page, 'x'.repeat(4_001)), false);
		await chips(page).nth(1).getByText('pasted text (1 line)').waitFor();
		assert.deepEqual(await violations(page), []);
		for (const theme of ['light', 'dark'] as const) {
			await showTheme(page, theme);
			await page.screenshot({ path: join(artifacts, `pasted-255-${theme}.png`) });
		}
		await chips(page).nth(1).getByRole('button').click();
		await chips(page).nth(1).waitFor({ state: 'detached' });
		const prompted = extension.called('thread/prompt');
		await field(page).press('Enter');
		const { text, context } = (await prompted).params as { text: string; context: unknown };
		assert.deepEqual([text, context], ['Why does this fail?', [{ kind: 'pasted', text: log }]]);
	});

	it('keeps what was typed and attached over a reload of the page', async () => {
		const { page, reload } = await views.open(withThread);
		await field(page).fill('half a thought');
		await paste(page, log);
		await chips(page).getByText('pasted text (70 lines)').waitFor();
		await reload();
		await chips(page).getByText('pasted text (70 lines)').waitFor();
		assert.equal(await field(page).inputValue(), 'half a thought');
	});

	it('attaches nothing while it answers a question', async () => {
		const { page } = await views.open({
			prepare(fake) {
				withThread.prepare(fake);
				fake.desk = { approvals: [approval({ threadId: fake.threadId })], questions: [] };
			},
		});
		await page.getByRole('group', { name: 'Approval' }).waitFor();
		assert.equal(await paste(page, log), true);
	});

	it('says what dropping does while something is dragged over it', async () => {
		const { page } = await views.open(withThread);
		const drag = (type: string) =>
			page.locator('.composer').evaluate((element, name) => {
				element.dispatchEvent(
					new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer: new DataTransfer() }),
				);
			}, type);
		const hint = page.getByText('Drop to attach. Hold Shift for files of the editor.');
		await drag('dragover');
		await hint.waitFor();
		await drag('dragleave');
		await hint.waitFor({ state: 'detached' });
		await drag('dragover');
		await hint.waitFor();
		await drag('drop');
		await hint.waitFor({ state: 'detached' });
	});
});

describe('webview: code in an answer', function () {
	this.timeout(60_000);
	const views = useViews();
	const answer =
		'It is slow[^1].\n\n[^1]: By a second.\n\nRun:\n\n```sh\nnpm test\n```\n\nand change:\n\n```ts\nconst a = 1;\n```\n\n```\nplain\n```';

	it('is applied as a change to review where its place is known, and nobody is asked', async () => {
		const { page, extension } = await views.open(withThread);
		extension.hasPlace = true;
		only(extension).say('how?', answer);
		const applied = extension.called('view/applyCode');
		await page.getByRole('button', { name: 'Apply code' }).click();
		assert.deepEqual((await applied).params, { code: 'const a = 1;' });
		assert.equal(await page.getByRole('button', { name: 'Stop' }).count(), 0);
		assert.deepEqual(await page.locator('sup.footnote').allInnerTexts(), ['1', '1']);
		for (const theme of THEME_NAMES) {
			await showTheme(page, theme);
			await page.screenshot({ path: join(artifacts, `footnotes-${theme}.png`) });
		}
		assert.deepEqual(
			extension.calls.filter(({ method }) => method === 'thread/prompt'),
			[],
		);
	});

	it('is run or applied by the agent, which asks as for anything else, at once or after its turn', async () => {
		const { page, extension } = await views.open(withThread);
		const thread = only(extension);
		thread.say('how?', answer);
		const [run, apply] = [
			page.getByRole('button', { name: 'Run code' }),
			page.getByRole('button', { name: 'Apply code' }),
		];
		await run.waitFor();
		assert.deepEqual([await run.count(), await apply.count()], [1, 1]);
		const asked = extension.called('thread/prompt');
		await run.click();
		const { text } = (await asked).params as { text: string };
		assert.equal(text, 'Run this, and tell me what it says:\n\n```sh\nnpm test\n```');
		await page.getByRole('button', { name: 'Stop' }).waitFor();
		await apply.first().click();
		await page.getByText('Put this code where it belongs:').waitFor();
		const { turnId } = thread.snapshot;
		assert.ok(turnId);
		const next = extension.called('thread/prompt');
		thread.end(turnId);
		assert.equal(
			((await next).params as { text: string }).text,
			'Put this code where it belongs:\n\n```ts\nconst a = 1;\n```',
		);
		assert.deepEqual(await violations(page), []);
	});
});
