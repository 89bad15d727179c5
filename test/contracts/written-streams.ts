/** Whole answers as each dialect streams them, written by hand: thoughts, text, a call and an end. */
import type { ModelPort } from '../../src/server/models/model-port.ts';
import { events, type RawEndpoint } from './raw-endpoint.ts';

interface Written {
	readonly thoughts?: string;
	readonly text?: string;
	/** Input of the call as it was written; may be invalid JSON. */
	readonly input?: string;
	readonly end: 'stop' | 'length' | 'missing';
}

interface Dialect {
	open(endpoint: RawEndpoint): ModelPort;
	stream(answer: Written): string;
	/** Returns a stream that reports the error `said` in its middle. */
	failing(said: string): string;
	/** The answer `Half a` without a stream. */
	readonly whole: unknown;
}

const TOOL = 'fs_read';
const chat = (delta: unknown, finish: string | null = null) => ({
	choices: [{ index: 0, delta, finish_reason: finish }],
});
const block = (index: number, start: unknown, delta: unknown) => [
	{ type: 'content_block_start', index, content_block: start },
	{ type: 'content_block_delta', index, delta },
];

/**
 * Parses the input of a call; returns undefined for invalid JSON, because vendors that write objects omit a call that
 * the limit cut.
 */
function objectIn(input: string): unknown {
	try {
		return JSON.parse(input) as unknown;
	} catch {
		return undefined;
	}
}

const known = <T>(value: string | undefined, written: (value: string) => readonly T[]): readonly T[] =>
	value === undefined ? [] : written(value);

export const dialects: Readonly<Record<string, Dialect>> = {
	anthropic: {
		open: (endpoint) => endpoint.model('anthropic'),
		stream({ thoughts, text, input, end }) {
			const stop = (index: number) => ({ type: 'content_block_stop', index });
			return events(
				{ type: 'message_start', message: { usage: { input_tokens: 3, output_tokens: 1 } } },
				...known(thoughts, (thinking) => [
					...block(0, { type: 'thinking', thinking: '' }, { type: 'thinking_delta', thinking }),
					stop(0),
				]),
				...known(text, (said) => [
					...block(1, { type: 'text', text: '' }, { type: 'text_delta', text: said }),
					stop(1),
				]),
				...known(input, (partial_json) => [
					...block(2, { type: 'tool_use', id: 'c1', name: TOOL }, { type: 'input_json_delta', partial_json }),
					...(end === 'missing' ? [] : [stop(2)]),
				]),
				...(end === 'missing'
					? []
					: [
							{
								type: 'message_delta',
								delta: { stop_reason: end === 'length' ? 'max_tokens' : input === undefined ? 'end_turn' : 'tool_use' },
								usage: { output_tokens: 5 },
							},
							{ type: 'message_stop' },
						]),
			);
		},
		failing: (message) => events({ type: 'error', error: { type: 'overloaded_error', message } }),
		whole: { type: 'message', content: [{ type: 'text', text: 'Half a' }], stop_reason: 'end_turn', usage: {} },
	},
	openai: {
		open: (endpoint) => endpoint.model('openai', 'gpt-5'),
		stream({ thoughts, text, input, end }) {
			return events(
				...known(thoughts, (delta) => [{ type: 'response.reasoning_summary_text.delta', item_id: 'r', delta }]),
				...known(text, (delta) => [{ type: 'response.output_text.delta', item_id: 'm', delta }]),
				...known(input, (delta) => [
					{ type: 'response.function_call_arguments.delta', item_id: 'f', delta },
					...(end === 'missing'
						? []
						: [
								{
									type: 'response.output_item.done',
									item: { type: 'function_call', call_id: 'c1', name: TOOL, arguments: delta },
								},
							]),
				]),
				...(end === 'missing'
					? []
					: end === 'length'
						? [
								{
									type: 'response.incomplete',
									response: { incomplete_details: { reason: 'max_output_tokens' } },
								},
							]
						: [{ type: 'response.completed', response: {} }]),
			);
		},
		failing: (message) => events({ type: 'error', code: 'server_is_busy', message }),
		whole: { object: 'response', output: [{ type: 'message', content: [{ type: 'output_text', text: 'Half a' }] }] },
	},
	google: {
		open: (endpoint) => endpoint.model('google'),
		stream({ thoughts, text, input, end }) {
			const parts = (...list: unknown[]) => ({ candidates: [{ content: { parts: list } }] });
			return events(
				...known(thoughts, (said) => [parts({ text: said, thought: true })]),
				...known(text, (said) => [parts({ text: said })]),
				...known(input, (said) => {
					const args = objectIn(said);
					return args === undefined ? [] : [parts({ functionCall: { name: TOOL, args } })];
				}),
				...(end === 'missing'
					? []
					: [{ candidates: [{ content: { parts: [] }, finishReason: end === 'length' ? 'MAX_TOKENS' : 'STOP' }] }]),
			);
		},
		failing: (message) => events({ error: { code: 503, message, status: 'UNAVAILABLE' } }),
		whole: [{ candidates: [{ content: { parts: [{ text: 'Half a' }] }, finishReason: 'STOP' }] }],
	},
	'openai-compatible': {
		open: (endpoint) => endpoint.model('openai-compatible'),
		stream({ thoughts, text, input, end }) {
			return events(
				...known(thoughts, (reasoning_content) => [chat({ reasoning_content })]),
				...known(text, (content) => [chat({ content })]),
				...known(input, (written) => [
					chat({ tool_calls: [{ index: 0, id: 'c1', function: { name: TOOL, arguments: written } }] }),
				]),
				...(end === 'missing'
					? []
					: [chat({}, end === 'length' ? 'length' : input === undefined ? 'stop' : 'tool_calls'), '[DONE]']),
			);
		},
		failing: (message) => events({ error: { message, code: 503 } }),
		whole: { choices: [{ message: { role: 'assistant', content: 'Half a' }, finish_reason: 'stop' }] },
	},
	ollama: {
		open: (endpoint) => endpoint.ollama(8_192),
		stream({ thoughts, text, input, end }) {
			const lines = [
				...known(thoughts, (thinking) => [{ message: { content: '', thinking }, done: false }]),
				...known(text, (content) => [{ message: { content }, done: false }]),
				...known(input, (said) => {
					const args = objectIn(said);
					const call = { function: { name: TOOL, arguments: args } };
					return args === undefined ? [] : [{ message: { content: '', tool_calls: [call] }, done: false }];
				}),
				...(end === 'missing' ? [] : [{ message: { content: '' }, done: true, done_reason: end }]),
			];
			return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
		},
		failing: (message) => `${JSON.stringify({ error: message })}\n`,
		whole: { message: { content: 'Half a' }, done: true, done_reason: 'stop' },
	},
};
