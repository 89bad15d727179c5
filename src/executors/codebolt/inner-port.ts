/**
 * The port that a program for Codebolt connects to, within its own process. The library of such a program knows an address
 * and no descriptor, so connections to that address become a pair of streams here: nothing listens on this machine, nobody
 * else can connect, and a sandbox without a network changes nothing.
 */
import { createServer, type IncomingMessage } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';

/** Port that the library takes by itself; any number would do, because nothing listens on it. */
const INNER_PORT = 12_345;
const INNER_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1', '[::1]']);
const INNER_PATH = '/codebolt';
/** A text of a file to be written is in one message, and may be as long as a frame to the host. */
const MAX_MESSAGE_BYTES = 4 * 1_048_576;

/** Message of the program, parsed only for its `type`; or the reason why it is no message. */
type HeardMessage = { readonly message: InnerMessage } | { readonly fault: string };
export type InnerMessage = Readonly<Record<string, unknown>> & { readonly type: string };

interface InnerPortEvents {
	/** `query`: of the address that the program has connected to. */
	onOpen(query: URLSearchParams): void;
	onHeard(heard: HeardMessage): void;
	onClosed(): void;
}

interface InnerPort {
	/** For the environment of the program. */
	readonly variables: Readonly<Record<string, string>>;
	send(message: Readonly<Record<string, unknown>>): void;
}

/** From now on, connections of this process to the port lead here. The first is taken, and no other. */
export function openInnerPort(events: InnerPortEvents): InnerPort {
	let channel: WebSocket | undefined;
	const server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false });
	const http = createServer((_, response) => response.writeHead(404).end());
	http.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
		const { pathname, searchParams } = new URL(request.url ?? '/', 'ws://localhost');
		if (channel !== undefined || pathname !== INNER_PATH) {
			stream.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
			return;
		}
		server.handleUpgrade(request, stream, head, (opened) => {
			channel = opened;
			opened.on('message', (data: Buffer, isBinary: boolean) => events.onHeard(readMessage(data, isBinary)));
			// The close follows.
			opened.on('error', () => undefined);
			opened.on('close', () => events.onClosed());
			events.onOpen(searchParams);
		});
	});
	leadConnections((stream) => http.emit('connection', stream));
	return {
		variables: { SOCKET_PORT: String(INNER_PORT) },
		send: (message) => {
			if (channel?.readyState === WebSocket.OPEN) channel.send(JSON.stringify(message));
		},
	};
}

function readMessage(data: Buffer, isBinary: boolean): HeardMessage {
	if (isBinary) return { fault: 'a binary message' };
	let value: unknown;
	try {
		value = JSON.parse(data.toString('utf8'));
	} catch {
		return { fault: 'a message that is not JSON' };
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		return { fault: 'a message that is no object' };
	}
	return typeof (value as InnerMessage).type === 'string' && (value as InnerMessage).type !== ''
		? { message: value as InnerMessage }
		: { fault: 'a message without a type' };
}

/** Every way of Node to connect that a program has passes through these functions of one module. */
function leadConnections(take: (stream: Duplex) => void): void {
	const original = net.connect;
	const connectInner = (...given: unknown[]): net.Socket => {
		if (!isInner(given)) return Reflect.apply(original, net, given) as net.Socket;
		const [near, far] = duplexPair({ allowHalfOpen: false });
		const onConnect = given.findLast((each) => typeof each === 'function');
		if (onConnect !== undefined) near.once('connect', onConnect as () => void);
		const options = { setNoDelay: () => near, setKeepAlive: () => near, setTimeout: () => near };
		process.nextTick(() => {
			take(far);
			near.emit('connect');
			near.emit('ready');
		});
		return Object.assign(near, options, { ref: () => near, unref: () => near }) as unknown as net.Socket;
	};
	Object.assign(net, { connect: connectInner, createConnection: connectInner });
	syncBuiltinESMExports();
}

/** `connect(port, host)` or `connect({ port, host })`. */
function isInner([first, second]: readonly unknown[]): boolean {
	const { port, host }: { port?: unknown; host?: unknown } =
		typeof first === 'object' && first !== null ? first : { port: first, host: second };
	return Number(port) === INNER_PORT && INNER_HOSTS.has(typeof host === 'string' ? host : 'localhost');
}
