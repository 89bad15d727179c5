/** The list of models below the message. Drawn in each theme for somebody to look at: artifacts/models-*.png. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import type { ModelInfo } from '../../src/protocol/turn/models.ts';
import { useViews } from './support/suite.ts';
import { THEME_NAMES } from './support/themes.ts';
import { showTheme, violations } from './support/violations.ts';

const translations = JSON.parse(
	readFileSync(new URL('../../l10n/bundle.l10n.de.json', import.meta.url), 'utf8'),
) as Record<string, string>;
const artifacts = fileURLToPath(new URL('../../artifacts', import.meta.url));

const own = (provider: string, name: string, facts: Partial<ModelInfo> = {}): ModelInfo => ({
	id: `${provider}/${name}`,
	name,
	provider,
	source: 'provider',
	contextWindow: 200_000,
	...facts,
});
const few: readonly ModelInfo[] = [
	own('anthropic', 'claude-sonnet-4-5', { thinks: true, price: { input: 3, output: 15 } }),
	own('anthropic', 'claude-haiku-4-5', { thinks: true, price: { input: 1, output: 5 } }),
	own('openai', 'gpt-5', { thinks: true, contextWindow: 400_000, price: { input: 1.25, output: 10 } }),
	own('openai', 'gpt-4o', { thinks: false, contextWindow: 128_000 }),
	own('local', 'a-model-with-a-name-that-is-longer-than-any-narrow-view-could-ever-show:latest'),
	{ id: 'tour/tour', name: 'Tour (scripted, no model)', provider: 'tour', source: 'scripted' },
];
const hundreds = Array.from({ length: 500 }, (_, n) => own(`vendor-${n % 9}`, `model-${n}`));

describe('webview: the list of models', function () {
	this.timeout(60_000);
	const views = useViews();
	before(() => mkdirSync(artifacts, { recursive: true }));

	const button = (page: Page) => page.locator('.model-button');
	const field = (page: Page) => page.getByRole('combobox', { name: 'Search models' });
	const options = (page: Page) => page.getByRole('option').locator('.model-words > :first-child').allInnerTexts();
	const active = (page: Page) => page.getByRole('option', { selected: true }).locator('.model-words > :first-child');

	async function open(models = few, more: { width?: number; height?: number; strings?: Record<string, string> } = {}) {
		const { strings, ...size } = more;
		const view = await views.open({
			...size,
			prepare(fake) {
				fake.addThread();
				fake.models = [...models];
				fake.strings = strings ?? {};
			},
		});
		await view.page.locator('.model-button', { hasText: models[0]?.name ?? '' }).click();
		await view.page.locator('.model-menu').waitFor();
		return view;
	}

	it('names each model with its window, its price and whether it thinks, by provider, and marks the one in use', async () => {
		const { page } = await open();
		assert.deepEqual(
			await options(page),
			few.map(({ name }) => name),
		);
		const sonnet = page.getByRole('group', { name: 'anthropic' }).getByRole('option').first();
		assert.match(await sonnet.innerText(), /200k tokens · \$3 in, \$15 out per million · thinks\s+In use/);
		assert.equal(await page.getByText('In use').count(), 1);
		assert.equal(await page.getByRole('option', { name: 'gpt-4o' }).locator('.model-facts').innerText(), '128k tokens');
	});

	it('finds by provider, name and several words, says how many, and what is not there', async () => {
		const { page } = await open();
		assert.ok(await field(page).evaluate((element) => document.activeElement === element));
		await page.keyboard.type('ANTHROPIC haiku');
		assert.deepEqual(await options(page), ['claude-haiku-4-5']);
		await page.locator('.model-menu').getByRole('status').getByText('1 model', { exact: true }).waitFor();
		await page.keyboard.type(' none');
		await page.getByText('No model is called that.').waitFor();
		assert.equal(await field(page).getAttribute('aria-expanded'), 'false');
		await page.keyboard.press('Enter');
		assert.equal(await page.locator('.model-menu').count(), 1);
	});

	it('is driven by keys alone: opened, moved in, chosen from, and left with the focus where it was', async () => {
		const { page, extension } = await open();
		await page.keyboard.press('Escape');
		assert.equal(await page.locator('.model-menu').count(), 0);
		assert.ok(await button(page).evaluate((element) => document.activeElement === element));
		await page.keyboard.press('ArrowDown');
		await field(page).waitFor();
		assert.equal(await active(page).innerText(), 'claude-sonnet-4-5');
		await page.keyboard.press('ArrowUp');
		assert.equal(await active(page).innerText(), 'Tour (scripted, no model)');
		await page.keyboard.press('ArrowDown');
		await page.keyboard.press('ArrowDown');
		assert.equal(await active(page).innerText(), 'claude-haiku-4-5');
		await page.keyboard.press('PageDown');
		assert.equal(await active(page).innerText(), 'Tour (scripted, no model)');
		await page.keyboard.type('gpt');
		assert.equal(await active(page).innerText(), 'gpt-5');
		const id = await page.locator('.model-option[aria-selected=true]').getAttribute('id');
		assert.equal(await field(page).getAttribute('aria-activedescendant'), id);
		const from = extension.calls.length;
		await page.keyboard.press('Enter');
		await page.getByRole('button', { name: 'Model: gpt-5' }).waitFor();
		assert.equal(await page.locator('.model-menu').count(), 0);
		assert.ok(await button(page).evaluate((element) => document.activeElement === element));
		const created = extension.called('thread/create', from);
		await page.locator('.composer-field').fill('hello');
		await page.locator('.composer-field').press('Enter');
		assert.equal(((await created).params as { modelId: string }).modelId, 'openai/gpt-5');
	});

	it('keeps its place where the list becomes another one while it is open, and says that it loads before there is one', async () => {
		const listed = Promise.withResolvers<void>();
		const { page, extension } = await views.open({
			prepare(fake) {
				fake.addThread();
				fake.models = [...few];
				fake.beforeModels = listed.promise;
			},
		});
		await page.locator('.model-button').click();
		await page.getByText('Loading the models…').waitFor();
		listed.resolve();
		await page.getByRole('option', { name: 'gpt-5' }).waitFor();
		await page.keyboard.press('ArrowDown');
		assert.equal(await active(page).innerText(), 'claude-haiku-4-5');
		extension.setModels(few.slice(1));
		await page.getByRole('option', { name: 'claude-sonnet' }).waitFor({ state: 'detached' });
		assert.equal(await active(page).innerText(), 'claude-haiku-4-5');
		extension.setModels(few.slice(2));
		await page.getByRole('option', { name: 'claude-haiku' }).waitFor({ state: 'detached' });
		assert.equal(await active(page).innerText(), 'gpt-5');
	});

	it('opens for the command of the chat, and closes where the focus goes elsewhere', async () => {
		const { page } = await open();
		await page.locator('.composer-field').click();
		await page.locator('.model-menu').waitFor({ state: 'detached' });
		await page.locator('.composer-field').fill('/model');
		await page.getByRole('option').first().waitFor();
		await page.keyboard.press('Enter');
		await field(page).waitFor();
	});

	it('leads to connecting another model', async () => {
		const { page, extension } = await open();
		const command = extension.called('view/command');
		await page.getByRole('button', { name: 'Connect a model…' }).click();
		assert.deepEqual((await command).params, { command: 'connectModel' });
	});

	it('names a provider that is passed over, and has it asked again without choosing another model', async () => {
		const { page, extension } = await views.open({
			prepare(fake) {
				fake.addThread();
				fake.resting = [{ provider: 'p1', seconds: 42 }];
			},
		});
		await page.getByTitle('p1 failed often. Other models are asked first.').click();
		const asked = extension.called('model/askAgain');
		await page.getByRole('button', { name: 'Ask p1 first again' }).click();
		assert.deepEqual((await asked).params, { provider: 'p1' });
		await page.getByRole('button', { name: 'Model: Tour', exact: true }).waitFor();
		assert.equal(extension.calls.filter(({ method }) => method === 'thread/set').length, 0);
	});

	it('shows what is typed among 500 models before the next key', async () => {
		const { page } = await open(hundreds);
		const seen = await page.evaluate(async () => {
			const input = document.querySelector<HTMLInputElement>('.model-menu input');
			if (input === null) throw new Error('there is no field');
			const drawn = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
			const shown = () => document.querySelector('.model-menu')?.textContent ?? '';
			const both: [next: string, settled: string][] = [];
			for (const value of ['m', 'mo', 'model-4', 'model-49', '', 'vendor-3']) {
				await drawn();
				input.value = value;
				input.dispatchEvent(new InputEvent('input', { bubbles: true }));
				await drawn();
				const next = shown();
				await drawn();
				await drawn();
				both.push([next, shown()]);
			}
			return both;
		});
		for (const [next, settled] of seen) assert.equal(next, settled);
		// `m`, `mo` and nothing leave all of them.
		assert.equal(new Set(seen.map(([next]) => next)).size, 4);
		assert.equal((await options(page)).length, 56);
	});

	it('has no violations in any theme, open, with nothing found, and with hundreds', async () => {
		const { page, close } = await open();
		assert.deepEqual(await violations(page), []);
		await page.keyboard.type('none');
		await page.getByText('No model is called that.').waitFor();
		assert.deepEqual(await violations(page), []);
		await close();
		const many = await open(hundreds);
		assert.deepEqual(await violations(many.page), []);
	});

	for (const [what, size] of Object.entries({
		'255 px': { width: 255, height: 700 },
		'900 px': { width: 900, height: 700 },
		// Size of a side bar of 420 px at this zoom.
		'200 percent': { width: 210, height: 350 },
		'a low panel': { width: 600, height: 200 },
	})) {
		it(`is whole and can be reached at ${what}, in English and German`, async () => {
			for (const [language, strings] of [['en', {}] as const, ['de', translations] as const]) {
				const { page, close } = await open(few, { ...size, strings });
				const menu = page.locator('.model-menu');
				for (const part of [menu, menu.locator('> input'), menu.locator('[role=option]').first()]) {
					const box = await part.boundingBox();
					assert.ok(box !== null && box.height > 10, `${language}: ${box?.height}`);
					assert.ok(box.x >= 0 && box.x + box.width <= size.width && box.y >= 0, `${language}: ${JSON.stringify(box)}`);
				}
				assert.ok(await menu.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth));
				for (const theme of THEME_NAMES) {
					await showTheme(page, theme);
					await page.screenshot({ path: join(artifacts, `models-${what.replace(' ', '-')}-${language}-${theme}.png`) });
				}
				await close();
			}
		});
	}
});
