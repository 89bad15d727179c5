/**
 * Capabilities run for real: the trusted base, the executors' processes, a server and its store, and a model endpoint that
 * follows a script. Only the wire between host and server is in memory.
 */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { StartOptions } from '../../src/execution/runs/start/start-options.ts';
import { createTrustedBase } from '../../src/host/compose.ts';
import type { TrustedBase } from '../../src/host/trusted-base.ts';
import type { CapabilityExecutionResult } from '../../src/protocol/execution/execution.ts';
import type { Peer, RequestHandlers } from '../../src/protocol/rpc/peer.ts';
import { subTurnRequests } from '../../src/protocol/turn/sub-turn.ts';
import { composedServer, providersOf } from './composed-server.ts';
import { type TestHost, testHost, type TestHostOptions } from './host-ports.ts';
import { sharedStore } from './shared-store.ts';
import { linkedPeers } from './linked-peers.ts';
import { type ModelServer, type Script, startModelServer } from './model-server.ts';

const never = new AbortController().signal;

export interface CapabilitySceneOptions extends TestHostOptions {
	/** Undefined: no model is connected. */
	readonly script?: Script;
	/** In place of our server: what one does that somebody else has taken over. */
	readonly captured?: (end: Peer) => RequestHandlers<typeof subTurnRequests>;
}

export class CapabilityScene {
	readonly host: TestHost;
	readonly base: TrustedBase;
	readonly model: ModelServer | undefined;
	readonly progress: string[] = [];
	readonly #close: () => Promise<void>;

	private constructor(host: TestHost, base: TrustedBase, model: ModelServer | undefined, close: () => Promise<void>) {
		this.host = host;
		this.base = base;
		this.model = model;
		this.#close = close;
		base.capabilities.onDidProgress(({ message }) => void this.progress.push(message));
	}

	static async open({ script, captured, ...options }: CapabilitySceneOptions = {}): Promise<CapabilityScene> {
		const model = script === undefined ? undefined : await startModelServer(script);
		const { near, far } = linkedPeers();
		let started: Promise<Peer> | undefined;
		const host = testHost({
			approvalMode: 'auto',
			...options,
			settings: { 'prowess.providers': providersOf(model), ...options.settings },
			server: () => (started ??= server?.start(host) ?? Promise.resolve(near)),
		});
		const base = await createTrustedBase(host.ports, sharedStore);
		const connection = base.serveServer(near);
		const server = captured === undefined ? composedServer(near, far) : undefined;
		if (captured !== undefined) far.serve(subTurnRequests, captured(far));
		return new CapabilityScene(host, base, model, async () => {
			await base.close();
			connection.dispose();
			await server?.close();
			await model?.close();
		});
	}

	/** Puts files into the project's capability of that type and name. */
	capability(type: string, name: string, files: Readonly<Record<string, string>>): void {
		for (const [path, text] of Object.entries(files)) {
			const file = join(this.host.workspace, '.prowess/capabilities', type, name, path);
			mkdirSync(dirname(file), { recursive: true });
			writeFileSync(file, text);
		}
	}

	/** Takes one of those that ship with us as the project's own. */
	ships(type: string, name: string): void {
		const from = join(import.meta.dirname, '../../capabilities', type, name);
		cpSync(from, join(this.host.workspace, '.prowess/capabilities', type, name), { recursive: true });
	}

	async run(
		name: string,
		params: unknown = {},
		options: Partial<StartOptions> = {},
		signal = never,
	): Promise<CapabilityExecutionResult> {
		return await this.base.capabilities.run(
			{ capability: { name }, params, caller: { kind: 'user', threadId: null }, ...options },
			signal,
		);
	}

	/** Returns the ledger's rows of an op, oldest first. */
	async rows(op: string) {
		const rows = await this.base.ledger.query({ limit: 200 });
		return rows.filter((row) => row.op === op).reverse();
	}

	async close(): Promise<void> {
		await this.#close();
	}
}

/** A skill that is one line of code, with what it may. */
export function skill(code: string, permissions: readonly string[], level = 'MONITORED'): Record<string, string> {
	return {
		'capability.yaml': `name: asks\ntype: skill\nversion: 1.0.0\nlevel: ${level}\npermissions: [${permissions.join(', ')}]\n`,
		'index.js': `import { host, op, signal } from '@prowess/sdk';\nconst failure = ({ code, message }) => ({ code, message });\nexport async function execute(params) {\n${code}\n}\n`,
	};
}
