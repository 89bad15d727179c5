/**
 * A long list of calls that wait for the user, in the real editor: on the right and on the left, however wide, in each theme and at
 * 200 % zoom, only the list scrolls, and the answers to all of it stay in sight.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../../support/wait-for.ts';
import { inOrder } from '../../support/shuffled-specs.ts';
import type { Chat } from '../harness/chat.ts';
import { openScriptedChat, type ScriptedChat } from '../harness/scripted-chat.ts';
import type { Workbench } from '../harness/workbench.ts';

const count = 14;
const paths = Array.from({ length: count }, (_, index) => `made/file-${index + 1}.txt`);
const toolCalls = paths.map((path) => ({
	name: 'fs_write',
	input: { path, content: `${path}\nwith a second line\nand a third one\n` },
}));

/** Size of the window in CSS pixels: half of it is 200 % zoom. */
const whole = { width: 1_280, height: 800 };
const zoomed = { width: 640, height: 400 };

const themes = {
	dark: 'Default Dark Modern',
	'high-contrast': 'Default High Contrast',
	'high-contrast-light': 'Default High Contrast Light',
	light: 'Default Light Modern',
} as const;

describe('A long list of approvals', function () {
	inOrder(this);
	let scripted: ScriptedChat;
	let workbench: Workbench;
	let chat: Chat;
	before(async () => {
		scripted = await openScriptedChat();
		({ workbench, chat } = scripted);
		await chat.focus();
		await scripted.begin('Write them all', [{ toolCalls }, { text: 'Then not.' }]);
		await shown();
	});
	after(() => scripted?.close());

	const dock = () => chat.view.getByRole('group', { name: 'Approvals' });
	const answers = () => ['Allow all shown', 'Deny all'].map((name) => dock().getByRole('button', { name }));
	async function shown(): Promise<void> {
		await chat.view.getByRole('heading', { name: `${count} actions wait for your answer` }).waitFor();
		await chat.view.locator('.dock[data-settled=true]').waitFor();
	}

	/** Whether each of them can be seen and pressed as it lies, nothing being scrolled for it. */
	const isEachInSight = async () =>
		(
			await Promise.all(
				answers().map((answer) =>
					answer.evaluate((button) => {
						const { left, top, right, bottom } = button.getBoundingClientRect();
						const corners = [
							[left + 1, (top + bottom) / 2],
							[right - 1, (top + bottom) / 2],
						] as const;
						return corners.every(([x, y]) => button.contains(document.elementFromPoint(x, y)));
					}),
				),
			)
		).every(Boolean);

	async function onlyTheListScrolls(): Promise<void> {
		await shown();
		await waitFor('both answers in sight', isEachInSight, 10_000);
		const first = dock().locator('.act').first();
		const last = dock().locator('.act').last();
		for (const act of [last, first]) {
			const deny = act.getByRole('button', { name: /^Deny: / });
			await deny.scrollIntoViewIfNeeded();
			await waitFor('the answers in sight beside that of one call', isEachInSight, 10_000);
			const box = await deny.boundingBox();
			const view = workbench.page.viewportSize();
			assert.ok(box !== null && view !== null && box.y >= 0 && box.y + box.height <= view.height, JSON.stringify(box));
		}
		const scrolls = await dock().evaluate((element) => {
			const list = element.querySelector('.dock-scroll');
			return {
				list: list !== null && list.scrollHeight > list.clientHeight,
				page: document.documentElement.scrollWidth > window.innerWidth,
			};
		});
		assert.deepEqual(scrolls, { list: true, page: false });
	}

	async function widths(): Promise<number> {
		return await dock().evaluate(() => window.innerWidth);
	}

	/** Drags the edge of the bar with the chat until the chat is about so wide. */
	async function widen(to: number): Promise<void> {
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

	for (const [kind, name] of Object.entries(themes)) {
		it(`keeps its answers in sight beside the editor: ${name}`, async () => {
			mkdirSync(join(workbench.workspace, '.vscode'), { recursive: true });
			const settings = { 'workbench.colorTheme': name };
			writeFileSync(join(workbench.workspace, '.vscode/settings.json'), JSON.stringify(settings));
			await chat.view.locator(`body[data-vscode-theme-kind="vscode-${kind}"]`).waitFor();
			await onlyTheListScrolls();
			await workbench.screenshot(`list-right-${kind}`);
		});
	}

	it('keeps its answers in sight at about 400 and 900 px', async () => {
		await workbench.page.setViewportSize({ width: 1_500, height: 800 });
		for (const width of [400, 900]) {
			await widen(width);
			await waitFor(`about ${width} px`, async () => Math.abs((await widths()) - width) < 40, 10_000);
			await onlyTheListScrolls();
			await workbench.screenshot(`list-${width}`);
		}
		await widen(300);
		await workbench.page.setViewportSize(whole);
	});

	it('keeps its answers in sight on the left, and there at 200 % zoom', async () => {
		await workbench.runCommand('View: Toggle Primary Side Bar Position');
		await waitFor('the chat on the left', async () => {
			const bar = await workbench.page.locator('.part.auxiliarybar').boundingBox();
			return bar !== null && bar.x < 200;
		});
		await onlyTheListScrolls();
		await workbench.screenshot('list-left');
		await workbench.page.setViewportSize(zoomed);
		await onlyTheListScrolls();
		await workbench.screenshot('list-left-zoomed');
		await workbench.page.setViewportSize(whole);
	});

	it('is denied there with one press, and nothing was written', async () => {
		await shown();
		await dock().getByRole('button', { name: 'Deny all' }).click();
		await chat.rested();
		assert.equal(existsSync(join(workbench.workspace, 'made')), false);
	});
});
