/**
 * Walks the stories of a first hour in the real editor, in each theme, place and width and at 200 % zoom, two by two. Each
 * look is a picture for a person (artifacts/hour-*.png); what a program can see of it is checked too: nothing scrolls
 * sideways, no word of a button is cut, the answers to a question are in sight, and a screen reader has a name for each
 * part that acts.
 */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listNameless } from '../../../support/nameless-parts.ts';
import { waitFor } from '../../../support/wait-for.ts';
import { windowSize } from '../../harness/browser.ts';
import { chatIn, type Chat } from '../../harness/chat.ts';
import { moveChatToPanel } from '../../harness/move-chat.ts';
import type { ScriptedChat } from '../../harness/scripted-chat.ts';
import { pageFrameIn } from '../../harness/workbench.ts';
import { type Story, stories } from './stories.ts';

/** In the order in which the chat is moved: it has no way back. */
const places = ['right', 'left', 'panel', 'tab'] as const;
const widths = [255, 300, 400, 900] as const;
const themes = [
	['dark', 'Default Dark Modern'],
	['light', 'Default Light Modern'],
	['high-contrast', 'Default High Contrast'],
	['high-contrast-light', 'Default High Contrast Light'],
] as const;
const names = Object.keys(stories) as readonly Story[];

/** Height of the window at 100 % and at 200 % zoom, in CSS pixels. */
const heights = { 100: windowSize.height, 200: windowSize.height / 2 } as const;
/** Room beside the chat in a side bar for the icons of the editor and a narrow file. */
const besidePx = 320;
/** Width of the icons of the editor. */
const iconsPx = 48;

interface HourLook {
	readonly story: Story;
	readonly theme: (typeof themes)[number][0];
	readonly place: (typeof places)[number];
	/** Width of the chat, in CSS pixels. */
	readonly width: (typeof widths)[number];
	readonly zoom: 100 | 200;
}

/** 28 looks: each two of theme, place, width and zoom meet in one of the first 16, and each story has two or three. */
export function listLooks(): readonly HourLook[] {
	const looks = Array.from({ length: 28 }, (_, n): HourLook => {
		const [theme, column] = [(n % 16) >> 2, n % 4];
		// Latin squares: the sum in the field of four elements, and the low bit of another one.
		const isZoomed = ((theme ^ (column === 0 ? 0 : (column % 3) + 1)) & 1) === (n < 16 ? 1 : 0);
		const place = at(places, theme ^ column);
		return {
			story: at(names, (3 * n) % names.length),
			theme: at(themes, theme)[0],
			place,
			// The editor gives neither a panel nor a tab less than 300 px.
			width: place === 'panel' || place === 'tab' ? at(widths, Math.max(column, 1)) : at(widths, column),
			zoom: isZoomed ? 200 : 100,
		};
	});
	return looks.toSorted((one, other) => places.indexOf(one.place) - places.indexOf(other.place));
}

function at<T>(list: readonly T[], index: number): T {
	const found = list[index];
	assert.ok(found !== undefined);
	return found;
}

/** Takes one look after the other, in a chat that begins on the right. `setBack`: the window is as it was, but for the place. */
export function hourIn(scripted: ScriptedChat): { take(look: HourLook): Promise<void>; setBack(): Promise<void> } {
	const { workbench, follow } = scripted;
	const { page, runCommand } = workbench;
	let { chat } = scripted;
	let place: HourLook['place'] = 'right';
	const settings = join(workbench.workspace, '.vscode/settings.json');
	/** The other side bar gives its room to the chat. */
	let isRoomMade = false;
	const toggleSideBar = async () => {
		await runCommand('View: Toggle Primary Side Bar Visibility');
		isRoomMade = !isRoomMade;
	};

	const moveTo = async (next: HourLook['place']) => {
		if (next === place) return;
		await page.setViewportSize(windowSize);
		if (next === 'left') {
			await runCommand('View: Toggle Primary Side Bar Position');
			await waitFor('the chat on the left', async () => {
				const bar = await page.locator('.part.auxiliarybar').boundingBox();
				return bar !== null && bar.x < 200;
			});
		} else if (next === 'panel') {
			await moveChatToPanel(workbench);
			await chat.focus();
		} else {
			await runCommand('Prowess: New Thread in Editor');
			await runCommand('View: Hide Panel');
			chat = chatIn({ ...workbench, webview: () => pageFrameIn(page) });
			await chat.view.locator('.empty-state').waitFor();
		}
		place = next;
	};

	const wear = async (theme: HourLook['theme']) => {
		mkdirSync(join(workbench.workspace, '.vscode'), { recursive: true });
		const name = themes.find(([kind]) => kind === theme)?.[1];
		writeFileSync(settings, JSON.stringify({ 'workbench.colorTheme': name }));
		await chat.view.locator(`body[data-vscode-theme-kind="vscode-${theme}"]`).waitFor();
	};

	const shownWidth = () => chat.view.locator('body').evaluate(() => innerWidth);

	const size = async ({ width, zoom }: HourLook) => {
		const height = heights[zoom];
		const isBar = place === 'right' || place === 'left';
		await page.setViewportSize({ width: width + (isBar ? besidePx : iconsPx), height });
		if (isBar) return await widen(width);
		await waitFor(`about ${width} px`, async () => Math.abs((await shownWidth()) - width) < 20, 10_000);
	};

	/** Drags the edge of the bar with the chat until the chat is about so wide. A busy editor may miss where a drag began. */
	const widen = async (to: number) => {
		const isThere = async () => Math.abs((await shownWidth()) - to) < 20;
		for (let attempt = 1; !(await isThere()); attempt += 1) {
			const bar = await page.locator('.part.auxiliarybar').boundingBox();
			assert.ok(bar !== null);
			const y = bar.y + bar.height / 2;
			const [edge, target] =
				place === 'right' ? [bar.x - 2, bar.x + bar.width - to] : [bar.x + bar.width + 2, bar.x + to];
			await page.mouse.move(edge, y);
			await page.mouse.down();
			await page.mouse.move(target, y, { steps: 6 });
			await page.mouse.up();
			await waitFor(`about ${to} px`, isThere, 5_000).catch((error: unknown) => {
				if (attempt === 3) throw error;
			});
		}
	};

	return {
		async take(look) {
			const { story, theme, zoom, width } = look;
			if (!isRoomMade) await toggleSideBar();
			await moveTo(look.place);
			await chat.newThread();
			if ((await chat.view.getByRole('button', { name: 'Mode: Agent' }).count()) === 0) await chat.chooseMode('Agent');
			await wear(theme);
			await size(look);
			const faults: string[] = [];
			await stories[story]({ chat, follow }, async (part) => {
				const name = [story, part, look.place, width, theme, zoom].filter((each) => each !== undefined).join('-');
				await page.mouse.move(1, 1);
				await workbench.screenshot(`hour-${name.replaceAll(' ', '-')}`);
				faults.push(...(await faultsIn(chat)).map((fault) => `${name}: ${fault}`));
			});
			assert.deepEqual(faults, []);
		},
		async setBack() {
			await page.setViewportSize(windowSize);
			rmSync(settings, { force: true });
			if (isRoomMade) await toggleSideBar();
		},
	};
}

/** Names what a person would call broken in the picture, as far as a program can see it. */
async function faultsIn({ view }: Chat): Promise<readonly string[]> {
	const nameless = listNameless(await view.locator('main').ariaSnapshot());
	const seen = await view.locator('body').evaluate(() => {
		const found: string[] = [];
		if (document.documentElement.scrollWidth > innerWidth) found.push('it scrolls sideways');
		const buttons = [...document.querySelectorAll<HTMLElement>('.button, .dock button, .banner button')];
		for (const button of buttons.filter((each) => each.checkVisibility())) {
			const words = button.innerText.trim();
			if (words !== '' && button.scrollWidth > button.clientWidth + 1 && button.clientWidth > 0)
				found.push(`"${words}" is cut`);
		}
		for (const button of document.querySelectorAll('.dock .button-row:not(.dock-scroll *) button')) {
			const { left, right, top, bottom } = button.getBoundingClientRect();
			const isSeen = [left + 1, right - 1].every((x) =>
				button.contains(document.elementFromPoint(x, (top + bottom) / 2)),
			);
			if (!isSeen) found.push(`"${button.textContent}" is out of sight`);
		}
		return found;
	});
	return [...seen, ...nameless.map((line) => `a screen reader has no name for ${line}`)];
}
