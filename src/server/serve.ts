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

/** `beforeEnd` is called once it has stored all it has. */
export function serve(beforeEnd: () => void): void {
	const connection = createMessageConnection(new IPCMessageReader(process), new IPCMessageWriter(process));
	const log = (method: string, problem: string) =>
		hostLog(host).warn('a notification did not parse', { method, problem });
	const host: Peer = new Peer(jsonRpcWire(connection as JsonRpcEnd, { CancellationTokenSource, ResponseError }), log);
	const server = composeServer(host);

	const language = serveLanguage(connection, (error) =>
		hostLog(host).error('a manifest could not be checked', { error: String(error) }),
	);

	const end = () => {
		// Journals what streams; what else is open is settled by the next start.
		server.dispose();
		language.dispose();
		beforeEnd();
		process.exit(0);
	};
	connection.onRequest('initialize', () => ({ capabilities: languageCapabilities, serverInfo: { name: 'prowess' } }));
	connection.onNotification('initialized', () => {});
	connection.onRequest('shutdown', async () => {
		await server.close();
		// Whoever has asked may kill the process now: taking it down by itself takes longer than all else at its end.
		beforeEnd();
		return null;
	});
	connection.onNotification('exit', end);
	connection.onClose(() => connection.dispose());
	process.on('disconnect', end);
	connection.listen();
	// The way to the models takes a while to load, and the host is not ready yet either.
	setImmediate(() => void import('./models/providers/post-json.ts'));
}
