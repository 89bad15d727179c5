/**
 * Checks the actions on a turn that was stopped: they are there as long as it is the last turn, also where its message
 * is out of sight.
 */
import assert from 'node:assert/strict';
import { newId, type TurnId } from '../../src/protocol/rpc/ids.ts';
import { NOTICE_TEXTS } from '../../src/protocol/text/notice-texts.ts';
import { AT, type FakeThread } from './support/fake-thread.ts';
import { useViews } from './support/suite.ts';
import { only, withThread } from './support/with-thread.ts';

describe('webview: a stopped turn', function () {
	this.timeout(30_000);
	const views = useViews();

	function stop(thread: FakeThread, turnId: TurnId): void {
		thread.emit(
			{
				type: 'item.start',
				item: {
					id: newId('itm'),
					turnId,
					at: AT,
					kind: 'notice',
					level: 'info',
					text: NOTICE_TEXTS.stopped,
					actions: ['continue', 'switchModel'],
				},
			},
			{ type: 'turn.end', turnId, outcome: 'stopped', durationMs: 5 },
		);
	}

	it('is not continued once another turn has followed', async () => {
		const { page, extension } = await views.open(withThread);
		const thread = only(extension);
		stop(thread, thread.begin('go'));
		const note = page.getByRole('note');
		await note.getByRole('button', { name: 'Continue' }).waitFor();

		const next = thread.begin('and then');
		await note.getByRole('button', { name: 'Continue' }).waitFor({ state: 'detached' });
		thread.startText(next, 'Then this.');
		thread.end(next);
		await page.getByText('Then this.', { exact: true }).waitFor();
		assert.deepEqual(await note.getByRole('button').allInnerTexts(), ['Switch the model']);
		await note.getByText('This turn was stopped.').waitFor();
	});

	it('can be continued when its message is among the earlier items', async () => {
		const { page } = await views.open({
			prepare(fake) {
				fake.threadId = fake.addThread().id;
				const thread = only(fake);
				const turnId = thread.begin('go');
				for (let text = 0; text < 400; text++) thread.startText(turnId, `Step ${text}.`);
				stop(thread, turnId);
			},
		});
		await page.getByText('Step 399.').waitFor();
		assert.equal(await page.getByText('go', { exact: true }).count(), 0);
		await page.getByRole('note').getByRole('button', { name: 'Continue' }).waitFor();
	});
});
