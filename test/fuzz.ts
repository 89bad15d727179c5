/** Frames that nobody meant to send, to the readers at our edges. The same seed makes the same frames. */
import assert from 'node:assert/strict';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { frameLimits } from '../src/protocol/execution/execution.ts';
import { readExecutorFrame } from '../src/protocol/execution/executor-frame.ts';
import { postMessageWire } from '../src/protocol/rpc/post-message-wire.ts';
import { Peer } from '../src/protocol/rpc/peer.ts';
import { threadRequests } from '../src/protocol/thread/thread-requests.ts';
import { below, pick, seeded } from './support/seeded.ts';

type Random = () => number;

const hostileValues: readonly unknown[] = [
	...[null, true, -1, 0, 1e308, -0, 2 ** 53, '', 'x', '__proto__', 'constructor', '\u0000', '\u202e', '\ud800'],
	...[[], {}, [[]], 'a'.repeat(5_000), { toString: 1 }, { length: -1 }, { then: 'x' }],
];
const keys = [
	'type',
	'dispatchId',
	'op',
	'params',
	'callId',
	'value',
	'error',
	'caps',
	'level',
	'agentId',
	'executionId',
];
const executorFrames: readonly Readonly<Record<string, unknown>>[] = [
	{ type: 'ready', protocol: 1 },
	{ type: 'dispatch', dispatchId: 'd-1', op: 'fs.read', params: { path: 'a', offset: 1 } },
	{ type: 'dispatch', dispatchId: 'd-2', op: 'shell.run', params: { argv: ['ls', '-la'] } },
	{ type: 'progress', callId: 'c', message: 'half', fraction: 0.5 },
	{ type: 'result', callId: 'c', value: { a: [1, 2, { b: null }] }, additionalContext: {} },
	{ type: 'result', callId: 'c', error: { message: 'no' } },
];
const known: Readonly<Record<string, readonly string[]>> = {
	ready: ['type', 'protocol'],
	dispatch: ['type', 'dispatchId', 'op', 'params'],
	result: ['type', 'callId', 'value', 'error', 'additionalContext'],
	progress: ['type', 'callId', 'message', 'fraction'],
};

/** Throws at the first frame that makes the reader throw, or that it lets through as something else than was sent. */
export function fuzzExecutorFrames(count: number, seed: number): { readonly accepted: number } {
	const random = seeded(seed);
	let accepted = 0;
	for (let n = 0; n < count; n += 1) {
		const text = mutatedText(JSON.stringify(mutatedFields(pick(random, executorFrames), keys, random)), random);
		const checked = readExecutorFrame(text);
		if (!checked.ok) {
			assert.ok(checked.problem.length > 0 && checked.problem.length < 500);
			continue;
		}
		accepted += 1;
		const what = `frame ${n} of seed ${seed}: ${text.slice(0, 300)}`;
		const { frame, forged } = checked;
		const sent = JSON.parse(text) as Record<string, unknown>;
		assert.ok(Buffer.byteLength(text) <= frameLimits.bytes, what);
		assert.ok(
			Object.keys(frame).every((key) => known[frame.type]?.includes(key)),
			what,
		);
		// The reader adds and changes no field, and names every field it drops.
		assert.deepEqual({ ...sent, ...frame }, sent, what);
		assert.deepEqual(new Set([...Object.keys(frame), ...forged]), new Set(Object.keys(sent)), what);
		// Compares text, because JSON writes -0 as 0.
		const again = readExecutorFrame(JSON.stringify(frame));
		assert.equal(JSON.stringify(again), JSON.stringify({ ok: true, frame, forged: [] }), what);
	}
	assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false);
	return { accepted };
}

function mutatedFields(frame: Readonly<Record<string, unknown>>, names: readonly string[], random: Random): unknown {
	const mutant: Record<string, unknown> = { ...frame };
	for (let n = below(random, 3); n > 0; n -= 1) {
		const name = pick(random, names);
		if (random() < 0.3) delete mutant[name];
		else mutant[name] = pick(random, hostileValues);
	}
	return mutant;
}

function mutatedText(text: string, random: Random): string {
	const at = below(random, text.length);
	switch (below(random, 9)) {
		case 0:
			return text.slice(0, at) + text.slice(at + 1);
		case 1:
			return text.slice(0, at) + String.fromCharCode(below(random, 0x250)) + text.slice(at);
		case 2:
			return text.slice(0, at);
		case 3:
			return text.slice(at) + text;
		case 4:
			return text.replace('{', `{"${pick(random, ['__proto__', 'constructor', 'type'])}":{"polluted":1},`);
		case 5:
			return text.replace(/\d+/, pick(random, ['1e400', '-0', '01', 'NaN', '9'.repeat(400)]));
		case 6:
			return text.replace('"params":', `"params":${'['.repeat(below(random, 2_000))}`);
		default:
			return text;
	}
}

/** Sends what a page that was taken over could post to its host; each request has one answer at most, and nothing breaks. */
export async function fuzzViewMessages(count: number, seed: number): Promise<{ readonly handled: number }> {
	const random = seeded(seed);
	const methods = [
		...Object.values(threadRequests).map(({ method }) => method),
		'toString',
		'__proto__',
		'view/none',
		'',
	];
	const answers = new Map<number, number>();
	let receive: (frame: unknown) => void = () => {};
	let bad = 0;
	let handled = 0;
	const wire = postMessageWire({
		post(frame) {
			const { kind, id } = frame as { kind: string; id: number };
			assert.ok(kind === 'result' || kind === 'error', JSON.stringify(frame));
			answers.set(id, (answers.get(id) ?? 0) + 1);
			structuredClone(frame);
		},
		listen(listener) {
			receive = listener;
			return { dispose() {} };
		},
		onBadFrame: () => void (bad += 1),
	});
	const peer = new Peer(wire);
	// A handler is given params of the declared shape, whatever was sent.
	const handlers = Object.entries(threadRequests).map(([name, def]) => [
		name,
		async (params: unknown) => {
			handled += 1;
			assert.deepEqual(def.params.parse(params), params);
			throw new Error('refused');
		},
	]);
	peer.serve(threadRequests, Object.fromEntries(handlers) as never);

	const frames = [
		{ kind: 'request', id: 1, method: 'thread/list', params: {} },
		{ kind: 'request', id: 1, method: 'thread/prompt', params: { threadId: 'thr_1', text: 'x', context: [] } },
		{ kind: 'cancel', id: 1 },
		{ kind: 'result', id: 1, result: {} },
		{ kind: 'error', id: 1, code: -1, message: 'x' },
		{ kind: 'notification', method: 'thread/update', params: {} },
	];
	for (let n = 0; n < count; n += 1) {
		const frame = mutatedFields(pick(random, frames), ['kind', 'id', 'method', 'params', 'code'], random);
		const named = frame as Record<string, unknown>;
		if (typeof named['id'] === 'number' && random() < 0.9) named['id'] = n + 10;
		if ('method' in named && random() < 0.7) named['method'] = pick(random, methods);
		receive(random() < 0.05 ? pick(random, hostileValues) : named);
		if (n % 500 === 0) await turnOfTheLoop();
	}
	await turnOfTheLoop();
	wire.close();
	assert.ok(bad > 0);
	for (const [id, times] of answers) {
		assert.ok(id < 10 || times === 1 || !Number.isSafeInteger(id), `request ${id} was answered ${times} times`);
	}
	return { handled };
}
