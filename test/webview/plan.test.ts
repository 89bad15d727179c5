/** A plan of the agent, in a real Chromium: drawn as the Markdown it is, where it is asked about and in its card afterwards. */
import assert from 'node:assert/strict';
import { newId } from '../../src/protocol/rpc/ids.ts';
import { AT } from './support/fake-thread.ts';
import { approval } from './support/fake-extension.ts';
import { HOSTILE } from './support/hostile-markdown.ts';
import { PLAN, proposed } from './support/plan.ts';
import { useViews } from './support/suite.ts';
import { violations } from './support/violations.ts';
import { only, withThread } from './support/with-thread.ts';

describe('webview: a plan', function () {
	this.timeout(60_000);
	const views = useViews();

	const open = async (text = PLAN) => {
		const asked = approval({ ...proposed, detail: { kind: 'plan', text } });
		const view = await views.open({
			width: 400,
			height: 700,
			prepare(fake) {
				withThread.prepare(fake);
				fake.desk = { approvals: [asked], questions: [] };
			},
		});
		const dock = view.page.locator('.dock[data-settled=true]');
		await dock.waitFor();
		return { ...view, asked, dock, plan: dock.getByRole('group', { name: 'Proposed plan' }) };
	};

	it('runs and requests nothing, whatever it holds, and hides none of its tags', async () => {
		const { offences, plan } = await open(HOSTILE.join('\n\n'));
		assert.deepEqual(offences, []);
		assert.equal(await plan.locator('script, img, iframe, svg, form, style, [onclick]').count(), 0);
		assert.match(await plan.innerText(), /<img src=x onerror=alert\(1\)>/);
	});

	it('is drawn as Markdown where it is asked about, and read by a screen reader in every theme', async () => {
		const { page, plan } = await open();
		await page.locator('.dock .risk').getByText('Plan', { exact: true }).waitFor();
		assert.deepEqual(await plan.getByRole('heading').allInnerTexts(), ['Round prices in one place', 'Steps']);
		assert.equal(await plan.locator('ol > li').count(), 3);
		assert.equal(await plan.locator('table tbody tr').count(), 2);
		assert.equal(await plan.locator('strong').innerText(), 'one cent off');
		assert.doesNotMatch(await plan.innerText(), /^[+#]/m);
		assert.deepEqual(await violations(page), []);
	});

	it('opens in the editor to be changed, and is answered like any other question', async () => {
		const { extension, asked, dock } = await open();
		const shown = extension.called('desk/showDiff');
		await dock.getByRole('button', { name: 'Edit plan' }).click();
		assert.deepEqual((await shown).params, { id: asked.id });
		const answered = extension.called('desk/approve');
		await dock.press('1');
		assert.deepEqual((await answered).params, { id: asked.id, answer: { kind: 'once' } });
	});

	it('keeps the lines of a condition apart', async () => {
		const { plan } = await open('Until: all tests pass\nCheck: npm test\nLimits: 20 rounds');
		assert.deepEqual((await plan.innerText()).trim().split('\n'), [
			'Until: all tests pass',
			'Check: npm test',
			'Limits: 20 rounds',
		]);
	});

	it('scrolls in its own box when it is long, and keeps the answers in sight', async () => {
		const { page, dock, plan } = await open(PLAN.repeat(40));
		const box = await plan.boundingBox();
		assert.ok(box !== null && box.height < 350, JSON.stringify(box));
		await plan.focus();
		await page.keyboard.press('End');
		await page.waitForFunction((element) => (element?.scrollTop ?? 0) > 100, await plan.elementHandle());
		const yes = await dock.getByRole('button', { name: 'Approve plan' }).boundingBox();
		assert.ok(yes !== null && yes.y + yes.height <= 700, JSON.stringify(yes));
	});

	it('is drawn in its card too, not as the JSON that the model sent', async () => {
		const { page, extension } = await views.open(withThread);
		const thread = only(extension);
		const turnId = thread.begin('Plan it');
		thread.emit({
			type: 'item.start',
			item: {
				...{ id: newId('itm'), turnId, at: AT, kind: 'tool', opId: newId('op'), tool: 'plan_write' },
				...{ title: 'Plan: Round prices in one place', input: { plan: PLAN }, status: 'done' },
				...{ output: 'The user approved the plan.', outputTruncated: false, durationMs: 4 },
			},
		});
		const card = page.locator('.item.tool', { hasText: 'Plan: Round prices' });
		await card.locator('summary, button').first().click();
		await card.locator('.plan ol > li').first().waitFor();
		assert.doesNotMatch(await card.innerText(), /\\n|"plan"/);
		assert.deepEqual(await violations(page), []);
	});
});
