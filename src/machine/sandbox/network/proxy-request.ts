/**
 * Request of a client to the proxy: CONNECT, a plain HTTP request with the whole address, or SOCKS5. The request is
 * read up to the point where the connection to the host is needed; the credential says which command asks.
 */
import type { Socket } from 'node:net';
import { parseTargetUrl, type TargetUrl } from '../../http/target-url.ts';
import { REQUEST_HEAD_BYTES } from './limits.ts';
import { HeadReader } from './head-reader.ts';

type ProxyRefusal = 'not allowed' | 'not reached';

export interface ProxyRequest {
	readonly target: TargetUrl;
	/** Credential as the client gave it; undefined: the client gave none. */
	readonly credential: string | undefined;
	/** For the client, when the connection stands. */
	readonly connected: Buffer;
	/** For the host, before anything else that the client says. */
	readonly first: Buffer;
	/** For the client, when there will be no connection; `words` are shown where the form has room for them. */
	refusal(refusal: ProxyRefusal, words: string): Buffer;
}

/** The client is to say who it is; it may do so on another connection. */
export const WHO_ARE_YOU = httpAnswer(
	'407 Proxy Authentication Required',
	'Name the command: use the proxy as it was given.',
	['Proxy-Authenticate: Basic realm="Prowess"'],
);

const SOCKS_VERSION = 5;
const BY_PASSWORD = 2;

/** Rejects for what is no request that this proxy takes; an answer to that was sent where the form has one. */
export async function readProxyRequest(socket: Socket): Promise<ProxyRequest> {
	const reader = new HeadReader(socket, REQUEST_HEAD_BYTES);
	const [version] = await reader.peek(1);
	const request = version === SOCKS_VERSION ? await readSocks(socket, reader) : await readHttp(socket, reader);
	reader.giveBack();
	return request;
}

async function readHttp(socket: Socket, reader: HeadReader): Promise<ProxyRequest> {
	const head = (await reader.takeThrough('\r\n\r\n')).toString('latin1');
	try {
		return parseHttpRequest(head);
	} catch (error) {
		socket.end(httpAnswer('400 Bad Request', error instanceof Error ? error.message : String(error)));
		throw error;
	}
}

function parseHttpRequest(head: string): ProxyRequest {
	const [line = '', ...headers] = head.trimEnd().split('\r\n');
	const [, method = '', address = '', version = ''] = /^([A-Z]+) (\S+) (HTTP\/1\.[01])$/.exec(line) ?? [];
	const credential = credentialIn(headers);
	const createRefusal = (refused: ProxyRefusal, words: string) =>
		httpAnswer(refused === 'not allowed' ? '403 Not Allowed By Prowess' : '502 Not Reached', words);
	if (method === 'CONNECT') {
		const connected = Buffer.from('HTTP/1.1 200 Connected\r\n\r\n');
		return { target: parseAuthority(address), credential, connected, first: Buffer.alloc(0), refusal: createRefusal };
	}
	if (!/^http:\/\//i.test(address)) {
		throw new Error('this is a proxy: it takes CONNECT, and requests with a whole http:// address');
	}
	const target = parseTargetUrl(address);
	const first = Buffer.from(
		formatForwardedHead(`${method} ${target.url.pathname}${target.url.search} ${version}`, headers, target),
	);
	return { target, credential, connected: Buffer.alloc(0), first, refusal: createRefusal };
}

/** Headers between the client and us; the host gets its own name, whatever the client wrote. */
const FOR_US = new Set(['proxy-authorization', 'proxy-connection', 'connection', 'keep-alive', 'host']);

/** The connection ends with the answer, so that another host is asked for on a new one, where it is judged. */
function formatForwardedHead(line: string, headers: readonly string[], { host }: TargetUrl): string {
	const kept = headers.filter((header) => !FOR_US.has(parseHeaderName(header)));
	return [line, `Host: ${host}`, ...kept, 'Connection: close', '', ''].join('\r\n');
}

function credentialIn(headers: readonly string[]): string | undefined {
	const header = headers.find((each) => parseHeaderName(each) === 'proxy-authorization');
	const [, encoded] = /^[^:]+:\s*Basic\s+([A-Za-z0-9+/=]+)\s*$/i.exec(header ?? '') ?? [];
	return encoded === undefined ? undefined : passwordIn(Buffer.from(encoded, 'base64').toString('utf8'));
}

function passwordIn(userAndPassword: string): string {
	return userAndPassword.slice(userAndPassword.indexOf(':') + 1);
}

function parseHeaderName(header: string): string {
	return (header.split(':', 1)[0] ?? '').trim().toLowerCase();
}

function httpAnswer(status: string, words: string, headers: readonly string[] = []): Buffer {
	const body = Buffer.from(`${words}\n`);
	const head = [`HTTP/1.1 ${status}`, ...headers, 'Content-Type: text/plain; charset=utf-8'];
	return Buffer.concat([
		Buffer.from([...head, `Content-Length: ${body.length}`, 'Connection: close', '', ''].join('\r\n')),
		body,
	]);
}

/** `host:port`, judged like an address of the scheme that uses the port. */
function parseAuthority(authority: string): TargetUrl {
	const scheme = authority.endsWith(':80') ? 'http' : 'https';
	if (!/^(?:\[[0-9a-f:.]+\]|[^:/?#]+):\d{1,5}$/i.test(authority)) {
		throw new Error('expected a host and a port');
	}
	return parseTargetUrl(`${scheme}://${authority}`);
}

async function readSocks(socket: Socket, reader: HeadReader): Promise<ProxyRequest> {
	const [, count = 0] = await reader.take(2);
	const methods = await reader.take(count);
	if (!methods.includes(BY_PASSWORD)) {
		socket.end(Buffer.from([SOCKS_VERSION, 0xff]));
		throw new Error('the client of SOCKS gives no password');
	}
	socket.write(Buffer.from([SOCKS_VERSION, BY_PASSWORD]));
	const [, userLength = 0] = await reader.take(2);
	await reader.take(userLength);
	const [passwordLength = 0] = await reader.take(1);
	const credential = (await reader.take(passwordLength)).toString('utf8');
	// Accept every credential here: the answer to the request says whether it is right.
	socket.write(Buffer.from([1, 0]));
	const [, command, , kind] = await reader.take(4);
	const host = await socksHost(reader, kind);
	const port = (await reader.take(2)).readUInt16BE(0);
	const createSocksAnswer = (code: number) => Buffer.from([SOCKS_VERSION, code, 0, 1, 0, 0, 0, 0, 0, 0]);
	if (command !== 1) {
		socket.end(createSocksAnswer(7));
		throw new Error('only connections are taken over SOCKS');
	}
	try {
		return {
			target: parseAuthority(`${host}:${port}`),
			credential,
			connected: createSocksAnswer(0),
			first: Buffer.alloc(0),
			refusal: (refused) => createSocksAnswer(refused === 'not allowed' ? 2 : 4),
		};
	} catch (error) {
		socket.end(createSocksAnswer(8));
		throw error;
	}
}

async function socksHost(reader: HeadReader, kind: number | undefined): Promise<string> {
	switch (kind) {
		case 1:
			return [...(await reader.take(4))].join('.');
		case 3: {
			const [length = 0] = await reader.take(1);
			return (await reader.take(length)).toString('latin1');
		}
		case 4: {
			const bytes = await reader.take(16);
			const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(2 * index).toString(16));
			return new URL(`http://[${groups.join(':')}]`).hostname;
		}
		default:
			throw new Error('an address of an unknown kind');
	}
}
