import assert from 'node:assert/strict';
import { tempDir } from '../../../test/support/temp-dir.ts';
import type { OpOutcome } from '../../protocol/turn/broker.ts';
import { Scripts } from './scripts.ts';

const script = `
name: two
steps:
  - id: first
    op: fs.read
    with: { path: a.txt }
  - id: second
    op: fs.read
    with: { path: b.txt }
`;

describe('A script', () => {
	let scripts: Scripts | undefined;
	afterEach(() => scripts?.close());

	it('that is stopped between two steps asks for no other, and goes on there the next time', async () => {
		const folder = tempDir('work');
		const stop = new AbortController();
		const asked: unknown[] = [];
		const opened = new Scripts({
			home: tempDir('home'),
			holder: { owner: 'host', isAlive: () => false, now: Date.now, beat() {} },
			workspace: { isTrusted: true, folders: [{ name: 'work', path: folder }] },
			async perform({ opId, params }): Promise<OpOutcome> {
				asked.push(params);
				stop.abort(new Error('stopped by the user'));
				return { status: 'done', opId, result: {}, durationMs: 0, receipt: { writer: 'host', seq: 1, hash: '' } };
			},
			knowledge: () => assert.fail('no step is in doubt'),
			beginThread() {},
			hasCapability: () => Promise.resolve(false),
			redactor: { redact: (text) => text, redactDeep: (value) => value },
		});
		scripts = opened;
		const read = await opened.read(script, 'two.yaml');
		const run = (signal: AbortSignal) => opened.run(read, { isAnew: false, onStep() {}, onRunSteps() {} }, signal);
		await assert.rejects(run(stop.signal), /stopped by the user/);
		assert.deepEqual(asked, [{ path: 'a.txt' }]);
		const { threadId } = await run(new AbortController().signal);
		assert.deepEqual(asked, [{ path: 'a.txt' }, { path: 'b.txt' }]);
		assert.deepEqual([...opened.runsAmong([threadId, 'thr_another'])], [threadId]);
	});
});
