import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inOrder } from '../../support/shuffled-specs.ts';
import { type Chat, chatIn } from '../harness/chat.ts';
import { kit } from '../harness/kit.ts';
import { activityBarIcon, openWorkbench, type Workbench } from '../harness/workbench.ts';

describe('The extension as it was installed, with the sample and no model', function () {
	inOrder(this);
	let workbench: Workbench;
	let chat: Chat;
	before(async () => {
		workbench = await openWorkbench();
		chat = chatIn(workbench);
	});
	after(() => workbench?.close());

	it('has its icon in the activity bar', async () => {
		await activityBarIcon(workbench.page).click();
		await workbench.page.locator('.sidebar .composite.title', { hasText: 'Prowess' }).waitFor();
		await workbench.screenshot('activity-bar');
	});

	it('shows the chat in the secondary side bar', async () => {
		await chat.focus();
		await workbench.page.locator('.part.auxiliarybar .composite.title').waitFor();
		await workbench.screenshot('chat');
	});

	it('has a tour, which mends the failing test with one click and three answers', async () => {
		assert.notEqual(testSample(), 0);
		const suggestion = chat.view.getByRole('button', { name: 'Take the tour (2 minutes, no model)' });
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
		const [last, offer] = (await chat.transcript()).slice(-2);
		assert.match(last ?? '', /^text: .*pass.*That was the tour/s);
		assert.match(offer ?? '', /^info: Connect a model to begin/);
		await chat.notices.getByRole('button', { name: 'Connect a model' }).waitFor();
		await chat.view.getByText('Plan 4/4').waitFor();
	});

	it('has a tour that says that it cannot answer anything else, and leads to Connect a Model', async () => {
		await chat.ask('Write me a poem about carts');
		await chat.rested();
		// The plan is done, and this message is about something else.
		assert.equal(await chat.view.getByText('Plan 4/4').count(), 0);
		await workbench.screenshot('tour-4-cannot-answer');
		const [text] = (await chat.transcript()).slice(-2);
		assert.match(text ?? '', /^text: I am the tour/);
		await chat.notices.last().getByRole('button', { name: 'Connect a model' }).click();
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
