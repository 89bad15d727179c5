/**
 * Checks the questions that wait for the user, in the real editor: a long list of calls, and a dangerous command. On
 * the right, on the left and in the panel, however wide, in each theme and at 200 % zoom, only the question scrolls,
 * and its answers stay in sight.
 */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../../support/wait-for.ts';
import { inOrder } from '../../support/shuffled-specs.ts';
import { violationsIn } from '../harness/axe.ts';
import type { Chat } from '../harness/chat.ts';
import { moveChatToPanel } from '../harness/move-chat.ts';
import { openScriptedChat, type ScriptedChat } from '../harness/scripted-chat.ts';
import type { Workbench } from '../harness/workbench.ts';

const count = 14;
const paths = Array.from({ length: count }, (_, index) => `made/file-${index + 1}.txt`);
const toolCalls = paths.map((path) => ({
	name: 'fs_write',
	input: { path, content: `${path}\nwith a second line\nand a third one\n` },
}));

const dangerous = ['rm', '-rf', 'src', 'test'];

/** Size of the window in CSS pixels: half of it is 200 % zoom. */
const whole = { width: 1_280, height: 800 };
const half = { width: 640, height: 400 };

const themes = [
	['dark', 'Default Dark Modern'],
	['high-contrast', 'Default High Contrast'],
	['high-contrast-light', 'Default High Contrast Light'],
	['light', 'Default Light Modern'],
] as const;

describe('What waits for an answer', function () {
	inOrder(this);
	let scripted: ScriptedChat;
	let workbench: Workbench;
	let chat: Chat;
	before(async () => {
		scripted = await openScriptedChat();
		({ workbench, chat } = scripted);
		await chat.focus();
	});
	after(() => scripted?.close());

	const listDock = () => chat.view.getByRole('group', { name: 'Approvals' });
	const listAnswers = () => ['Allow all shown', 'Deny all'].map((name) => listDock().getByRole('button', { name }));
	const oneAnswers = () =>
		[/^(?:1 ?)?Allow once…$/, /^(?:4 ?)?Deny$/].map((name) => chat.dock.getByRole('button', { name }));

	async function askList(): Promise<void> {
		await scripted.begin('Write them all', [{ toolCalls }, { text: 'Then not.' }]);
		await chat.view.getByRole('heading', { name: `${count} actions wait for your answer` }).waitFor();
		await settled();
	}

	async function askDangerous(): Promise<void> {
		const toolCall = { name: 'shell_run', input: { argv: dangerous } };
		await scripted.begin('Clean up', [{ toolCalls: [toolCall] }, { text: 'Then not.' }]);
		await chat.asked(`Run ${dangerous.join(' ')}`);
	}

	const settled = () => chat.view.locator('.dock[data-settled=true]').waitFor();

	/** Returns true when each answer can be seen and pressed where it lies, without scrolling. */
	async function areInSight(answers: readonly Locator[]): Promise<boolean> {
		const each = answers.map((answer) =>
			answer.evaluate((button) => {
				const { left, top, right, bottom } = button.getBoundingClientRect();
				const corners = [
					[left + 1, (top + bottom) / 2],
					[right - 1, (top + bottom) / 2],
				] as const;
				return corners.every(([x, y]) => button.contains(document.elementFromPoint(x, y)));
			}),
		);
		return (await Promise.all(each)).every(Boolean);
	}

	const scrollsSideways = () =>
		chat.view.locator('body').evaluate(() => document.documentElement.scrollWidth > innerWidth);

	/** `least`: of the list, in pixels, so that the answers do not push it out of sight. */
	async function onlyTheListScrolls(least = 120): Promise<void> {
		await settled();
		await waitFor('both answers in sight', () => areInSight(listAnswers()));
		const first = listDock().locator('.act').first();
		const last = listDock().locator('.act').last();
		for (const act of [last, first]) {
			const deny = act.getByRole('button', { name: /^Deny: / });
			await deny.scrollIntoViewIfNeeded();
			await waitFor('the answers in sight beside that of one call', () => areInSight(listAnswers()));
			const box = await deny.boundingBox();
			const view = workbench.page.viewportSize();
			assert.ok(box !== null && view !== null && box.y >= 0 && box.y + box.height <= view.height, JSON.stringify(box));
		}
		const list = listDock().locator('.dock-scroll');
		await list.evaluate((element) => element.scrollTo(0, 0));
		const { clientHeight, scrollHeight } = await list.evaluate((element) => ({
			clientHeight: element.clientHeight,
			scrollHeight: element.scrollHeight,
		}));
		assert.ok(scrollHeight > clientHeight && clientHeight >= least, `${clientHeight} px of the list are in sight`);
		assert.equal(await scrollsSideways(), false);
	}

	/** The beginning of the command and both answers, without scrolling. */
	async function isInSight(): Promise<void> {
		await settled();
		await waitFor('both answers in sight', () => areInSight(oneAnswers()));
		const sign = chat.dock.locator('.command-line code');
		await waitFor('the command in sight', () =>
			sign.evaluate((code) => {
				const { left, top } = code.getBoundingClientRect();
				return code.contains(document.elementFromPoint(left + 4, top + 8));
			}),
		);
		assert.equal(await scrollsSideways(), false);
	}

	async function wear(kind: string): Promise<void> {
		const name = themes.find(([each]) => each === kind)?.[1];
		mkdirSync(join(workbench.workspace, '.vscode'), { recursive: true });
		const settings = { 'workbench.colorTheme': name };
		writeFileSync(join(workbench.workspace, '.vscode/settings.json'), JSON.stringify(settings));
		await chat.view.locator(`body[data-vscode-theme-kind="vscode-${kind}"]`).waitFor();
	}

	/** The editor gives a view the colours of a theme one after the other, so a look in between finds what nobody sees. */
	async function fitsForAll(theme: string): Promise<void> {
		let found: readonly string[] = [];
		const isWithout = async () => (found = await violationsIn(chat, workbench)).length === 0;
		await waitFor(`the colours of the theme ${theme}`, isWithout, 10_000).catch((error: unknown) => {
			assert.deepEqual(found, [], theme);
			throw error;
		});
	}

	/** Drags the edge of the bar with the chat until the chat is about so wide. A busy editor may miss where a drag began. */
	async function widen(to: number): Promise<void> {
		const width = () => chat.view.locator('body').evaluate(() => innerWidth);
		for (let attempt = 1; ; attempt += 1) {
			await drag(to);
			try {
				await waitFor(`about ${to} px`, async () => Math.abs((await width()) - to) < 40, 10_000);
				return;
			} catch (error) {
				if (attempt === 3) throw error;
			}
		}
	}

	async function drag(to: number): Promise<void> {
		const bar = await workbench.page.locator('.part.auxiliarybar').boundingBox();
		assert.ok(bar !== null);
		const y = bar.y + bar.height / 2;
		const isRight = bar.x > 200;
		const edge = isRight ? bar.x - 2 : bar.x + bar.width + 2;
		const grown = to - bar.width;
		await workbench.page.mouse.move(edge, y);
		await workbench.page.mouse.down();
		await workbench.page.mouse.move(isRight ? edge - grown : edge + grown, y, { steps: 6 });
		await workbench.page.mouse.up();
	}

	async function zoomed(check: () => Promise<void>, picture: string): Promise<void> {
		await workbench.page.setViewportSize(half);
		await check();
		await workbench.screenshot(picture);
		await workbench.page.setViewportSize(whole);
	}

	async function deny(): Promise<void> {
		await settled();
		await chat.input.focus();
		await chat.input.press('Escape');
		await chat.rested();
	}

	it('says a dangerous command to a screen reader: what it is, why, and which answers there are', async () => {
		await askDangerous();
		const said = await chat.dock.ariaSnapshot();
		const parts = [
			'group "Approval"',
			'heading "Run this command?"',
			'Dangerous',
			'rm',
			'Deletes a folder and everything in it',
			'Deletes without asking',
			'button "Why am I asked?"',
			'button "Allow once…"',
			'button "Deny"',
		];
		const places = parts.map((part) => said.indexOf(part));
		assert.ok(!places.includes(-1), said);
		assert.deepEqual(
			places,
			places.toSorted((one, other) => one - other),
			said,
		);
		await deny();
	});

	it('shows a dangerous command with its answers in each theme, at about 255 px and at 200 % zoom', async () => {
		await askDangerous();
		for (const [kind] of themes) {
			await wear(kind);
			await isInSight();
			await workbench.screenshot(`danger-right-${kind}`);
			await fitsForAll(kind);
		}
		await widen(255);
		await isInSight();
		await workbench.screenshot('danger-255');
		await zoomed(isInSight, 'danger-right-zoomed');
		await deny();
	});

	it('shows a long list with its answers in each theme, at about 255, 400 and 900 px, and at 200 % zoom', async () => {
		await askList();
		for (const [kind] of themes) {
			await wear(kind);
			await onlyTheListScrolls();
			await workbench.screenshot(`list-right-${kind}`);
		}
		// The last theme has the least contrast of all.
		await fitsForAll('last');
		await zoomed(() => onlyTheListScrolls(60), 'list-right-zoomed');
		await workbench.page.setViewportSize({ width: 1_500, height: 800 });
		for (const width of [400, 900]) {
			await widen(width);
			await onlyTheListScrolls();
			await workbench.screenshot(`list-${width}`);
		}
		await widen(300);
		await workbench.page.setViewportSize(whole);
	});

	it('shows the list on the left, and there at 200 % zoom', async () => {
		await workbench.runCommand('View: Toggle Primary Side Bar Position');
		await waitFor('the chat on the left', async () => {
			const bar = await workbench.page.locator('.part.auxiliarybar').boundingBox();
			return bar !== null && bar.x < 200;
		});
		await onlyTheListScrolls();
		await workbench.screenshot('list-left');
		await zoomed(() => onlyTheListScrolls(60), 'list-left-zoomed');
	});

	it('shows the list in the panel, and there at 200 % zoom', async () => {
		await moveChatToPanel(workbench);
		await chat.focus();
		await onlyTheListScrolls(60);
		await workbench.screenshot('list-panel');
		await zoomed(() => onlyTheListScrolls(24), 'list-panel-zoomed');
		await deny();
		assert.equal(existsSync(join(workbench.workspace, 'made')), false);
	});

	it('shows a dangerous command in the panel, and there at 200 % zoom', async () => {
		await askDangerous();
		await isInSight();
		await workbench.screenshot('danger-panel');
		await zoomed(isInSight, 'danger-panel-zoomed');
		await deny();
		assert.ok(existsSync(join(workbench.workspace, 'src')));
	});
});
