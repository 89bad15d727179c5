/** Checks context that is added to a message by name or from a dialog, and the permitted work on it. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newId } from '../../src/protocol/rpc/ids.ts';
import type { FakeExtension } from './support/fake-extension.ts';
import { useViews } from './support/suite.ts';
import { THEME_NAMES } from './support/themes.ts';
import { showTheme, violations } from './support/violations.ts';
import { withThread } from './support/with-thread.ts';

const artifacts = fileURLToPath(new URL('../../artifacts', import.meta.url));

describe('webview: what is added to a message', function () {
	this.timeout(60_000);
	const views = useViews();
	before(() => mkdirSync(artifacts, { recursive: true }));

	async function openWithFiles(...names: readonly string[]) {
		const view = await views.open({
			prepare(fake) {
				withThread.prepare(fake);
				fake.suggestions = names.map((name) => ({
					ref: { kind: 'file', path: `src/${name}` },
					label: name,
					detail: 'src',
				}));
			},
		});
		await view.page.getByRole('log').getByText('The first answer').waitFor();
		return view;
	}
	/** Keeps suggestions back from now on, until what it returns is called. */
	const hold = (extension: FakeExtension): (() => void) => {
		const { promise, resolve } = Promise.withResolvers<void>();
		extension.untilSuggested = promise;
		return resolve;
	};

	it('is not suggested any more for a message that was sent before the suggestions came', async () => {
		const { page, extension } = await openWithFiles('sum.ts');
		const suggest = hold(extension);
		const field = page.locator('.composer-field');
		const asked = extension.called('view/complete');
		await field.fill('Look at @sum');
		await asked;
		const sent = extension.called('thread/prompt');
		await field.press('Enter');
		await sent;
		suggest();
		await new Promise(setImmediate);
		// Frames keep their order: once this later one has arrived, the suggestions have, too.
		extension.setLevel({ level: 'edit', widest: 'full', why: null });
		await page.locator('.picker.level[data-chosen="edit"]').waitFor();
		assert.equal(await page.getByRole('option').count(), 0);
	});

	it('may be another thread or a capability, and a list that is cut says so', async () => {
		const threadId = newId('thr');
		const { page, extension } = await views.open({
			width: 255,
			prepare(fake) {
				withThread.prepare(fake);
				fake.suggestions = [
					{
						ref: { kind: 'thread', threadId, title: 'Fix the sum' },
						label: 'Fix the sum',
						detail: 'thread of 1/2/2026',
					},
					{
						ref: { kind: 'capability', type: 'skill', name: 'todo-report' },
						label: 'skill todo-report',
						detail: 'built in',
					},
					...Array.from({ length: 60 }, (_, n) => ({
						ref: { kind: 'file' as const, path: `src/sum-${n}.ts` },
						label: `sum-${n}.ts`,
						detail: 'src',
					})),
				];
			},
		});
		const field = page.locator('.composer-field');
		await field.pressSequentially('See @');
		const hint = page.getByText('Also: commit, thread, capability, # for a symbol, https:// for a web page');
		await hint.waitFor();
		await field.pressSequentially('s');
		await hint.waitFor({ state: 'detached' });
		const more = page.getByText('More fit. Type on to find them.');
		await more.waitFor();
		assert.equal(await page.getByRole('option').count(), 50);
		assert.deepEqual(await violations(page), []);
		for (const theme of THEME_NAMES) {
			await showTheme(page, theme);
			await page.screenshot({ path: join(artifacts, `added-255-${theme}.png`) });
		}
		await field.pressSequentially('kill');
		await more.waitFor({ state: 'detached' });
		await page.keyboard.press('Enter');
		await field.pressSequentially('@the s');
		await page.getByRole('option', { name: /Fix the sum/ }).waitFor({ state: 'detached' });
		await field.fill(`${await field.inputValue()} @Fix`);
		await page.getByRole('option', { name: /Fix the sum/ }).click();
		await page.locator('.composer .chip').getByText('Fix the sum').waitFor();
		const sent = extension.called('thread/prompt');
		await page.keyboard.press('Enter');
		assert.deepEqual(((await sent).params as { context: unknown }).context, [
			{ kind: 'capability', type: 'skill', name: 'todo-report' },
			{ kind: 'thread', threadId, title: 'Fix the sum' },
		]);
	});

	it('is kept, and sent, however fast is typed on after it was chosen', async () => {
		const { page, extension } = await openWithFiles('sum.ts');
		const field = page.locator('.composer-field');
		await field.pressSequentially('Look at @sum');
		await page.getByRole('option', { name: /sum\.ts/ }).waitFor();
		const sent = extension.called('thread/prompt');
		// Before anything of it can be drawn.
		await field.evaluate((element: HTMLTextAreaElement) => {
			const enter = { key: 'Enter', bubbles: true, cancelable: true };
			element.dispatchEvent(new KeyboardEvent('keydown', enter));
			element.setRangeText('and mend it', element.selectionStart, element.selectionEnd, 'end');
			element.dispatchEvent(new InputEvent('input', { bubbles: true }));
		});
		await field.press('Enter');
		const { text, context } = (await sent).params as { text: string; context: unknown };
		assert.deepEqual([text, context], ['Look at @src/sum.ts and mend it', [{ kind: 'file', path: 'src/sum.ts' }]]);
	});

	/** A list after `@sum`; the next one waits for `suggest`. */
	async function listed() {
		const { page, extension } = await openWithFiles('sum.ts', 'summary.ts');
		const field = page.locator('.composer-field');
		await field.pressSequentially('@sum');
		await page.getByRole('option', { name: /^sum\.ts/ }).waitFor();
		return { page, field, suggest: hold(extension) };
	}

	for (const key of ['Tab', 'Enter']) {
		it(`is what fits all that is typed, by ${key}, while what fitted less of it is shown`, async () => {
			const { page, field, suggest } = await listed();
			await field.pressSequentially('ma');
			await field.press(key);
			assert.equal(await field.inputValue(), '@summa');
			suggest();
			await page.locator('.composer .chip').getByText('summary.ts').waitFor();
			assert.equal(await field.inputValue(), '@src/summary.ts ');
		});
	}

	it('is what the user has moved to, although it fits less than all that is typed', async () => {
		const { page, field, suggest } = await listed();
		await field.pressSequentially('m');
		await field.press('ArrowDown');
		await field.press('Tab');
		await page.locator('.composer .chip').getByText('summary.ts').waitFor();
		suggest();
	});

	it('is nothing where nothing fits what is typed: then Enter sends, and Tab does nothing', async () => {
		const { page, extension } = await openWithFiles('sum.ts');
		const field = page.locator('.composer-field');
		for (const key of ['Tab', 'Enter']) {
			await field.fill('');
			await field.pressSequentially('@su');
			await page.getByRole('option').first().waitFor();
			const suggest = hold(extension);
			await field.pressSequentially('x');
			await field.press(key);
			const sent = key === 'Enter' ? extension.called('thread/prompt') : undefined;
			suggest();
			await page.getByRole('option').first().waitFor({ state: 'detached' });
			assert.equal(((await sent)?.params as { text?: string } | undefined)?.text, sent && '@sux');
			if (sent === undefined) assert.equal(await field.inputValue(), '@sux');
		}
	});

	it('may be files dropped from a tree of the editor: each has a chip, what is typed stays, and so does the page', async () => {
		const { page, extension } = await views.open(withThread);
		const field = page.locator('.composer-field');
		await field.fill('Look');
		const drag = (type: 'dragover' | 'dragleave' | 'drop', uris = '') =>
			field.evaluate(
				(element, [kind, list]) => {
					const data = new DataTransfer();
					data.setData('application/vnd.code.uri-list', list);
					const event = new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: data });
					element.dispatchEvent(event);
					return event.defaultPrevented;
				},
				[type, uris] as const,
			);
		const hint = page.getByText('Drop to attach. Hold Shift for files of the editor.');
		assert.equal(await drag('dragover'), true);
		await hint.waitFor();
		await drag('dragleave');
		await hint.waitFor({ state: 'detached' });
		await drag('dragover');
		const resolved = extension.called('view/resolveDrop');
		const dropped = '# from the editor\r\nfile:///w/src/cart.ts\r\nfile:///w/notes.md\r\n';
		assert.equal(await drag('drop', dropped), true, 'a browser would leave the page for the file');
		assert.deepEqual((await resolved).params, { uris: ['file:///w/src/cart.ts', 'file:///w/notes.md'] });
		await hint.waitFor({ state: 'detached' });
		const chips = page.locator('.composer .chip:has(.chip-remove)');
		await chips.getByText('cart.ts').waitFor();
		await chips.getByText('notes.md').waitFor();
		assert.equal(await field.inputValue(), 'Look');
		assert.equal(await field.evaluate((element) => element === document.activeElement), true);
		const sent = extension.called('thread/prompt');
		await field.press('Enter');
		const { context } = (await sent).params as { context: unknown };
		assert.deepEqual(context, [
			{ kind: 'file', path: 'cart.ts' },
			{ kind: 'file', path: 'notes.md' },
		]);
	});

	it('is picked in the dialog of the editor, beside what was typed meanwhile', async () => {
		const { page, extension } = await views.open(withThread);
		extension.picked = [{ kind: 'file', path: 'src/cart.ts' }];
		const field = page.locator('.composer-field');
		await field.fill('Look');
		await page.getByRole('button', { name: 'Attach files or pictures' }).click();
		await page.locator('.composer .chip').getByText('cart.ts').waitFor();
		assert.equal(await field.inputValue(), 'Look');
		assert.equal(await field.evaluate((element) => element === document.activeElement), true);
	});

	for (const width of [255, 420]) {
		it(`may be worked on as the menu of modes says, at ${width} px`, async () => {
			const { page, extension } = await views.open({ width, ...withThread });
			const button = page.getByRole('button', { name: 'Mode: Agent' });
			await button.press('ArrowUp');
			const menu = page.getByRole('menu', { name: 'Mode' });
			await menu.getByRole('menuitemradio', { name: 'Ask' }).getByText('Reads and answers only').waitFor();
			assert.deepEqual(await violations(page), []);
			for (const theme of THEME_NAMES) {
				await showTheme(page, theme);
				await page.screenshot({ path: join(artifacts, `modes-${width}-${theme}.png`) });
			}
			const updated = extension.called('thread/set');
			await page.keyboard.press('ArrowDown');
			await page.keyboard.press('Enter');
			assert.equal(((await updated).params as { mode: string }).mode, 'ask');
			const asked = page.getByRole('button', { name: 'Mode: Ask' });
			await asked.waitFor();
			const command = extension.called('view/command');
			await asked.click();
			await page.keyboard.press('End');
			await menu
				.getByRole('menuitemradio', { name: /^Custom agent/, checked: false })
				.and(page.locator(':focus'))
				.waitFor();
			await page.keyboard.press('Enter');
			assert.deepEqual((await command).params, { command: 'showAgents' });
			await asked.waitFor();
		});
	}
});
