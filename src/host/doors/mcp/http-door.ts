/**
 * MCP over HTTP, for clients on this machine alone: on loopback, with a token, for our own name as host and origin. A page
 * in a browser, whatever name it has, gets nothing.
 */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Disposable } from '../../../base/disposable.ts';
import { isSameProof } from '../../../features/background/background-record.ts';
import { mcpDoorLimits } from '../limits.ts';
import { openListeningDoor, readBody, type Refusal, refuseRequest } from '../listening.ts';
import type { McpDoor } from './mcp-door.ts';

const PATH = '/mcp';

interface HttpListening extends Disposable {
	readonly url: string;
}

/** Rejects with INVALID_STATE where the port is taken. `port` 0: any that is free. */
export async function listenForMcp(
	door: Pick<McpDoor, 'createServer'>,
	{ port, token, log }: { readonly port: number; readonly token: string; log(message: string): void },
): Promise<HttpListening> {
	const handler = createMcpHandler(() => door.createServer(), {
		onerror: (error) => log(error.message),
		maxRequestBodySize: mcpDoorLimits.messageBytes,
	});
	const { connections, requestMs } = mcpDoorLimits;
	const listening = await openListeningDoor({ port, connections, requestMs }, (request, response) => {
		const refused = findRefusal(request, token);
		if (refused === undefined) void answerRequest((asked) => handler.fetch(asked), request, response, log);
		else refuseRequest(response, refused);
	});
	return {
		url: `http://127.0.0.1:${listening.port}${PATH}`,
		dispose() {
			void handler.close();
			listening.close();
		},
	};
}

/** Undefined for a request of somebody who has the token. */
function findRefusal({ headers: { authorization = '' }, url }: IncomingMessage, token: string): Refusal | undefined {
	if (!isSameProof(authorization, `Bearer ${token}`)) {
		return { status: 401, why: 'Send the token that prowess mcp serve printed, as "Authorization: Bearer …".' };
	}
	return url?.split('?')[0] === PATH ? undefined : { status: 404, why: `Only ${PATH} is served here.` };
}

async function answerRequest(
	serve: (request: Request) => Promise<Response>,
	request: IncomingMessage,
	response: ServerResponse,
	log: (message: string) => void,
): Promise<void> {
	const gone = new AbortController();
	response.once('close', () => gone.abort());
	try {
		const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
		const body = hasBody ? await readBody(request, mcpDoorLimits.messageBytes) : undefined;
		if (body === 'too long') {
			const why = `A message has at most ${mcpDoorLimits.messageBytes} bytes.`;
			response.writeHead(413, { 'content-type': 'text/plain', connection: 'close' }).end(why);
			return;
		}
		const headers = new Headers();
		for (const [name, value] of Object.entries(request.headers)) {
			if (name !== 'authorization' && value !== undefined) headers.set(name, String(value));
		}
		const asked = new Request(`http://${request.headers.host}${request.url}`, {
			method: request.method ?? 'GET',
			headers,
			signal: gone.signal,
			...(body === undefined ? {} : { body: new Uint8Array(body) }),
		});
		const served = await serve(asked);
		response.writeHead(served.status, Object.fromEntries(served.headers));
		for await (const chunk of served.body ?? []) {
			if (!response.write(chunk)) await once(response, 'drain', { signal: gone.signal });
		}
		response.end();
	} catch (error) {
		if (!gone.signal.aborted) log(`a request over HTTP failed: ${String(error)}`);
		response.destroy();
	}
}
