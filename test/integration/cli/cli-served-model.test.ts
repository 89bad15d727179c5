/** Tests that users see which model has answered, where an endpoint serves another one than was asked. */
import assert from 'node:assert/strict';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, User } from './cli-process.ts';

const SAID = 'The endpoint answered with the model small-1; scripted was asked.';

describe('another model than was asked', function () {
	this.timeout(commandLimitMs);
	let server: ModelServer | undefined;
	afterEach(async () => {
		await server?.close();
		server = undefined;
	});

	it('is named once for a thread, beside the answer: in text, as JSON, in the thread and in the trace', async () => {
		const user = new User();
		server = await startModelServer([
			{ text: 'First.', servedAs: 'small-1' },
			{ text: 'Second.', servedAs: 'small-1' },
			{ text: 'Third.', servedAs: 'scripted-2026-08-07' },
		]);
		const { baseUrl } = server;
		const first = await user.prompts(baseUrl, 'Look around', ['--json']).ended;
		const lines = first.stdout.trim().split('\n');
		const items = lines.flatMap((line) => {
			const { item } = JSON.parse(line) as { item?: { kind: string; served?: unknown } };
			return item?.kind === 'text' ? [item.served] : [];
		});
		assert.deepEqual(items, [{ asked: 'scripted', by: 'small-1' }]);
		const threadId = /"id":"(thr_[^"]+)"/.exec(first.stdout)?.[1] ?? '';
		for (const answer of ['Second.', 'Third.']) {
			const { stdout, stderr } = await user.prompts(baseUrl, 'And now?', ['--thread', threadId]).ended;
			assert.equal(stdout, `${answer}\n`);
			assert.doesNotMatch(stderr, /small-1/);
		}
		const shown = (await user.runs(['thread', 'show', threadId])).stdout;
		assert.equal(shown.split(SAID).length, 2, shown);
		assert.ok(shown.includes(`> ${SAID}\n\nFirst.`), shown);
		const listed = (await user.runs(['trace', 'list', threadId])).stdout.trim().split('\n');
		const traces = await Promise.all(
			listed.map(async (line) => (await user.runs(['trace', 'show', line.split(' ')[0] ?? ''])).stdout),
		);
		const names = traces.map((trace) => /Request to \S*scripted, answered by ([^,]+),/.exec(trace)?.[1]);
		assert.deepEqual(names, ['small-1', 'small-1', undefined]);
	});

	it('is said on standard error, also without a terminal', async () => {
		const user = new User();
		server = await startModelServer([{ text: 'Here.', servedAs: 'small-1' }]);
		const { stdout, stderr } = await user.prompts(server.baseUrl, 'Look around').ended;
		assert.equal(stdout, 'Here.\n');
		assert.equal(stderr.split(`prowess: ${SAID}\n`).length, 2, stderr);
	});
});
