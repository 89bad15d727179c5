/**
 * The connection to the host over the process's IPC channel: JSON-RPC with our own conversations, and the language server
 * protocol for manifests, so that `vscode-languageclient` can drive it. The process ends with its host.
 */
import '../protocol/text/without-eval.ts';
import {
	CancellationTokenSource,
	createMessageConnection,
	IPCMessageReader,
	IPCMessageWriter,
	ResponseError,
} from 'vscode-jsonrpc/node';
import { Peer } from '../protocol/rpc/peer.ts';
import { type JsonRpcEnd, jsonRpcWire } from '../protocol/rpc/json-rpc-wire.ts';
import { composeServer } from './compose.ts';
import { languageCapabilities, serveLanguage } from './language/language-service.ts';
import { hostLog } from './host/log.ts';

/** The process as a server. `beforeEnd` is called once it has stored all it has. */
export function serveHost(beforeEnd: () => void): void {
	const { end } = serveOver(process as ServedHost, beforeEnd, () => process.exit(0));
	process.on('disconnect', end);
}

/** Where messages come from and go to: a process with an IPC channel. */
export type ServedHost = ConstructorParameters<typeof IPCMessageReader>[0];

interface Serving {
	/** Ends at once: what streams is journaled, what else is open is settled by the next start. */
	end(): void;
	/** Ends what runs, in order, and then itself. */
	close(): Promise<void>;
}

/** Serves the host at the far end of that channel. `beforeEnd`: as above; `onEnd` is called when the host wants no more of it. */
export function serveOver(channel: ServedHost, beforeEnd: () => void, onEnd: () => void): Serving {
	const connection = createMessageConnection(new IPCMessageReader(channel), new IPCMessageWriter(channel));
	const logUnparsedNotification = (method: string, problem: string) =>
		hostLog(host).warn('a notification did not parse', { method, problem });
	const host: Peer = new Peer(
		jsonRpcWire(connection as JsonRpcEnd, { CancellationTokenSource, ResponseError }),
		logUnparsedNotification,
	);
	const server = composeServer(host);

	const language = serveLanguage(connection, (error) =>
		hostLog(host).error('a manifest could not be checked', { error: String(error) }),
	);

	const endServing = () => {
		server.dispose();
		language.dispose();
		beforeEnd();
		onEnd();
	};
	connection.onRequest('initialize', () => ({ capabilities: languageCapabilities, serverInfo: { name: 'prowess' } }));
	connection.onNotification('initialized', () => {});
	connection.onRequest('shutdown', async () => {
		await server.close();
		// Call `beforeEnd` before answering: the host may kill the process after the answer, because its own teardown
		// takes longer than everything else at its end.
		beforeEnd();
		return null;
	});
	connection.onNotification('exit', endServing);
	connection.onClose(() => connection.dispose());
	connection.listen();
	// The way to the models takes a while to load, and the host is not ready yet either.
	setImmediate(() => void import('./models/providers/post-json.ts'));
	return {
		end: endServing,
		async close() {
			await server.close();
			endServing();
			connection.dispose();
		},
	};
}
