/** A command that is tried on a copy of the workspace before it is answered, in the real editor. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Chat } from '../harness/chat.ts';
import { openScriptedChat, type ScriptedChat } from '../harness/scripted-chat.ts';
import type { Workbench } from '../harness/workbench.ts';

const bubblewrap = process.env['PROWESS_TEST_BWRAP'] ?? '/usr/bin/bwrap';

describe('A question about a command', function () {
	let scripted: ScriptedChat;
	let workbench: Workbench;
	let chat: Chat;
	before(async function () {
		if (!existsSync(bubblewrap)) this.skip();
		scripted = await openScriptedChat({
			settings: { 'prowess.approvals.level': 'manual', 'prowess.tools.bubblewrapPath': bubblewrap },
		});
		({ workbench, chat } = scripted);
		await chat.focus();
	});
	after(() => scripted?.close());

	it('shows what the command does to a copy, and does that to the workspace when it is kept', async () => {
		const path = (name: string) => join(workbench.workspace, name);
		writeFileSync(path('tried.txt'), 'one\n');
		const argv = ['sh', '-c', 'echo two > tried.txt; echo new > tried-new.txt; echo said'];
		await scripted.begin('Go', [{ toolCalls: [{ name: 'shell_run', input: { argv } }] }, { text: 'Done.' }]);
		const dock = await chat.asked(`Run sh -c "${argv[2]}"`);
		await dock.getByRole('button', { name: 'Try first' }).click();
		await dock.getByText('Tried on a copy: it ended with exit code 0.').waitFor();
		await dock.getByText('tried-new.txt', { exact: true }).waitFor();
		assert.deepEqual([readFileSync(path('tried.txt'), 'utf8'), existsSync(path('tried-new.txt'))], ['one\n', false]);
		await workbench.screenshot('tried-1-ended');
		await dock.getByRole('button', { name: 'Keep these changes' }).click();
		await chat.rested();
		assert.equal(readFileSync(path('tried.txt'), 'utf8'), 'two\n');
		assert.equal(readFileSync(path('tried-new.txt'), 'utf8'), 'new\n');
		await workbench.screenshot('tried-2-kept');
	});
});
