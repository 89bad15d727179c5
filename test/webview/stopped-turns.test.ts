/**
 * Checks the actions on a turn that was stopped: they are there as long as it is the last turn, also where its message
 * is out of sight.
 */
import assert from 'node:assert/strict';
import type { NoticeAction } from '../../src/protocol/thread/items.ts';
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

	it('that went in circles is gone on with as an overruled judgement, and a claim is confirmed once', async () => {
		const { page, extension } = await views.open(withThread);
		const thread = only(extension);
		const about = (code: 'GOING_IN_CIRCLES' | 'CLAIM_UNPROVEN') => ({ code, message: code, facts: {} });
		const note = (turnId: TurnId, action: NoticeAction, code: 'GOING_IN_CIRCLES' | 'CLAIM_UNPROVEN') => {
			const item = { id: newId('itm'), turnId, at: AT, kind: 'notice', level: 'warning', text: code } as const;
			thread.emit({ type: 'item.start', item: { ...item, actions: [action], error: about(code) } });
			thread.end(turnId);
		};
		const claimed = thread.begin('commit it');
		note(claimed, 'confirmClaim', 'CLAIM_UNPROVEN');
		await page.getByRole('button', { name: 'It was done' }).click();
		await page.getByText('Confirmed by you.').waitFor();
		assert.equal(await page.getByRole('button', { name: 'It was done' }).count(), 0);
		note(thread.begin('go'), 'continue', 'GOING_IN_CIRCLES');
		await page.getByRole('button', { name: 'Go on anyway' }).click();
		await page.getByText('Continue.', { exact: true }).waitFor();
		assert.deepEqual(
			extension.overruled.map(({ turnId, how }) => [turnId === claimed, how]),
			[
				[true, { act: 'confirm' }],
				[false, { act: 'goOn' }],
			],
		);
	});

	it('is told that a fast path is off, in its own words, and can have it back', async () => {
		const { page, extension } = await views.open(withThread);
		const thread = only(extension);
		const turnId = thread.begin('hello');
		const switchedOff = { kind: 'fastPath', name: 'greeting', times: 3 } as const;
		thread.emit({
			type: 'item.start',
			item: {
				...{ id: newId('itm'), turnId, at: AT, kind: 'notice', level: 'info', text: 'off', actions: ['switchOn'] },
				switchedOff,
			},
		});
		await page.getByText('You asked the model 3 times after a fast answer (greeting)').waitFor();
		await page.getByRole('button', { name: 'Switch it on again' }).click();
		await page.getByText('Switched on again.').waitFor();
		assert.deepEqual(extension.overruled[0]?.how, {
			act: 'switchOn',
			judgement: { kind: 'fastPath', name: 'greeting' },
		});
	});
});
