/** Serves MCP clients: one on standard input and output, or those that have the token, over HTTP on loopback. */
import '../../../protocol/text/without-eval.ts';
import { PassThrough, type Readable, Writable } from 'node:stream';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { BoundedLines } from '../../../base/text/bounded-lines.ts';
import { createAskedCalls, McpDoor } from './mcp-door.ts';
import { listenForMcp } from './http-door.ts';
import { openDoorToWindows } from '../windows/open-door.ts';
import { mcpDoorLimits } from '../limits.ts';

export { createAskedCalls, listenForMcp, McpDoor, openDoorToWindows };

interface McpStreams {
	readonly input: Readable;
	/** Resolves when the text has gone out, or nobody takes it. */
	write(text: string): Promise<void>;
	log(message: string): void;
}

/** Resolves when the client has gone or `signal` aborts. */
export async function serveMcpOnStreams(
	door: McpDoor,
	{ input, write, log }: McpStreams,
	signal: AbortSignal,
): Promise<void> {
	const over = Promise.withResolvers<void>();
	const output = new Writable({
		highWaterMark: mcpDoorLimits.unwrittenBytes,
		write(chunk: Buffer, _encoding, done) {
			// A client that does not read is not read either.
			if (output.writableLength > mcpDoorLimits.unwrittenBytes) input.pause();
			const onWritten = () => {
				if (input.isPaused()) input.resume();
				setImmediate(done);
			};
			write(chunk.toString('utf8')).then(onWritten, (error: unknown) =>
				setImmediate(done, error instanceof Error ? error : new Error(String(error))),
			);
		},
	});
	// The transport gets whole lines: it would copy all of a long one again for each of its pieces.
	const read = new PassThrough();
	const lines = new BoundedLines({
		maxBytes: mcpDoorLimits.messageBytes,
		onLine: (line) => {
			read.write(Buffer.concat([line, Buffer.from('\n')]));
			return true;
		},
		onTooLong: () => {
			const message = `a message has at most ${mcpDoorLimits.messageBytes} bytes; nothing more is read`;
			output.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_600, message } })}\n`);
			over.resolve();
		},
	});
	input.on('data', (bytes: Buffer) => lines.push(bytes));
	const options = { maxBufferSize: mcpDoorLimits.messageBytes + 1 };
	const transport = new StdioServerTransport(read, output, options);
	const handle = serveStdio(() => door.createServer(), { transport, onerror: (error) => log(error.message) });
	const onEnd = () => over.resolve();
	for (const event of ['end', 'close', 'error']) input.once(event, onEnd);
	signal.addEventListener('abort', onEnd, { once: true });
	if (signal.aborted) onEnd();
	await over.promise;
	door.close();
	await handle.close();
}
