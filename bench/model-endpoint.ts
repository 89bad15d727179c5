/** A model server that costs next to nothing: answers are bytes made beforehand, request times are taken as they arrive. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Answer =
	| { readonly text: string; readonly deltas?: number }
	| { readonly tool: string; readonly input: unknown };

/** Ways to ask, by the end of their address; ours is the first. */
const DIALECTS = ['/chat/completions', '/responses'] as const;

type Reply = Readonly<Record<(typeof DIALECTS)[number], string>>;

export interface ModelEndpoint {
	readonly baseUrl: string;
	/** Bodies as they came, arrival of each request and end of each reply, in ms of `performance.now()`. */
	readonly requests: { readonly body: string; readonly arrived: number; ended: number }[];
	/** Begins a new script; the last answer repeats. */
	script(answers: readonly Answer[]): void;
	close(): Promise<void>;
}

export async function startModelEndpoint(): Promise<ModelEndpoint> {
	let replies: readonly Reply[] = [];
	const requests: ModelEndpoint['requests'] = [];
	const server = createServer((request, response) => {
		const arrived = performance.now();
		let body = '';
		request.setEncoding('utf8');
		request.on('data', (chunk: string) => {
			body += chunk;
		});
		request.on('end', () => {
			const dialect = DIALECTS.find((each) => request.url?.endsWith(each));
			if (dialect === undefined) {
				response.setHeader('content-type', 'application/json');
				response.end('{"object":"list","data":[{"id":"bench"}]}');
				return;
			}
			const entry = { body, arrived, ended: 0 };
			const reply = replies[Math.min(requests.length, replies.length - 1)]?.[dialect] ?? '';
			requests.push(entry);
			send(response, reply, () => {
				entry.ended = performance.now();
			});
		});
	});
	server.listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	return {
		baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		requests,
		script(answers) {
			replies = answers.map((answer) => ({
				'/chat/completions': chatReply(answer),
				'/responses': responsesReply(answer),
			}));
			requests.length = 0;
		},
		close: () =>
			new Promise((resolve) => {
				server.closeAllConnections();
				server.close(() => resolve());
			}),
	};
}

function send(response: ServerResponse, reply: string, done: () => void): void {
	response.setHeader('content-type', 'text/event-stream');
	response.end(reply, done);
}

/** For the peers that ask in this dialect; without deltas. */
function responsesReply(answer: Answer): string {
	const id = newCallId();
	const item =
		'tool' in answer
			? { type: 'function_call', call_id: id, name: answer.tool, arguments: JSON.stringify(answer.input) }
			: { type: 'message', role: 'assistant', id, content: [{ type: 'output_text', text: answer.text }] };
	const details = { input_tokens_details: null, output_tokens_details: null };
	const usage = { input_tokens: 1_000, output_tokens: 100, total_tokens: 1_100, ...details };
	return [
		{ type: 'response.created', response: { id } },
		{ type: 'response.output_item.done', output_index: 0, item },
		{ type: 'response.completed', response: { id, usage } },
	]
		.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
		.join('');
}

function newCallId(): string {
	return `call_${Math.random().toString(36).slice(2)}`;
}

function chatReply(answer: Answer): string {
	const head = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'bench' };
	const chunk = (delta: unknown, finish: string | null = null) =>
		`data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
	const usage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 };
	const end = `data: ${JSON.stringify({ ...head, choices: [], usage })}\n\ndata: [DONE]\n\n`;
	if ('tool' in answer) {
		const id = newCallId();
		const called = { name: answer.tool, arguments: JSON.stringify(answer.input) };
		const call = { index: 0, id, type: 'function', function: called };
		return `${chunk({ role: 'assistant', content: null, tool_calls: [call] })}${chunk({}, 'tool_calls')}${end}`;
	}
	// Numbered, because a model that says the same over and over is stopped.
	const numbered = (count: number) =>
		Array.from({ length: count }, (_, i) => chunk({ content: `${answer.text}${i} ` }));
	const deltas = answer.deltas === undefined ? chunk({ content: answer.text }) : numbered(answer.deltas).join('');
	return `${chunk({ role: 'assistant' })}${deltas}${chunk({}, 'stop')}${end}`;
}
