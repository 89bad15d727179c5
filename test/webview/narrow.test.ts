/**
 * Checks that the chat stays readable when it is narrow. Each width is drawn light and dark, for a person to look at:
 * artifacts/narrow-*.png.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator } from 'playwright-core';
import { PERMISSION_LEVELS } from '../../src/protocol/ops/permission-level.ts';
import { newId } from '../../src/protocol/rpc/ids.ts';
import { text } from '../../src/protocol/text/text.ts';
import { approval } from './support/fake-extension.ts';
import { AT, type FakeThread } from './support/fake-thread.ts';
import { showcase } from './support/showcase.ts';
import { useViews } from './support/suite.ts';
import { only, withThread } from './support/with-thread.ts';
import { showTheme } from './support/violations.ts';

const artifacts = fileURLToPath(new URL('../../artifacts', import.meta.url));
const germanFile = new URL('../../l10n/bundle.l10n.de.json', import.meta.url);
const german = JSON.parse(readFileSync(germanFile, 'utf8')) as Record<string, string>;

/** Width and height of a side bar and of a panel at 200 % zoom, in pixels. */
const SMALL = [
	[255, 290],
	[400, 190],
] as const;

describe('webview: a narrow chat', function () {
	this.timeout(60_000);
	const views = useViews();
	before(() => mkdirSync(artifacts, { recursive: true }));

	/** A turn runs, files are changed, and the next message is typed: nothing needs more room. */
	async function openBusy(width: number) {
		let thread: FakeThread | undefined;
		const view = await views.open({
			width,
			prepare(fake) {
				thread = showcase(fake, false);
			},
		});
		await view.page.locator('.strip.changes').waitFor();
		thread?.begin('go on');
		await view.page.getByRole('button', { name: 'Stop' }).waitFor();
		await view.page.locator('.composer-field').fill('the next message');
		return view;
	}

	it('names what waits for an answer in full at 255 px, and says to a screen reader that it waits', async () => {
		const { page } = await views.open({ width: 255, prepare: showcase });
		const card = page.locator('.item.tool.waiting');
		const title = card.getByText('Run npm test', { exact: true });
		await title.waitFor();
		assert.equal(await title.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth), false);
		assert.match(await card.ariaSnapshot(), /Run npm test Needs your approval/);
	});

	it('names a command that has run in full at 290 px; its time is for those who point at it', async () => {
		const { page, extension } = await views.open({ ...withThread, width: 290 });
		const thread = only(extension);
		const turnId = thread.begin('go');
		const item = { id: newId('itm'), turnId, at: AT, kind: 'tool', opId: newId('op'), tool: 'shell_run' } as const;
		const ended = {
			status: 'done',
			output: '1 failed',
			outputTruncated: false,
			exitCode: 1,
			durationMs: 2_600,
		} as const;
		thread.emit({
			type: 'item.start',
			item: { ...item, ...ended, title: 'Run npm test', input: { argv: ['npm', 'test'] } },
		});
		const card = page.locator('.item.tool');
		await card.getByText('exit code 1').waitFor();
		const title = card.getByText('Run npm test', { exact: true });
		assert.equal(await title.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth), false);
		const time = card.getByText('2.6 s');
		await time.waitFor({ state: 'hidden' });
		await card.hover();
		await time.waitFor();
	});

	it('names a command that ran tests in full at 245 px, beside what they have shown', async () => {
		const { page, extension } = await views.open({ ...withThread, width: 245 });
		const thread = only(extension);
		const turnId = thread.begin('go');
		const item = { id: newId('itm'), turnId, at: AT, kind: 'tool', opId: newId('op'), tool: 'shell_run' } as const;
		const ended = { status: 'done', output: '', outputTruncated: false, exitCode: 1, durationMs: 60 } as const;
		const tests = { passed: 5, failed: 1 };
		thread.emit({
			type: 'item.start',
			item: { ...item, ...ended, title: 'Run npm test', input: { argv: ['npm', 'test'] }, tests },
		});
		const card = page.locator('.item.tool');
		for (const words of ['Run npm test', '1 of 6 failed']) {
			const shown = card.getByText(words, { exact: true });
			assert.equal(await shown.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth), false, words);
		}
	});

	it('leaves the answers to a question on one line each at 245 px, and in German from 300 px on', async () => {
		for (const [width, strings] of [
			[245, {}],
			[300, german],
		] as const) {
			const { page } = await openAsked(width, strings);
			const answers = page.locator('.dock-actions .button-row').getByRole('button');
			await answers.nth(2).waitFor();
			const heights = await answers.evaluateAll((buttons) => buttons.map(({ clientHeight }) => clientHeight));
			assert.ok(Math.max(...heights) < 30, `words wrap at ${width} px: ${heights.join(', ')}`);
		}
	});

	it('never parts the key of an answer from its words, at any width and in German, too', async () => {
		for (const strings of [{}, german]) {
			const { page } = await openAsked(255, strings);
			const answers = page.locator('.dock-actions .button-row button:has(kbd)');
			await answers.nth(1).waitFor();
			const parted: string[] = [];
			for (let width = 245; width <= 405; width += 10) {
				await page.setViewportSize({ width, height: 700 });
				const tops = await answers.evaluateAll((buttons) =>
					buttons.map((button) => {
						const [key, words] = [...button.children].map((child) => child.getClientRects()[0]);
						return { isParted: (words?.top ?? 0) >= (key?.bottom ?? 0), name: button.textContent };
					}),
				);
				for (const { isParted, name } of tops) if (isParted) parted.push(`${width} px: ${name}`);
			}
			assert.deepEqual(parted, []);
		}
	});

	async function openAsked(width: number, strings: Readonly<Record<string, string>>) {
		return views.open({
			width,
			prepare(fake) {
				const { id } = showcase(fake);
				fake.strings = strings;
				fake.desk = { approvals: [approval({ threadId: id })], questions: [] };
			},
		});
	}

	it('keeps the ways back to a message in sight at 200 % zoom, and scrolls what they do', async () => {
		const { page } = await views.open(withThread);
		const field = page.locator('.composer-field');
		await field.fill('/rewind');
		await field.press('Enter');
		await page.locator('.dock.go-back').getByRole('button', { name: 'hello' }).click();
		const ways = page.locator('.go-back .dock-actions').getByRole('button');
		await ways.nth(3).waitFor();
		for (const [width, height] of SMALL) {
			await page.setViewportSize({ width, height });
			assert.deepEqual(await hiddenOf(ways), [], `${width} px`);
		}
	});

	it('keeps the options of a question in sight at 200 % zoom', async () => {
		const options = ['By the number of items', 'By the total', 'Both, whichever is better for the customer'];
		const [id, opId] = [newId('ask'), newId('op')];
		const { page, extension } = await views.open(withThread);
		const question = { id, opId, threadId: only(extension).id, question: 'What shall it depend on?', options };
		extension.setDesk({ questions: [{ ...question, askedAt: AT, expiresAt: AT }] });
		await page.locator('.dock.question[data-settled=true]').waitFor();
		const answers = page.locator('.dock.question').getByRole('button');
		for (const [width, height] of SMALL) {
			await page.setViewportSize({ width, height });
			assert.deepEqual(await hiddenOf(answers), [], `${width} px`);
		}
	});

	it('names what is asked in full at 300 px and 200 % zoom, beside its risk', async () => {
		const { page } = await openAsked(300, {});
		await page.setViewportSize({ width: 300, height: 290 });
		const title = page.locator('.approval .dock-head h2');
		await title.getByText('Run this command?').waitFor();
		assert.equal(await title.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1), false);
	});

	it('says that no model is connected in full at 290 px', async () => {
		const { page } = await views.open({
			width: 290,
			prepare(fake) {
				fake.models = [];
				fake.threadId = null;
			},
		});
		const name = page.locator('.model-name');
		await name.getByText('No model').waitFor();
		assert.equal(await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth), false);
	});

	it('leaves the facts of a question more than half of its width at 255 px, however long their names are', async () => {
		const facts = [
			{ label: text('Runs unattended, again and again'), value: text('look at the files src/**') },
			{ label: text('Until'), value: { at: AT } },
		];
		const { page } = await views.open({
			width: 255,
			prepare(fake) {
				const { id } = showcase(fake);
				const detail = { kind: 'text', text: 'run the tests', facts } as const;
				fake.desk = { approvals: [approval({ op: 'schedule.add', detail, threadId: id })], questions: [] };
			},
		});
		const list = page.locator('.question-facts');
		await list.getByText('look at the files').waitFor();
		const [all, value] = [await list.boundingBox(), await list.locator('dd').first().boundingBox()];
		assert.ok((value?.width ?? 0) >= (all?.width ?? 0) / 2, `${value?.width} of ${all?.width}`);
	});

	it('never leaves *More* alone in a row, at any width and in German, too', async () => {
		for (const strings of [{}, german]) {
			const { page } = await views.open({
				prepare(fake) {
					const { id } = showcase(fake);
					const turn = { turnScope: text('file changes and commands in their sandbox'), hasTurnAsked: true };
					fake.strings = strings;
					fake.desk = { approvals: [approval({ ...turn, threadId: id })], questions: [] };
				},
			});
			const row = page.locator('.dock-actions .button-row');
			await row.getByRole('button').nth(3).waitFor();
			const alone: number[] = [];
			for (let width = 200; width <= 680; width += 40) {
				await page.setViewportSize({ width, height: 700 });
				const tops = await row
					.getByRole('button')
					.evaluateAll((buttons) => buttons.map((button) => Math.round(button.getBoundingClientRect().bottom)));
				if (new Set(tops).size > 1 && tops.at(-1) !== tops.at(-2)) alone.push(width);
			}
			assert.deepEqual(alone, []);
		}
	});

	it('keeps its lines short in a wide tab, with the input below them', async () => {
		const { page } = await openBusy(1600);
		const boxes = await Promise.all(
			['.transcript-content > .item >> nth=0', '.composer'].map(async (each) => page.locator(each).boundingBox()),
		);
		for (const box of boxes) {
			assert.ok(box !== null && box.width <= 900 && box.x > 300, JSON.stringify(box));
		}
		await page.screenshot({ path: join(artifacts, 'wide-1600.png') });
	});

	it('asks in whole before it undoes: its answers say what they do, side by side at 290 px', async () => {
		const { page } = await views.open({ width: 290, prepare: (fake) => void showcase(fake, false) });
		await page.getByRole('button', { name: 'Undo all' }).click();
		const answers = page.locator('.confirm').getByRole('button');
		await answers.nth(1).waitFor();
		assert.deepEqual(await answers.allInnerTexts(), ['Undo all', 'Cancel']);
		const [undo, cancel] = await Promise.all([0, 1].map((n) => answers.nth(n).boundingBox()));
		assert.equal(undo?.y, cancel?.y);
	});

	it('shows the whole question before it undoes at 200 % zoom, and no half of another button', async () => {
		for (const strings of [{}, german]) {
			const { page } = await views.open({
				prepare(fake) {
					showcase(fake, false);
					fake.strings = strings;
				},
			});
			const strip = page.locator('.strip.changes');
			await strip.locator('.strip-actions').getByRole('button').last().click();
			await page.locator('.confirm').waitFor();
			for (const [width, height] of [...SMALL, [300, 400]] as const) {
				await page.setViewportSize({ width, height });
				await page.screenshot({
					path: join(artifacts, `narrow-undo-${width}${strings === german ? '-german' : ''}.png`),
				});
				const shown = strip.locator(':is(.strip-title, .strip-actions button, .confirm-question):visible');
				assert.deepEqual(await hiddenOf(shown), [], `${width} px`);
			}
		}
	});

	it('tells the mode and the level by their signs at 160 px, beside buttons that cover nothing', async () => {
		const { page } = await openBusy(160);
		const parts = [
			page.locator('.composer .picker.mode .menu-button .codicon').first(),
			page.locator('.composer .picker.level .menu-button .codicon').first(),
			page.getByRole('button', { name: 'Stop' }),
			page.getByRole('button', { name: 'Queue' }),
		];
		let end = 0;
		for (const part of parts) {
			assert.ok(await isWhole(part, 160), (await part.getAttribute('class')) ?? '');
			const box = await part.boundingBox();
			assert.ok(box !== null && box.x >= end, JSON.stringify(box));
			end = box.x + box.width;
		}
		await page.screenshot({ path: join(artifacts, 'narrow-160.png') });
	});

	for (const width of [255, 400]) {
		it(`says at ${width} px what was changed, beside or above what can be done with it`, async () => {
			const { page } = await openBusy(width);
			const strip = page.locator('.strip.changes');
			const words = [strip.getByText('2 files changed'), strip.locator('.disclosure .diff-count').first()];
			const actions = ['Keep all', 'Undo all'].map((name) => strip.getByRole('button', { name }));
			for (const each of [...words, ...actions]) {
				assert.ok(await isWhole(each, width), await each.innerText());
			}
			const [keep, undo] = await Promise.all(actions.map((each) => each.boundingBox()));
			assert.equal(keep?.y, undo?.y);
		});

		it(`shows what a waiting message can do at ${width} px`, async () => {
			const { page } = await openBusy(width);
			const field = page.locator('.composer-field');
			await field.fill('A message that is much too long for one line of a narrow view, and that waits');
			await field.press('Enter');
			const row = page.locator('.queued-message');
			for (const name of ['Send now', 'Stop and send', 'Edit the queued message', 'Remove the queued message']) {
				assert.ok(await isWhole(row.getByRole('button', { name }), width), name);
			}
			assert.ok(await isWhole(row.locator('.queued-word'), width));
		});

		it(`shows the signs of mode and level and the level in full at ${width} px, and cuts only the model's name`, async () => {
			const { page, extension } = await openBusy(width);
			const [mode, footer] = [page.getByRole('button', { name: /^Mode: / }), page.locator('.composer-footer')];
			for (const level of PERMISSION_LEVELS) {
				extension.setLevel({ level, widest: 'full', why: null });
				const name = page.locator(`.composer .picker.level[data-chosen="${level}"] .menu-button .menu-name`);
				await name.waitFor();
				const shown = [
					name,
					page.locator('.composer .picker.mode .menu-button .codicon').first(),
					page.locator('.composer .picker.level .menu-button .codicon').first(),
					mode,
					page.getByRole('button', { name: 'Stop' }),
					page.getByRole('button', { name: 'Queue' }),
				];
				for (const each of shown) {
					assert.ok(await isWhole(each, width), `${level}: ${await each.innerText()}`);
				}
				assert.ok(await footer.evaluate((element) => element.scrollWidth <= element.clientWidth), level);
			}
			for (const theme of ['light', 'dark'] as const) {
				await showTheme(page, theme);
				await page.screenshot({ path: join(artifacts, `narrow-${width}-${theme}.png`) });
			}
		});
	}
});

/** Returns true when no part of the element is cut, by itself or by the edge of the view. */
async function isWhole(shown: Locator, width: number): Promise<boolean> {
	const box = await shown.boundingBox();
	const isCut = await shown.evaluate(
		(element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0,
	);
	return box !== null && !isCut && box.width > 8 && box.x >= 0 && box.x + box.width <= width;
}

/** Words of the buttons that cannot be pressed where they lie, without scrolling. */
async function hiddenOf(buttons: Locator): Promise<readonly string[]> {
	const words = await buttons.evaluateAll((all) =>
		all.map((button) => {
			const { left, right, top, bottom } = button.getBoundingClientRect();
			const ends = [left + 1, right - 1].map((x) => document.elementFromPoint(x, (top + bottom) / 2));
			return ends.every((end) => button.contains(end)) ? '' : button.textContent;
		}),
	);
	return words.filter((each) => each !== '');
}
