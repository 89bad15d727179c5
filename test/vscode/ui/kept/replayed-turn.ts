/** A turn of the editor is recorded from the trace of the one before it, and run again from its own. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CassetteWriter, mapTexts, readCassette } from '../../../../src/features/replay/cassette.ts';
import { inOrder } from '../../../support/shuffled-specs.ts';
import { waitFor } from '../../../support/wait-for.ts';
import type { TakeWindow } from '../../harness/one-window.ts';
import type { ScriptedChat } from '../../harness/scripted-chat.ts';
import { pageFrameIn } from '../../harness/workbench.ts';

export function replayedTurn(take: TakeWindow): void {
	describe('A turn on the page of its trace', function () {
		inOrder(this);
		let scripted: ScriptedChat;
		before(async () => {
			scripted = await take();
		});
		after(() => scripted?.close());

		const showTrace = async () => {
			await scripted.workbench.runCommand('Prowess: Show Trace of the Last Turn');
			return pageFrameIn(scripted.workbench.page);
		};
		const cassettes = () => join(scripted.workbench.home, '.prowess/cassettes');

		it('is not recorded while another one is under way, and the page says so', async () => {
			const { chat, workbench } = scripted;
			await chat.focus();
			await scripted.begin('Say something', [{ text: 'First words.' }]);
			await chat.rested();
			const trace = await showTrace();
			await trace.getByText('This turn is not recorded.').waitFor();
			assert.equal(await trace.getByRole('button', { name: 'Replay This Turn' }).count(), 0);
			await workbench.screenshot('replayed-turn-1-not-recorded');
			scripted.follow([{ then: 'stall' }]);
			await chat.ask('Write a long story');
			await waitFor('the request', () => scripted.requests().length === 1);
			const waiting = await showTrace();
			await waiting.locator('select').selectOption({ index: 1 });
			await waiting.getByRole('button', { name: 'Record the Next Turn' }).click();
			await waiting.getByText('A turn is under way.', { exact: false }).waitFor();
			await chat.view.getByRole('button', { name: 'Stop', exact: true }).click();
			await chat.rested();
		});

		it('is recorded once that is wanted, and replayed to the same end without a request', async () => {
			const { chat, workbench } = scripted;
			const trace = await showTrace();
			await trace.getByRole('button', { name: 'Record the Next Turn' }).click();
			await trace.getByText('The next turn of this thread is recorded', { exact: false }).waitFor();
			await workbench.screenshot('replayed-turn-2-next');
			scripted.follow([
				{ toolCalls: [{ name: 'fs_read', input: { path: 'package.json' } }] },
				{ text: 'Second words.' },
			]);
			await chat.ask('Say more');
			await chat.answers.last().getByText('Second words.').waitFor();
			await chat.rested();
			const requests = scripted.requests().length;
			const recorded = await showTrace();
			await recorded.getByRole('button', { name: 'Replay This Turn' }).click();
			await recorded.getByText(/^Same to the end: 2 requests to models and \d+ ops were the same\.$/).waitFor();
			assert.match((await recorded.getByText(/^[0-9a-f]{64}$/).textContent()) ?? '', /^[0-9a-f]{64}$/);
			assert.equal(scripted.requests().length, requests);
			await workbench.screenshot('replayed-turn-3-same');
		});

		it('that comes to something else shows the first difference', async () => {
			const [name = ''] = readdirSync(cassettes());
			const { head, steps, end } = await readCassette(join(cassettes(), name));
			const writer = new CassetteWriter(join(cassettes(), '9999-changed.cassette'), head);
			for (const step of steps) {
				const isPrompt = step.k === 'call';
				writer.step(isPrompt ? (mapTexts(step, (text) => text.replace('Say more', 'Say less')) as typeof step) : step);
			}
			if (end !== undefined) writer.end(end);
			const trace = await showTrace();
			await trace.getByRole('button', { name: 'Replay This Turn' }).click();
			await trace.locator('.diff-line.removed', { hasText: '- Say more' }).waitFor();
			await trace.locator('.diff-line.added', { hasText: '+ Say less' }).waitFor();
			await scripted.workbench.screenshot('replayed-turn-4-difference');
		});
	});
}
