import assert from 'node:assert/strict';
import fc from 'fast-check';
import { frameLimits } from './execution.ts';
import { readExecutorFrame } from './executor-frame.ts';

const dispatch = { type: 'dispatch', dispatchId: 'd-1', op: 'fs.read', params: { path: 'a' } };
const problemOf = (frame: unknown) => {
	const checked = readExecutorFrame(typeof frame === 'string' ? frame : JSON.stringify(frame));
	return checked.ok ? 'none' : checked.problem;
};
const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

describe('A frame of an executor', () => {
	for (const [what, frame] of [
		['is not JSON', '{'],
		['is an array', '[]'],
		['is null', 'null'],
		['has an unknown type', { ...dispatch, type: 'call' }],
		['has a type of every object', '{"type":"toString"}'],
		['has an unknown field', { ...dispatch, permissions: ['shell'] }],
		['has an id with other characters', { ...dispatch, dispatchId: 'a b' }],
		['has an id that is too long', { ...dispatch, dispatchId: 'a'.repeat(65) }],
		['has an id that is a number', { ...dispatch, dispatchId: 1 }],
		['has an op with other characters', { ...dispatch, op: 'fs.read\n' }],
		['has a key twice', '{"type":"dispatch","dispatchId":"a","dispatchId":"b","op":"x","params":null}'],
		['says by a word that it wants a stream', { ...dispatch, stream: 'yes' }],
		['has a key twice, once spelled with an escape', '{"type":"ready","protocol":1,"protoco\\u006c":2}'],
		['has a key twice far inside', '{"type":"dispatch","dispatchId":"a","op":"x","params":[{"a":1,"b":":","a" :2}]}'],
		['has a key __proto__', '{"type":"dispatch","dispatchId":"a","op":"x","params":{"__proto__":{}}}'],
		['has a key constructor', { ...dispatch, params: { constructor: 1 } }],
		['has a number beyond all numbers', '{"type":"dispatch","dispatchId":"a","op":"x","params":1e400}'],
		['is too deep', { ...dispatch, params: nested(frameLimits.depth) }],
		[
			'has too many keys',
			{ ...dispatch, params: Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`k${i}`, 0])) },
		],
		['is too large', { ...dispatch, params: 'a'.repeat(frameLimits.bytes) }],
		['is too large in bytes', { ...dispatch, params: 'ä'.repeat(frameLimits.bytes / 2) }],
		['has both a value and an error', { type: 'result', callId: 'c', value: 1, error: { message: 'x' } }],
		['has an error without a message', { type: 'result', callId: 'c', error: 'x' }],
		['has a fraction above one', { type: 'progress', callId: 'c', message: 'x', fraction: 2 }],
	] as const) {
		it(`is refused when it ${what}`, () => assert.notEqual(problemOf(frame), 'none'));
	}

	it('is accepted unchanged when it is valid', () => {
		for (const frame of [
			dispatch,
			{ ...dispatch, params: { text: '":":{"a":1,"a":2}', deep: nested(frameLimits.depth - 3) } },
			{ ...dispatch, stream: true },
			{ type: 'ready', protocol: 1 },
			{ type: 'result', callId: 'c' },
			{ type: 'result', callId: 'c', value: null, additionalContext: {} },
			{ type: 'progress', callId: 'c', message: '', fraction: 0.5 },
		]) {
			assert.deepEqual(readExecutorFrame(JSON.stringify(frame)), { ok: true, frame, forged: [] });
		}
	});

	it('loses its claimed identity, and reports the claim', () => {
		const claims = { caps: ['shell'], level: 'PRIVILEGED', agentId: 'a', executionId: 'e' };
		const checked = readExecutorFrame(JSON.stringify({ ...claims, ...dispatch }));
		assert.deepEqual(checked, { ok: true, frame: dispatch, forged: ['caps', 'level', 'agentId', 'executionId'] });
	});

	it('has the same meaning with and without claims', () => {
		const claims = fc.dictionary(
			fc.constantFrom('caps', 'level', 'agentId', 'executionId'),
			fc.jsonValue({ maxDepth: 2 }),
		);
		fc.assert(
			fc.property(claims, fc.jsonValue({ maxDepth: 4 }), (claimed, params) => {
				const plain = readExecutorFrame(JSON.stringify({ ...dispatch, params }));
				const forged = readExecutorFrame(JSON.stringify({ ...claimed, ...dispatch, params }));
				if (plain.ok && forged.ok) {
					assert.deepEqual(forged.frame, plain.frame);
					assert.deepEqual([...forged.forged].sort(), Object.keys(claimed).sort());
				}
				return plain.ok || !forged.ok;
			}),
			{ numRuns: 1_000 },
		);
	});

	it('never makes the reader throw, and a repeated key is always found', () => {
		fc.assert(
			fc.property(fc.json({ maxDepth: 6 }), fc.string(), (json, noise) => {
				readExecutorFrame(json);
				readExecutorFrame(noise);
				const inside = `{"type":"dispatch","dispatchId":"a","op":"x","params":[${json},{"k":${json},"k":0}]}`;
				return problemOf(inside) !== 'none';
			}),
		);
	});
});
