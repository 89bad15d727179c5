import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { MAX_IMAGE_CHARS } from '../../protocol/ops/images.ts';
import { WIRE_CODES } from '../../protocol/rpc/wire.ts';
import { createFrameGuard, createFrameRefusal, createOnceLogger, estimateFrameSize } from './frame-guard.ts';

const frame = (method: string, text: string) => ({ kind: 'request', id: 1, method, params: { text } });

describe('frame guard', () => {
	it('refuses what is larger than a message of its kind may be', () => {
		const guard = createFrameGuard(() => 0);
		assert.equal(guard(frame('view/complete', 'x'.repeat(300_000))), 'tooLarge');
		assert.equal(guard(frame('thread/prompt', 'x'.repeat(300_000))), 'pass');
		const picture = 'x'.repeat(MAX_IMAGE_CHARS);
		assert.deepEqual(
			[guard(frame('thread/attach', picture)), guard(frame('thread/prompt', picture))],
			['pass', 'tooLarge'],
		);
	});

	it('refuses more than a hundred messages in a second, and passes again later', () => {
		let now = 0;
		const guard = createFrameGuard(() => now);
		const verdicts = Array.from({ length: 150 }, () => guard(frame('view/complete', '')));
		assert.equal(verdicts.filter((verdict) => verdict === 'tooMany').length, 50);
		now = 500;
		assert.equal(guard(frame('view/complete', '')), 'pass');
	});

	it('stops counting soon after the limit', () => {
		const wide = { list: Array.from({ length: 100_000 }, () => 'x'.repeat(100)) };
		assert.ok(estimateFrameSize(wide, 1000) < 1_000_000);
	});

	it('counts binary data and survives anything else, however wide or deep', () => {
		assert.ok(estimateFrameSize(new Uint8Array(5000), 10_000) >= 5000);
		const wide: unknown = JSON.parse(`[${'0,'.repeat(1_000_000)}0]`);
		assert.ok(estimateFrameSize(wide, 256 * 1024) > 256 * 1024);
		assert.ok(estimateFrameSize(wide, 7 * 1024 * 1024) > 1_000_000);
		assert.ok(estimateFrameSize(JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`), 1_000_000) > 100_000);
		assert.ok(estimateFrameSize([null, undefined, 1, true, () => {}], 1000) > 0);
	});

	it('answers a refused request with its id and the reason, and nothing else', () => {
		const translate = (template: string) => template.toUpperCase();
		const answer = (refused: unknown, verdict: 'tooMany' | 'tooLarge') =>
			createFrameRefusal(refused, verdict, translate);
		assert.deepEqual(answer(frame('view/complete', ''), 'tooMany'), {
			kind: 'error',
			id: 1,
			code: WIRE_CODES.domainError,
			message: 'THE VIEW SENT TOO MANY REQUESTS AT ONCE. TRY AGAIN.',
			data: { code: 'RATE_LIMITED', facts: {} },
		});
		assert.deepEqual(answer(frame('view/complete', ''), 'tooLarge'), {
			kind: 'error',
			id: 1,
			code: WIRE_CODES.domainError,
			message: 'THE MESSAGE IS TOO LONG.',
			data: { code: 'MESSAGE_TOO_LONG', facts: {} },
		});
		for (const other of [
			undefined,
			null,
			'request',
			7,
			{},
			{ kind: 'request' },
			{ kind: 'notification', id: 1 },
			{ kind: 'request', id: [[1]] },
		]) {
			assert.equal(answer(other, 'tooMany'), undefined);
		}
	});

	it('logs each kind of trouble once, and no more than 20 kinds', () => {
		const logged: string[] = [];
		const complain = createOnceLogger({ warn: (line) => logged.push(line) }, 'chat');
		for (let at = 0; at < 30; at += 1) {
			complain(`kind ${at}`);
			complain('kind 0');
		}
		assert.deepEqual(
			[logged.length, logged[0], logged[19]],
			[20, 'chat: dropped a message of the page: kind 0', 'chat: dropped a message of the page: kind 19'],
		);
	});
});
