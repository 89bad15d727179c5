/** The ring that says how full the context is, and what it opens. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { useViews } from './support/suite.ts';
import { violations } from './support/violations.ts';
import { only, withThread } from './support/with-thread.ts';

const artifacts = join(import.meta.dirname, '../../artifacts');

describe('webview: how full the context is', function () {
	this.timeout(30_000);
	const views = useViews();
	before(() => mkdirSync(artifacts, { recursive: true }));

	const usage = {
		inputTokens: 12_000,
		outputTokens: 300,
		cachedInputTokens: 9_000,
		contextTokens: 96_000,
		contextWindow: 128_000,
		contextParts: { rules: 9_000, tools: 4_000, files: 0, results: 70_000, conversation: 13_000 },
		estimated: false,
		cost: 0.25,
		turnCost: 0.07,
		requestCost: 0.004,
	};

	async function opened(width = 420) {
		const view = await views.open({ ...withThread, width });
		const thread = only(view.extension);
		thread.emit({ type: 'usage', usage });
		const { page } = view;
		const ring = page.getByRole('button', { name: /Context: / });
		const panel = page.getByRole('dialog', { name: 'Context' });
		const compact = panel.getByRole('button', { name: 'Compact' });
		const isFocused = () => ring.evaluate((element) => element === document.activeElement);
		const sent = () =>
			view.extension.calls.flatMap(({ method, params }) =>
				method === 'thread/prompt' ? [(params as { text: string }).text] : [],
			);
		await ring.waitFor();
		return { ...view, thread, ring, panel, compact, isFocused, sent };
	}

	it('is left by Escape, which goes back to the ring, and by a click elsewhere, and nothing is sent', async () => {
		const { page, ring, panel, isFocused, sent } = await opened();
		await ring.click();
		await panel.waitFor();
		await page.keyboard.press('Escape');
		await panel.waitFor({ state: 'detached' });
		assert.ok(await isFocused());
		await ring.click();
		await page.locator('.composer-field').click();
		await panel.waitFor({ state: 'detached' });
		await ring.click();
		await ring.click();
		await panel.waitFor({ state: 'detached' });
		assert.deepEqual(sent(), []);
	});

	it('opens for /usage with zeros where nothing was sent yet', async () => {
		const { page } = await views.open(withThread);
		await page.locator('.composer-field').fill('/usage');
		await page.locator('.composer-field').press('Enter');
		const panel = page.getByRole('dialog', { name: 'Context' });
		await panel.getByText('Nothing was sent to a model in this thread.').waitFor();
		await panel.getByText('Output: 0').waitFor();
		await page.keyboard.press('Escape');
		await panel.waitFor({ state: 'detached' });
	});

	it('opens for /usage once, and not again in a thread that is begun later', async () => {
		const { page, extension, ring, panel } = await opened();
		await page.locator('.composer-field').fill('/usage');
		await page.locator('.composer-field').press('Enter');
		await panel.waitFor();
		await page.getByRole('button', { name: 'New thread', exact: true }).click();
		await ring.waitFor({ state: 'detached' });
		await page.locator('.composer-field').fill('go on');
		await page.locator('.composer-field').press('Enter');
		await page.locator('.item.user').waitFor();
		const next = [...extension.threads.values()].at(-1);
		assert.ok(next);
		next.emit({ type: 'usage', usage });
		await ring.waitFor();
		await page.locator('.composer-field:focus').waitFor();
		assert.equal(await panel.count(), 0);
	});

	it('says tokens and money, and has older messages summarized', async () => {
		const { ring, panel, compact, isFocused, sent } = await opened();
		await ring.press('Enter');
		await panel.waitFor();
		const said = await panel.innerText();
		assert.match(said, /Context: 96,000 of 128,000 tokens \(75 %\)[\s\S]*Input: 12,000 \(9,000 cached\)[\s\S]*Cost: /);
		assert.match(said, /Cost of the last turn: \$0\.07\s+Cost of the last request: under \$0\.01/);
		const parts = panel.getByRole('table', { name: 'What fills the context, estimated' }).getByRole('row');
		assert.deepEqual(await parts.allInnerTexts().then((rows) => rows.map((row) => row.replace(/\s+/g, ' '))), [
			'Results of tools 70,000',
			'Conversation 13,000',
			'Rules and instructions 9,000',
			'Descriptions of tools 4,000',
		]);
		await compact.press('Enter');
		await panel.waitFor({ state: 'detached' });
		assert.ok(await isFocused());
		assert.deepEqual(sent(), ['/compact']);
	});

	it('lists no parts where it is not known what fills the context', async () => {
		const { thread, ring, panel } = await opened();
		const { contextParts: _, ...alone } = usage;
		thread.emit({ type: 'usage', usage: alone });
		await ring.press('Enter');
		await panel.getByText('Cost: ').waitFor();
		// The panel may open with what was known before.
		await panel.getByRole('table').waitFor({ state: 'detached' });
	});

	it('offers no summary while a turn runs', async () => {
		const { page, ring, panel, compact, thread } = await opened();
		thread.begin('Work');
		await page.getByRole('button', { name: 'Stop' }).waitFor();
		await ring.click();
		await panel.waitFor();
		assert.equal(await compact.isDisabled(), true);
	});

	for (const width of [255, 420]) {
		it(`can be read by everybody, and is within the view, at ${width} px`, async () => {
			const { page, ring, panel } = await opened(width);
			await ring.click();
			await panel.waitFor();
			assert.deepEqual(await violations(page), []);
			const box = await panel.boundingBox();
			await page.screenshot({ path: join(artifacts, `context-${width}.png`) });
			assert.ok(box !== null && box.x >= 0 && box.x + box.width <= width && box.y >= 0, JSON.stringify(box));
		});
	}
});
