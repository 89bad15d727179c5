/** What axe finds wrong with the chat, in the real document of its view. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Chat } from './chat.ts';
import type { Workbench } from './workbench.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export async function violationsIn(chat: Chat, workbench: Workbench): Promise<string[]> {
	const frame = await (await chat.view.locator('body').elementHandle())?.ownerFrame();
	assert.ok(frame);
	// Away from what it would light up.
	await workbench.page.mouse.move(640, 400);
	// The page is transparent: the workbench paints what lies behind it.
	await frame.evaluate("document.documentElement.style.background = 'var(--vscode-sideBar-background)'");
	await frame.evaluate(axeSource);
	return (await frame.evaluate(`axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) =>
		nodes.map(({ html, any }) => id + ': ' + html.slice(0, 200) + ' ' + (any[0]?.message ?? ''))))`)) as string[];
}
