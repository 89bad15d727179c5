import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readFilterLine, readTime } from './filter-line.ts';

describe('A filter of the ledger in one line', () => {
	for (const [line, problem] of [
		['kind:denied', /kind: takes intent, outcome, denial, note; got "denied"/],
		['kind:', /kind: takes/],
		['since:yesterday', /since: takes a time in UTC like 2026-11-20/],
		['until:2026-13-40', /until: takes a time/],
		['op:', /op: needs a value right after it/],
	] as const) {
		it(`says what is wrong with ${line}`, () => {
			const read = readFilterLine(line);
			assert.ok(typeof read === 'string' && problem.test(read), JSON.stringify(read));
		});
	}

	it('takes everything that has no known name before a colon for words', () => {
		assert.deepEqual(readFilterLine('  https://example.org   foo:bar '), { text: 'https://example.org foo:bar' });
	});

	it('reads names and words in any order', () => {
		assert.deepEqual(
			readFilterLine('push op:secrets.get kind:denial thread:thr_1 id:op_1 by:skill/greet since:2026-11-20'),
			{
				op: 'secrets.read',
				kind: 'denial',
				threadId: 'thr_1',
				opId: 'op_1',
				doer: 'skill/greet',
				since: '2026-11-20T00:00:00.000Z',
				text: 'push',
			},
		);
		assert.deepEqual(readFilterLine('   '), {});
	});

	for (const [text, time] of [
		['2026-11-20', '2026-11-20T00:00:00.000Z'],
		['2026-11-20T14:30', '2026-11-20T14:30:00.000Z'],
		['2026-11-20T14:30:05Z', '2026-11-20T14:30:05.000Z'],
		['2026-11-20T25:00', undefined],
		['14:30', undefined],
		['', undefined],
	] as const) {
		it(`reads the time ${text || '(none)'} in UTC`, () => {
			assert.equal(readTime(text), time);
		});
	}
});
