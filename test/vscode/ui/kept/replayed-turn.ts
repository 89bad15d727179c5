/** A turn of a thread of the editor that was recorded is run again from its trace. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CassetteWriter, mapTexts, readCassette } from '../../../../src/features/replay/cassette.ts';
import { User } from '../../../integration/cli/cli-process.ts';
import { inOrder } from '../../../support/shuffled-specs.ts';
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

		it('that is not recorded has no replay, and the page says how to record the next one', async () => {
			const { chat } = scripted;
			await chat.focus();
			await scripted.begin('Say something', [{ text: 'First words.' }]);
			await chat.rested();
			const trace = await showTrace();
			await trace.getByText('This turn is not recorded.').waitFor();
			assert.equal(await trace.getByRole('button', { name: 'Replay This Turn' }).count(), 0);
			await scripted.workbench.screenshot('replayed-turn-1-not-recorded');
		});

		it('that was recorded so is replayed to the same end without a request', async () => {
			const { model, workbench } = scripted;
			const words = (await (await showTrace()).getByText('prowess run --record').textContent()) ?? '';
			const [threadId = ''] = /thr_[-\w]+/.exec(words) ?? [];
			scripted.follow([
				{ toolCalls: [{ name: 'fs_read', input: { path: 'package.json' } }] },
				{ text: 'Second words.' },
			]);
			const provider = ['--provider', 'openai-compatible', '--base-url', model.baseUrl, '--model', 'scripted'];
			const place = ['--workspace', workbench.workspace, '--trust', '--approve', 'never'];
			const run = ['run', '--record', '--thread', threadId, ...provider, ...place, 'Say more'];
			const home = join(workbench.home, '.prowess');
			const { code, stderr } = await new User().starts(run, { env: { PROWESS_HOME: home } }).ended;
			assert.equal(code, 0, stderr);
			const requests = scripted.requests().length;
			const trace = await showTrace();
			await trace.getByRole('button', { name: 'Replay This Turn' }).click();
			await trace.getByText(/^Same to the end: 2 requests to models and \d+ ops were the same\.$/).waitFor();
			assert.match((await trace.getByText(/^[0-9a-f]{64}$/).textContent()) ?? '', /^[0-9a-f]{64}$/);
			assert.equal(scripted.requests().length, requests);
			await workbench.screenshot('replayed-turn-2-same');
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
			await scripted.workbench.screenshot('replayed-turn-3-difference');
		});
	});
}
