/**
 * Serves everything on the server's connection: its requests to the host, its notifications, and the notifications of
 * the host to it.
 */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { LogPort, WorkspacePort } from '../../contract/ports/ports.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { credentialRequests, lmRequests } from '../../protocol/turn/models.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { hostNotifications, PROTOCOL_VERSION, serverNotifications, serverRequests } from '../../protocol/server.ts';
import type { ThreadUpdate } from '../../protocol/thread/thread.ts';
import { threadNotifications } from '../../protocol/thread/thread-requests.ts';
import { MCP_FILES } from '../editor/command-table.ts';
import { inBackground } from '../editor/signals.ts';
import { editorModelRequests } from '../models/editor-models.ts';
import type { ProviderKeys } from '../models/provider-keys.ts';
import type { EditorSettings } from '../ports/settings-port.ts';
import { workspaceInfo } from '../ports/workspace-port.ts';

export interface ServerServicePorts {
	readonly log: LogPort;
	readonly home: string;
	readonly settings: EditorSettings;
	readonly workspace: WorkspacePort;
	readonly keys: ProviderKeys;
	base(): Promise<TrustedBase>;
	onUpdate(update: ThreadUpdate): void;
	onModelsChanged(): void;
}

/** Registered before the server starts, so that its first question finds an answer. */
export async function serveEditorServer(server: Peer, ports: ServerServicePorts): Promise<Disposable> {
	const { log, keys, settings, workspace } = ports;
	const base = await ports.base();
	const store = new DisposableStore();
	store.add(base.serveServer(server));
	store.add(
		server.serve(credentialRequests, {
			async get({ providerId }) {
				base.usage.checkKey();
				settings.organisation?.checkProvider(settings.current['prowess.providers'].find(({ id }) => id === providerId));
				return { key: await keys.get(providerId) };
			},
		}),
	);
	store.add(server.serve(lmRequests, editorModelRequests(server, settings.organisation)));
	store.add(server.on(threadNotifications, { update: (update) => ports.onUpdate(update) }));
	store.add(
		server.on(serverNotifications, {
			log: ({ level, message, facts }) => log[level](`server: ${base.redact(message)}`, redactLogFacts(base, facts)),
			modelsChanged: () => ports.onModelsChanged(),
		}),
	);
	store.add(settings.onDidChange(() => server.notify(hostNotifications.settings, { settings: settings.current })));
	const tellWorkspace = () => server.notify(hostNotifications.workspace, workspaceInfo(workspace, ports.home));
	store.add(workspace.onDidChange(tellWorkspace));
	// Tells the server when files of MCP servers appear or vanish, because they decide which tools the agent is told
	// of.
	const mcpFiles = store.add(vscode.workspace.createFileSystemWatcher(MCP_FILES, false, true));
	store.add(mcpFiles.onDidCreate(tellWorkspace));
	store.add(mcpFiles.onDidDelete(tellWorkspace));
	store.add(vscode.lm.onDidChangeChatModels(() => server.notify(hostNotifications.models, {})));
	return store;
}

export async function shakeHands(
	server: Peer,
	ports: ServerServicePorts,
	signal: AbortSignal,
	isRecorded: boolean,
): Promise<void> {
	const { home, settings, workspace, log } = ports;
	const { protocolVersion, version, pid } = await server.call(
		serverRequests.start,
		{
			protocolVersion: PROTOCOL_VERSION,
			host: 'editor',
			home,
			settings: settings.current,
			workspace: workspaceInfo(workspace, home),
			...(isRecorded && { tape: 'record' }),
		},
		signal,
	);
	if (protocolVersion !== PROTOCOL_VERSION) {
		throw new ProwessError(
			'VERSION_MISMATCH',
			`the server speaks protocol ${protocolVersion}, this extension ${PROTOCOL_VERSION}`,
		);
	}
	log.info(`server: ${version} runs as process ${pid}`);
	inBackground(log, 'unused threads', trimUnusedThreads(server, ports, signal));
}

/** Not waited for: the first message goes before. */
async function trimUnusedThreads(server: Peer, ports: ServerServicePorts, signal: AbortSignal): Promise<void> {
	const { home, settings, log } = ports;
	const keepDays = settings.current['prowess.threads.keepDays'];
	if (keepDays > 0) {
		const { trimThreads } = await import('../../host/trim-threads.ts');
		await trimThreads({ home, keepDays, base: await ports.base(), server, log }, signal);
	}
}

function redactLogFacts(base: TrustedBase, facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
	return Object.keys(facts).length === 0 ? {} : { facts: base.redact(JSON.stringify(facts)) };
}
