/** A model that gives the answers of a case, one for each request, on loopback; one request more is refused. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ScriptedModel {
	readonly baseUrl: string;
	/** Requests so far. */
	readonly requests: number;
	close(): Promise<void>;
}

export const SCRIPTED_MODEL = 'scripted';

export async function startScriptedModel(answers: readonly unknown[]): Promise<ScriptedModel> {
	let requests = 0;
	const server = createServer((request, response) => {
		response.shouldKeepAlive = false;
		request.resume();
		request.once('end', () => {
			if (request.method !== 'POST') {
				answerScripted(response, 200, { object: 'list', data: [{ id: SCRIPTED_MODEL, object: 'model' }] });
				return;
			}
			const answer = answers[requests];
			requests += 1;
			if (answer === undefined) {
				const message = `the case has ${answers.length} answers of a model; this is request ${requests}`;
				answerScripted(response, 400, { error: { message, type: 'invalid_request_error' } });
			} else {
				streamScripted(response, typeof answer === 'string' ? answer : JSON.stringify(answer));
			}
		});
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(0, '127.0.0.1', resolve);
	});
	return {
		baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		get requests() {
			return requests;
		},
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

function answerScripted(response: ServerResponse, status: number, value: unknown): void {
	response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function streamScripted(response: ServerResponse, content: string): void {
	const sendEvent = (choice: unknown) =>
		response.write(
			`data: ${JSON.stringify({ object: 'chat.completion.chunk', model: SCRIPTED_MODEL, choices: [choice] })}\n\n`,
		);
	response.writeHead(200, { 'content-type': 'text/event-stream' });
	sendEvent({ index: 0, delta: { role: 'assistant', content }, finish_reason: null });
	sendEvent({ index: 0, delta: {}, finish_reason: 'stop' });
	response.end('data: [DONE]\n\n');
}
