import assert from 'node:assert/strict';
import type { ContextRef } from '../../protocol/thread/context.ts';
import { completionAt, expandPrompt, readSlashCommand } from './completion.ts';
import { withRefs } from './drafts.ts';

describe('what is being typed', () => {
	it('takes a reference once', () => {
		const ref: ContextRef = { kind: 'file', path: 'a.ts' };
		assert.deepEqual(withRefs(withRefs({ text: '', refs: [] }, [ref]), [ref]).refs, [ref]);
	});

	it('completes @ after a space and / only at the beginning', () => {
		assert.equal(completionAt('mail@host', 9), undefined);
		assert.equal(completionAt('see /fix', 8), undefined);
		assert.equal(completionAt('/fix it', 7), undefined);
		assert.deepEqual(completionAt('look at @src/a and', 14), { kind: 'context', query: 'src/a', start: 8 });
		assert.deepEqual(completionAt('/code-re', 8), { kind: 'command', query: 'code-re', start: 0 });
		assert.deepEqual(completionAt('/fi', 3), { kind: 'command', query: 'fi', start: 0 });
	});

	it('reads a command with what follows it, and no path as one', () => {
		assert.equal(readSlashCommand('/usr/bin is a folder'), undefined);
		assert.equal(readSlashCommand('/unknown'), undefined);
		assert.equal(readSlashCommand('/fix the $& sum')?.rest, 'the $& sum');
		assert.equal(expandPrompt('Fix. $1', 'the $& sum'), 'Fix. the $& sum');
	});
});
