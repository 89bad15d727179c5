/**
 * Tests the consequences of each reason for which an answer ended, in the words of the vendors that have it: the real
 * server over HTTP.
 */
import assert from 'node:assert/strict';
import type { ProviderKind } from '../../../src/protocol/turn/models.ts';
import { threadRequests } from '../../../src/protocol/thread/thread-requests.ts';
import { events, type RawEndpoint, startRawEndpoint } from '../../contracts/raw-endpoint.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { MemoryHost } from '../../transcripts/memory-host.ts';
import { ServerUnderTest } from '../threads/server-under-test.ts';

const signal = new AbortController().signal;

const claude = (text: string, reason: string) =>
	events(
		{ type: 'message_start', message: { usage: { input_tokens: 900, output_tokens: 1 } } },
		{ type: 'content_block_start', index: 0, content_block: { type: 'text', text } },
		{ type: 'content_block_stop', index: 0 },
		{ type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 9 } },
		{ type: 'message_stop' },
	);
const gemini = (finishReason: string, text?: string) =>
	events({ candidates: [{ content: { parts: text === undefined ? [] : [{ text }] }, finishReason }] });
const gpt = (delta: string, response: Record<string, unknown>, type = 'response.completed') =>
	events({ type: 'response.output_text.delta', item_id: 'm', delta }, { type, response });
const chat = (content: string, reason: string) =>
	events({ choices: [{ index: 0, delta: { content }, finish_reason: reason }] }, '[DONE]');

interface Ending {
	readonly kind: ProviderKind;
	readonly answers: readonly string[];
	readonly outcome: 'done' | 'failed';
	readonly code?: string;
	readonly said: string;
	/** In the last request, where the model is asked again. */
	readonly told?: RegExp;
	readonly requests: number;
	/** The user is offered another model. */
	readonly isOffered?: true;
	/** Beside what is said of a failure. */
	readonly warned?: RegExp;
}

const endings: Readonly<Record<string, Ending>> = {
	'a refusal of Anthropic': {
		kind: 'anthropic',
		answers: [claude('I will', 'refusal')],
		outcome: 'failed',
		code: 'MODEL_REFUSED',
		said: 'I will',
		requests: 1,
		isOffered: true,
	},
	'a filter of Google': {
		kind: 'google',
		answers: [gemini('SAFETY', 'Half')],
		outcome: 'failed',
		code: 'ANSWER_FILTERED',
		said: 'Half',
		requests: 1,
		isOffered: true,
	},
	'a filter of OpenAI': {
		kind: 'openai',
		answers: [gpt('Half', { incomplete_details: { reason: 'content_filter' } }, 'response.incomplete')],
		outcome: 'failed',
		code: 'ANSWER_FILTERED',
		said: 'Half',
		requests: 1,
		isOffered: true,
	},
	'a pause of Anthropic, which goes on': {
		kind: 'anthropic',
		answers: [claude('First half', 'pause_turn'), claude(' and second.', 'end_turn')],
		outcome: 'done',
		said: 'First half and second.',
		told: /Go on where you paused/,
		requests: 2,
	},
	'a call that Google could not read, which is told': {
		kind: 'google',
		answers: [gemini('MALFORMED_FUNCTION_CALL'), gemini('STOP', 'Then without.')],
		outcome: 'done',
		said: 'Then without.',
		told: /Your tool call could not be read/,
		requests: 2,
	},
	'calls that Google could not read, three times': {
		kind: 'google',
		answers: [gemini('MALFORMED_FUNCTION_CALL')],
		outcome: 'failed',
		code: 'STREAM_MALFORMED',
		said: '',
		requests: 3,
		isOffered: true,
	},
	'a limit in a text, which goes on': {
		kind: 'openai-compatible',
		answers: [chat('First half', 'length'), chat(' and second.', 'stop')],
		outcome: 'done',
		said: 'First half and second.',
		told: /cut off at the token limit\. Go on exactly where it stopped/,
		requests: 2,
	},
	'a pause at a compatible endpoint, which goes on': {
		kind: 'openai-compatible',
		answers: [chat('First half', 'pause_turn'), chat(' and second.', 'end_turn')],
		outcome: 'done',
		said: 'First half and second.',
		told: /Go on where you paused/,
		requests: 2,
	},
	'an end before its end at a compatible endpoint, which goes on': {
		kind: 'openai-compatible',
		answers: [chat('First half', 'incomplete'), chat(' and second.', 'STOP')],
		outcome: 'done',
		said: 'First half and second.',
		told: /Go on exactly where it stopped/,
		requests: 2,
	},
	'a filter at a compatible endpoint': {
		kind: 'openai-compatible',
		answers: [chat('Half', 'SAFETY')],
		outcome: 'failed',
		code: 'ANSWER_FILTERED',
		said: 'Half',
		requests: 1,
		isOffered: true,
	},
	'a reason that nobody knows': {
		kind: 'openai-compatible',
		answers: [chat('All of it.', 'tired')],
		outcome: 'done',
		said: 'All of it.',
		requests: 1,
		warned: /reason that is not known/,
	},
	'a reason of Anthropic that nobody knows': {
		kind: 'anthropic',
		answers: [claude('All of it.', 'tired')],
		outcome: 'done',
		said: 'All of it.',
		requests: 1,
		warned: /reason that is not known/,
	},
	'a reason of Google that nobody knows': {
		kind: 'google',
		answers: [gemini('OTHER', 'All of it.')],
		outcome: 'done',
		said: 'All of it.',
		requests: 1,
		warned: /reason that is not known/,
	},
	'an end before its end of OpenAI, without a reason': {
		kind: 'openai',
		answers: [gpt('All of it.', { status: 'incomplete' }, 'response.incomplete')],
		outcome: 'done',
		said: 'All of it.',
		requests: 1,
		warned: /reason that is not known/,
	},
};

describe('an answer that ended with', function () {
	this.timeout(60_000);
	let endpoint: RawEndpoint;
	let server: ServerUnderTest | undefined;
	beforeEach(async () => {
		endpoint = await startRawEndpoint();
	});
	afterEach(async () => {
		await server?.stop();
		server = undefined;
		await endpoint.close();
	});

	for (const [how, ending] of Object.entries(endings)) {
		it(`${how}`, async () => {
			endpoint.answers = ending.answers.map((stream) => ({ chunks: [stream] }));
			server = await ServerUnderTest.startHere({
				home: tempDir('home'),
				host: new MemoryHost({}),
				modelUrl: endpoint.baseUrl,
				settings: {
					'prowess.providers': [{ id: 'test', kind: ending.kind, baseUrl: endpoint.baseUrl, models: ['m'] }],
				},
			});
			const { id: threadId } = await server.peer.call(threadRequests.create, { modelId: 'test/m' }, signal);
			await server.peer.call(threadRequests.prompt, { threadId, text: 'Tell me' }, signal);
			const end = await server.event(({ type }) => type === 'turn.end');
			assert.ok(end.type === 'turn.end');
			const { items } = await server.peer.call(threadRequests.open, { threadId }, signal);
			const said = items.flatMap((item) => (item.kind === 'text' ? [item.text] : [])).join('');
			const offers = items.flatMap((item) => (item.kind === 'notice' ? item.actions : []));
			assert.deepEqual(
				[end.outcome, end.error?.code, said, endpoint.requests.length, offers.includes('switchModel')],
				[ending.outcome, ending.code, ending.said, ending.requests, ending.isOffered === true],
			);
			const warnings = items.flatMap((item) => (item.kind === 'notice' && item.level === 'warning' ? [item.text] : []));
			assert.match(warnings.join('\n'), ending.warned ?? /^$/);
			if (ending.told !== undefined) {
				assert.match(JSON.stringify(endpoint.requests.at(-1)), ending.told);
			}
		});
	}
});
