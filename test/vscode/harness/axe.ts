/** Returns axe's findings on a page of a view, in its real document. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { FrameLocator } from 'playwright-core';
import type { Workbench } from './workbench.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export async function violationsIn({ view }: { readonly view: FrameLocator }, workbench: Workbench): Promise<string[]> {
	const frame = await (await view.locator('body').elementHandle())?.ownerFrame();
	assert.ok(frame);
	// Away from what it would light up.
	await workbench.page.mouse.move(640, 400);
	// The page is transparent: the workbench paints what lies behind it.
	await frame.evaluate("document.documentElement.style.background = 'var(--vscode-sideBar-background)'");
	await frame.evaluate(axeSource);
	return (await frame.evaluate(`axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) =>
		nodes.map(({ html, any }) => id + ': ' + html.slice(0, 200) + ' ' + (any[0]?.message ?? ''))))`)) as string[];
}
