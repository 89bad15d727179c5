/**
 * Each fault of a provider at each place of its stream, in a chain of three, through the real server and real HTTP: who
 * answers, what the user is told, and that a tool that has run does not run again. The places of one fault run at once.
 */
import assert from 'node:assert/strict';
import type { ErrorCode } from '../../../src/protocol/errors/errors.ts';
import type { ThreadId } from '../../../src/protocol/rpc/ids.ts';
import type { ThreadEvent, ThreadSnapshot } from '../../../src/protocol/thread/thread.ts';
import { threadRequests } from '../../../src/protocol/thread/thread-requests.ts';
import { type ModelServer, type ScriptEntry, startModelServer } from '../../support/model-server.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { MemoryHost } from '../../transcripts/memory-host.ts';
import { ServerUnderTest } from '../threads/server-under-test.ts';

const signal = new AbortController().signal;

interface Fault {
	/** Fault as a refusal, before the first byte. */
	readonly refused: ScriptEntry;
	/** Fault as the end of a stream that has begun. */
	readonly broken: NonNullable<Extract<ScriptEntry, { then?: unknown }>['then']>;
	readonly code: ErrorCode;
	/** Where the refusal has another one. */
	readonly refusedCode?: ErrorCode;
	/** Requests that a provider gets before another one is asked; else one. */
	readonly attempts?: number;
	/** True when the fault is the provider's, so the next model of the chain answers. */
	readonly isOfProvider: boolean;
}

const patience = { 'retry-after': '120' };
const event = (error: Record<string, unknown>) => ({ error });

const faults: Readonly<Record<string, Fault>> = {
	'a limit of requests': {
		refused: { error: 429, message: 'slow down', headers: patience },
		broken: event({ code: 429, message: 'Rate limit reached. Please try again in 120s.' }),
		code: 'PROVIDER_RATE_LIMITED',
		isOfProvider: true,
	},
	'an overload': {
		refused: { error: 503, message: 'busy', headers: patience },
		broken: event({ code: 503, message: 'Overloaded. Please try again in 120s.' }),
		code: 'PROVIDER_OVERLOADED',
		isOfProvider: true,
	},
	'a time-out behind it': {
		refused: { error: 504, message: 'gateway timeout', headers: patience },
		broken: event({ code: 504, message: 'Upstream timed out. Please try again in 120s.' }),
		code: 'PROVIDER_OVERLOADED',
		isOfProvider: true,
	},
	'a connection that ends': {
		refused: { hangsUp: true },
		broken: 'cut',
		code: 'STREAM_CUT',
		refusedCode: 'PROVIDER_UNREACHABLE',
		attempts: 4,
		isOfProvider: true,
	},
	'a refused key': {
		refused: { error: 401, message: 'Incorrect API key provided' },
		broken: event({ type: 'authentication_error', code: 'invalid_api_key', message: 'Incorrect API key provided' }),
		code: 'PROVIDER_AUTH',
		isOfProvider: true,
	},
	'an account without credit': {
		refused: { error: 402, message: 'Insufficient credits' },
		broken: event({
			type: 'insufficient_quota',
			code: 'insufficient_quota',
			message: 'You exceeded your current quota',
		}),
		code: 'PROVIDER_BILLING',
		isOfProvider: true,
	},
	'a missing model': {
		refused: { error: 404, message: 'The model does not exist' },
		broken: event({ type: 'invalid_request_error', code: 'model_not_found', message: 'The model does not exist' }),
		code: 'MODEL_NOT_FOUND',
		isOfProvider: true,
	},
	'a web page or bytes that are no answer': {
		refused: { error: 200, headers: { 'content-type': 'text/html' }, body: '<html><title>Sign in</title></html>' },
		broken: 'garbage',
		code: 'STREAM_MALFORMED',
		isOfProvider: true,
	},
	'an address that is somewhere else now': {
		refused: { error: 302, headers: { location: 'https://host.example/v2' } },
		broken: event({ code: 501, message: 'Not implemented' }),
		code: 'PROVIDER_ERROR',
		isOfProvider: true,
	},
	'a proxy before it that wants a sign-in': {
		refused: { error: 407, message: 'Proxy Authentication Required' },
		broken: event({ code: 407, message: 'Proxy Authentication Required' }),
		code: 'PROVIDER_ERROR',
		isOfProvider: true,
	},
	'a conversation that is too long': {
		refused: { error: 400, message: 'maximum context length is 10 tokens' },
		broken: event({ code: 'context_length_exceeded', message: 'maximum context length is 10 tokens' }),
		code: 'CONTEXT_OVERFLOW',
		isOfProvider: false,
	},
	'a wrong request': {
		refused: { error: 400, message: 'bad tool' },
		broken: event({ type: 'invalid_request_error', message: 'bad tool' }),
		code: 'PROVIDER_ERROR',
		isOfProvider: false,
	},
	'a refusal of the model': {
		refused: { then: { reason: 'refusal' } },
		broken: { reason: 'refusal' },
		code: 'MODEL_REFUSED',
		isOfProvider: false,
	},
	'a content filter': {
		refused: { then: { reason: 'content_filter' } },
		broken: { reason: 'content_filter' },
		code: 'ANSWER_FILTERED',
		isOfProvider: false,
	},
};

const write = { name: 'fs_write', input: { path: 'made.txt', content: 'once\n' } };

/** Answers of the first provider, request by request; the last entry counts for all that follow. */
const places: Readonly<Record<string, (fault: Fault) => readonly ScriptEntry[]>> = {
	'before the first byte': ({ refused }) => [refused],
	'after the headers': ({ broken }) => [{ then: broken }],
	'inside its thoughts': ({ broken }) => [{ reasoning: 'Hm', then: broken }],
	'inside its text': ({ broken, refused }) => [{ text: 'First half. ', then: broken }, refused],
	'inside a call': ({ broken }) => [{ toolCalls: [{ name: 'fs_write', input: '{"path":"ma' }], then: broken }],
	'after a tool': ({ refused }) => [{ toolCalls: [write] }, refused],
};

interface Played {
	readonly snapshot: ThreadSnapshot;
	readonly end: Extract<ThreadEvent, { type: 'turn.end' }>;
	readonly writes: number;
	readonly asked: number;
}

const chains = Object.entries(faults).flatMap(([what, fault]) =>
	(fault.isOfProvider ? [false, true] : [false]).map((secondFails) => ({ what, fault, secondFails })),
);

for (const { what, fault, secondFails } of chains) {
	const failing = secondFails ? 'the first two providers fail' : 'the first provider fails';
	const answering = secondFails ? 'Third here.' : 'Second here.';

	describe(`a chain of three in which ${failing} with ${what}`, function () {
		this.timeout(60_000);
		const played = new Map<string, Promise<Played>>();
		let server: ServerUnderTest;
		let models: ModelServer[];

		before(async () => {
			const asked = Object.keys(places).map(() => 0);
			const first = await startModelServer((_n, { path }) => {
				const at = Number(/^\/v1\/(\d)\//.exec(path)?.[1]);
				const script = Object.values(places)[at]?.(fault) ?? assert.fail(path);
				const n = asked[at] ?? 0;
				asked[at] = n + 1;
				return script[Math.min(n, script.length - 1)] ?? assert.fail(path);
			});
			const second = await startModelServer(() => (secondFails ? fault.refused : { text: 'Second here.' }));
			const third = await startModelServer(() => ({ text: 'Third here.' }));
			models = [first, second, third];
			const others = { second: second.baseUrl, third: third.baseUrl };
			const urls = { ...Object.fromEntries(asked.map((_, at) => [`p${at}`, `${first.baseUrl}/${at}`])), ...others };
			const host = new MemoryHost({});
			server = await ServerUnderTest.startHere({
				home: tempDir('home'),
				host,
				modelUrl: first.baseUrl,
				settings: {
					'prowess.providers': Object.entries(urls).map(([id, baseUrl]) => ({
						id,
						baseUrl,
						kind: 'openai-compatible',
						models: ['m'],
					})),
					'prowess.models.fallback': Object.keys(others).map((provider) => ({ provider, model: 'm' })),
				},
			});
			for (const [at, place] of Object.keys(places).entries()) {
				const result = play(at, host);
				// The spec of this place says so.
				result.catch(() => {});
				played.set(place, result);
			}
			// A spec that ran before the others had ended would be blamed for their waits.
			await Promise.allSettled(played.values());
		});

		after(async () => {
			await server.stop();
			await Promise.all(models.map((model) => model.close()));
		});

		async function play(at: number, host: MemoryHost): Promise<Played> {
			const { id } = await server.peer.call(threadRequests.create, { modelId: `p${at}/m` }, signal);
			const ended = endOf(id);
			await server.peer.call(threadRequests.prompt, { threadId: id, text: 'Make the file' }, signal);
			const end = await ended;
			return {
				end,
				snapshot: await server.peer.call(threadRequests.open, { threadId: id, items: 1000 }, signal),
				writes: host.performed.filter(({ op, threadId }) => op === 'fs.write' && threadId === id).length,
				asked: models[0]?.requests.filter(({ path }) => path.startsWith(`/v1/${at}/`)).length ?? 0,
			};
		}

		function endOf(id: ThreadId): Promise<Played['end']> {
			return new Promise((resolve) => {
				const subscription = server.onUpdate.event(({ threadId, events }) => {
					const end = events.find((each) => each.type === 'turn.end');
					if (threadId === id && end?.type === 'turn.end') {
						subscription.dispose();
						resolve(end);
					}
				});
			});
		}

		for (const place of Object.keys(places)) {
			it(`${place}: ${fault.isOfProvider ? `the ${secondFails ? 'third' : 'second'} answers, and the user is told why` : 'nobody else is asked'}`, async () => {
				const { snapshot, end, writes, asked } = (await played.get(place)) ?? assert.fail();
				const said = snapshot.items.map((item) => (item.kind === 'text' ? item.text : '')).join('');
				const begun = place === 'inside its text' ? 'First half. ' : '';
				const hasTool = place === 'after a tool';
				assert.equal(writes, hasTool ? 1 : 0);
				if (!fault.isOfProvider) {
					const told = snapshot.items.flatMap((item) => (item.kind === 'notice' ? [item.error?.code] : []));
					assert.deepEqual([end.outcome, said, told, asked], ['failed', begun, [fault.code], hasTool ? 2 : 1]);
					return;
				}
				const takeovers = snapshot.items.flatMap((item) =>
					item.kind === 'notice' && item.attempt?.failed !== undefined
						? [[item.attempt.error.code, item.attempt.next]]
						: [],
				);
				const isRefused = place === 'before the first byte' || begun !== '' || hasTool;
				const code = (isRefused ? fault.refusedCode : undefined) ?? fault.code;
				const before = begun !== '' || hasTool ? 1 : 0;
				assert.deepEqual([end.outcome, said, asked], ['done', `${begun}${answering}`, before + (fault.attempts ?? 1)]);
				// A second one that has failed in three of these turns is passed over in the others.
				const [next, ...last] = secondFails ? takeovers : [...takeovers, undefined];
				const isPassedOver = secondFails && last.length === 0;
				assert.deepEqual(next, [code, isPassedOver ? 'third/m' : 'second/m']);
				assert.deepEqual(
					last,
					isPassedOver ? [] : [secondFails ? [fault.refusedCode ?? fault.code, 'third/m'] : undefined],
				);
			});
		}

		it('asks of the others only those that it needs', async () => {
			await Promise.all(played.values());
			const [, second, third] = models;
			const turns = fault.isOfProvider ? Object.keys(places).length : 0;
			assert.equal(third?.requests.length, secondFails ? turns : 0);
			if (secondFails) {
				assert.ok((second?.requests.length ?? 0) >= 1);
			} else {
				assert.equal(second?.requests.length, turns);
			}
		});
	});
}
