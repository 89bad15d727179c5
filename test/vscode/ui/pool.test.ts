/** Checks that stories do not notice the VS Code server and the browser that they share. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openWorkbench, type Workbench } from '../harness/workbench.ts';

describe('A story in the workbench', () => {
	let workbench: Workbench | undefined;
	afterEach(async () => {
		await workbench?.close();
		workbench = undefined;
	});
	const tabs = ({ page }: Workbench) => page.locator('.tabs-container .tab');
	const settings = ({ home }: Workbench) => join(home, '../user/User/settings.json');

	it('finds nothing of the one before, and fails by name for what it leaves where nothing is set back', async () => {
		workbench = await openWorkbench({
			companion: 'test/vscode/fixtures/tool-user',
			settings: { 'editor.fontSize': 31 },
			fillHome: (home) => writeFileSync(join(home, 'note.txt'), 'mine'),
		});
		const { page } = workbench;
		await page.getByRole('treeitem', { name: 'package.json' }).dblclick();
		await tabs(workbench).filter({ hasText: 'package.json' }).waitFor();
		await page.setViewportSize({ width: 900, height: 700 });
		await page.evaluate(() => localStorage.setItem('left', 'here'));
		const before = { workspace: workbench.workspace, serverPid: workbench.serverPid };
		writeFileSync(join(dirname(settings(workbench)), 'keybindings.json'), '[]');
		await workbench.close();

		workbench = await openWorkbench();
		assert.equal(workbench.serverPid, before.serverPid);
		assert.notEqual(workbench.workspace, before.workspace);
		assert.equal(existsSync(before.workspace), false);
		assert.equal(existsSync(join(workbench.home, '.prowess/note.txt')), false);
		assert.equal(existsSync(join(dirname(settings(workbench)), 'keybindings.json')), false);
		assert.doesNotMatch(readFileSync(settings(workbench), 'utf8'), /fontSize/);
		assert.deepEqual(
			readdirSync(join(workbench.home, '../extensions')).filter((name) => name.startsWith('tool')),
			[],
		);
		assert.deepEqual(workbench.page.viewportSize(), { width: 1280, height: 800 });
		assert.equal(await workbench.page.evaluate(() => localStorage.getItem('left')), null);
		assert.equal(await tabs(workbench).count(), 0);

		// Nobody of VS Code is above it.
		const env = { HOME: workbench.home };
		const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000) // left'], { env, stdio: 'ignore' });
		writeFileSync(join(workbench.home, '../t/some.lock'), '');
		writeFileSync(join(workbench.home, '../user/Machine/more.json'), '{}');
		await (await workbench.page.context().newPage()).goto('about:blank');
		const closing = workbench.close();
		workbench = undefined;
		await assert.rejects(closing, ({ message }: Error) => {
			assert.match(message, /^left behind in the workbench:\n/);
			assert.match(message, /\n- the window about:blank$/m);
			assert.match(message, /\n- the process \d+ .*left$/m);
			assert.match(message, /\n- the file .*\/t\/some\.lock$/m);
			assert.match(message, /\n- the file .*\/user\/Machine\/more\.json$/m);
			assert.equal(message.split('\n').length, 5, message);
			return true;
		});
		child.kill();
		await once(child, 'exit');
	});
});
