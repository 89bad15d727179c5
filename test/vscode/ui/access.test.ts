import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScriptEntry } from '../../support/model-server.ts';
import { violationsIn } from '../harness/axe.ts';
import type { Chat } from '../harness/chat.ts';
import { openScriptedChat, type ScriptedChat } from '../harness/scripted-chat.ts';
import type { Workbench } from '../harness/workbench.ts';

const script: readonly ScriptEntry[] = [
	{
		text: '## A plan\n\n1. `Read` it\n2. Write it\n\n```ts\nconst a = 1; // one\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[web](https://outside.invalid)',
		toolCalls: [{ name: 'fs_read', input: { path: 'src/money.ts' } }],
	},
	{ toolCalls: [{ name: 'fs_write', input: { path: 'new.txt', content: 'new\n' } }] },
	{ text: 'Written.' },
];

/** The theme follows what the system prefers, so that a test can change it at once. */
const themes = {
	'window.autoDetectColorScheme': true,
	'workbench.preferredDarkColorTheme': 'Default Dark Modern',
	'workbench.preferredLightColorTheme': 'Default High Contrast',
};

describe('The chat is for everybody', () => {
	let scripted: ScriptedChat;
	let workbench: Workbench;
	let chat: Chat;
	before(async () => {
		scripted = await openScriptedChat({ settings: themes });
		({ workbench, chat } = scripted);
		await chat.focus();
	});
	after(() => scripted?.close());

	it('a whole turn goes by the keyboard alone', async () => {
		const { keyboard } = workbench.page;
		const file = join(workbench.workspace, 'new.txt');
		scripted.follow(script);
		await keyboard.type('Write it');
		await keyboard.press('Enter');
		await chat.asked('Write new.txt');
		await keyboard.press('Shift+Tab');
		await keyboard.press('1');
		await chat.rested();
		assert.equal(readFileSync(file, 'utf8'), 'new\n');
		const strip = chat.view.getByRole('region', { name: 'Changed files' });
		await strip.waitFor();
		await chat.view.locator('.composer-field:focus').waitFor();
		await keyboard.press('Shift+Tab');
		await workbench.screenshot('access-1-keyboard');
		await keyboard.press('Enter');
		await chat.view.locator('.confirm button:focus', { hasText: 'Undo all' }).waitFor();
		await keyboard.press('Enter');
		await strip.waitFor({ state: 'detached' });
		assert.equal(existsSync(file), false);
	});

	for (const [colorScheme, bodyClass] of [
		['dark', 'vscode-dark'],
		['light', 'vscode-high-contrast'],
	] as const) {
		it(`has no violation that axe finds, with ${bodyClass}`, async () => {
			await workbench.page.emulateMedia({ colorScheme });
			await chat.view.locator(`body.${bodyClass}`).waitFor();
			await scripted.begin('Write it', script);
			await chat.asked('Write new.txt');
			await chat.unfold(chat.card('Read src/money.ts'));
			await workbench.screenshot(`access-2-asked-${bodyClass}`);
			assert.deepEqual(await violations(), []);
			await chat.press('Write new.txt', '1');
			await chat.rested();
			await chat.unfold(chat.card('Write new.txt'));
			await chat.unfold(chat.view.getByRole('region', { name: 'Changed files' }));
			await workbench.screenshot(`access-3-done-${bodyClass}`);
			assert.deepEqual(await violations(), []);
			await chat.view.getByRole('button', { name: 'Threads' }).click();
			await chat.view.locator('.thread-row').first().waitFor();
			assert.deepEqual(await violations(), []);
			await chat.view.getByRole('button', { name: 'Threads' }).click();
			await chat.view.getByRole('button', { name: 'Undo all' }).click();
			await chat.view.locator('.confirm').getByRole('button', { name: 'Undo all' }).click();
		});
	}

	const violations = () => violationsIn(chat, workbench);
});
