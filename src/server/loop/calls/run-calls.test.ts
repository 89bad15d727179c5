import assert from 'node:assert/strict';
import { guidanceAfter, type SettledCall } from './run-calls.ts';

const settled = (isError: boolean, isDenied = false): SettledCall => ({
	result: { callId: 'call_1', tool: 'fs_read', text: '', isError },
	isDenied,
});
const done = settled(false);
const failed = settled(true);
const denied = settled(true, true);
const onFailures = 'Do not invent what a failed call would have given.';
const onDenials = 'Do not repeat a denied call or get around it.';

describe('The guidance after a batch of calls', () => {
	const batches: readonly (readonly [string, readonly SettledCall[], string])[] = [
		['no call', [], ''],
		['calls that all came through', [done, done], ''],
		['a failure before a success', [failed, done], `\n[${onFailures}]`],
		['several failures, once', [failed, failed, failed], `\n[${onFailures}]`],
		['a denial, which has no result either', [denied], `\n[${onFailures} ${onDenials}]`],
		['failures and denials, each once', [denied, failed, denied, done], `\n[${onFailures} ${onDenials}]`],
	];
	for (const [what, calls, said] of batches) {
		it(`says what it has to after ${what}`, () => assert.equal(guidanceAfter(calls), said));
	}
});
