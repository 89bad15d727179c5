/** An MCP server that speaks over its input and output, as one that already runs: each message passes as it is. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { httpSite } from './http-site.ts';
import { openEvents, sseMessage } from './mcp-sites.ts';

/** Ways of an answer over HTTP: as JSON, as a stream of events, or over the older transport. */
type BridgedWire = 'json' | 'events' | 'sse';

/** Starts the program with Node, and returns its entry, whose host the settings have to list. */
export async function bridgedSite(argv: readonly string[], wire: BridgedWire) {
	const child = spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'ignore'] });
	const waiting = new Map<unknown, ServerResponse>();
	let stream: ServerResponse | undefined;
	createInterface({ input: child.stdout }).on('line', (line) => {
		const response = waiting.get((JSON.parse(line) as { readonly id: unknown }).id);
		if (wire === 'sse') stream?.write(sseMessage(line));
		else if (wire === 'json') response?.writeHead(200, { 'content-type': 'application/json' }).end(line);
		// The end of each line arrives in another piece than its beginning.
		else
			response?.end(
				`id: 1\r\n: a comment\r\nevent: message\r\ndata: ${line.slice(0, 1)}\r\ndata:${line.slice(1)}\r\n\r\n`,
			);
	});
	const site = await httpSite(({ method, path, body }, response) => {
		if (method !== 'POST' || (wire === 'sse' && path !== '/messages')) {
			if (wire !== 'sse' || method !== 'GET') return void response.writeHead(405).end();
			openEvents((stream = response));
			return void response.write('event: endpoint\ndata: /messages\n\n');
		}
		const { id } = JSON.parse(body) as { readonly id?: unknown };
		child.stdin.write(`${body}\n`);
		if (wire === 'sse' || id === undefined) return void response.writeHead(202).end();
		waiting.set(id, response);
		if (wire === 'events') openEvents(response);
	});
	const host = `127.0.0.1:${site.port}`;
	return {
		host,
		entry: { type: wire === 'sse' ? 'sse' : 'http', url: `http://${host}/mcp` },
		async close() {
			const closed = once(child, 'close');
			child.stdin.end();
			await site.close();
			await closed;
		},
	};
}
