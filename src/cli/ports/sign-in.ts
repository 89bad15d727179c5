/** Signing in from a terminal: the browser comes back to an address of this machine, which listens for that one visit. */
import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { orAborted, withTimeLimit } from '../../base/time/bounded-wait.ts';
import type { AwaitedAnswer, SignInPort } from '../../contract/ports/ports.ts';
import type { SecretsFile } from '../home/secrets-file.ts';
import { cliLimits } from '../terminal/limits.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { visibleLine } from '../terminal/visible.ts';

export function createSignIn(file: SecretsFile, terminal: Pick<Terminal, 'err'>): SignInPort {
	return {
		kept: {
			get: async (key) => file.read().get(key),
			async set(key, value) {
				const limit = { what: 'storing a sign-in', timeoutMs: cliLimits.requestMs };
				await withTimeLimit(limit, (signal) => file.set(key, value, signal));
			},
		},
		awaitAnswer: () => listenForVisit(terminal),
	};
}

async function listenForVisit(terminal: Pick<Terminal, 'err'>): Promise<AwaitedAnswer> {
	// Use a secret path: without it nobody can answer, nor find out that somebody waits.
	const path = `/${randomBytes(16).toString('hex')}`;
	const visits = new Map<string, (query: URLSearchParams) => void>();
	const server = createServer((request, response) => {
		const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
		const take = pathname === path ? visits.get(searchParams.get('state') ?? '') : undefined;
		response.writeHead(take === undefined ? 404 : 200, {
			'content-type': 'text/plain; charset=utf-8',
			'cache-control': 'no-store',
			'referrer-policy': 'no-referrer',
			connection: 'close',
		});
		response.end(take === undefined ? 'Nothing here.' : 'Prowess has the answer. You can close this page.');
		take?.(searchParams);
	});
	await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
	return {
		redirectUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
		open(url) {
			terminal.err(`Open this page in your browser:\n${visibleLine(url)}\n`);
			return Promise.resolve();
		},
		async answer(state, signal) {
			const visit = new Promise<URLSearchParams>((resolve) => visits.set(state, resolve));
			return await orAborted(visit, signal);
		},
		dispose: () => closeVisitServer(server),
	};
}

function closeVisitServer(server: Server): void {
	server.close();
	server.closeAllConnections();
}
