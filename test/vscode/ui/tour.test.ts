import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Chat, chatIn } from '../harness/chat.ts';
import { kit } from '../harness/kit.ts';
import { openWorkbench, type Workbench } from '../harness/workbench.ts';

describe('The tour, with the sample and no model', () => {
	let workbench: Workbench;
	let chat: Chat;
	before(async () => {
		workbench = await openWorkbench();
		chat = chatIn(workbench);
		await chat.focus();
	});
	after(() => workbench?.close());

	it('mends the failing test with one click and three answers', async () => {
		assert.notEqual(testSample(), 0);
		const suggestion = chat.view.getByRole('button', { name: 'Find the failing test and fix it' });
		await suggestion.waitFor();
		await workbench.screenshot('tour-1-suggestion');
		await suggestion.click();

		await chat.press('Run npm test', '1');
		await chat.asked('Edit src/cart.ts');
		await workbench.screenshot('tour-2-edit-asked');
		await chat.press('Edit src/cart.ts', '1');
		await chat.press('Run npm test', '1');
		await chat.rested();
		await workbench.screenshot('tour-3-done');
		assert.equal(testSample(), 0);
		assert.match(readFileSync(join(workbench.workspace, 'src/cart.ts'), 'utf8'), />= quantityDiscount\.from/);
		assert.match((await chat.transcript()).at(-1) ?? '', /^text: .*pass/s);
	});

	it('says that it cannot answer anything else, and leads to Connect a Model', async () => {
		await chat.newThread();
		await chat.ask('Write me a poem about carts');
		await chat.rested();
		await workbench.screenshot('tour-4-cannot-answer');
		const [, text] = await chat.transcript();
		assert.match(text ?? '', /^text: I am the tour/);
		await chat.notices.getByRole('button', { name: 'Connect a model' }).click();
		await workbench.page.locator('.quick-input-title', { hasText: 'Connect a Model' }).waitFor();
		await workbench.screenshot('tour-5-connect');
		await workbench.page.keyboard.press('Escape');
	});

	/** The exit code of the sample's own tests. */
	function testSample(): number {
		try {
			execFileSync(kit.node, ['--test'], { cwd: workbench.workspace, stdio: 'ignore', timeout: 20_000 });
			return 0;
		} catch (error) {
			return (error as { status?: number }).status ?? -1;
		}
	}
});
