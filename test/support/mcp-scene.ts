/** MCP servers as the product runs them: a trusted base, its sandbox, and the agent of a thread that asks for ops over a connection. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTrustedBase } from '../../src/host/compose.ts';
import type { TrustedBase } from '../../src/host/trusted-base.ts';
import type { Approval, ApprovalAnswer } from '../../src/protocol/approvals/approvals.ts';
import { brokerNotifications, brokerRequests, type OpOutcome } from '../../src/protocol/turn/broker.ts';
import { newId } from '../../src/protocol/rpc/ids.ts';
import type { Peer } from '../../src/protocol/rpc/peer.ts';
import type { OpInput, OpName, OpResult } from '../../src/protocol/op-table/ops.ts';
import { composedServer, type ComposedServer, providersOf } from './composed-server.ts';
import { linkedPeers } from './linked-peers.ts';
import { type ModelServer, type Script, startModelServer } from './model-server.ts';
import { bubblewrap } from './sandbox-scene.ts';
import { type TestHost, testHost, type TestHostOptions } from './host-ports.ts';
import { sharedStore } from './shared-store.ts';

const fixtures = join(import.meta.dirname, '../fixtures/mcp');
const hostile = join(fixtures, 'hostile-server.mjs');
const packages = join(import.meta.dirname, '../../node_modules');
/** Packages of public servers; the set-up has installed them. */
const publicPackages = process.env['PROWESS_MCP_SERVERS'] ?? '';

export interface McpSceneOptions extends TestHostOptions {
	/** Answers of the user; absent: always yes, for always. */
	readonly answers?: (approval: Approval) => ApprovalAnswer;
	/** Script of the connected model; absent: Prowess has no server. */
	readonly script?: Script;
}

export interface ServerWords {
	readonly command: string;
	readonly args: readonly string[];
	readonly [member: string]: unknown;
}

/** A server that misbehaves so; `state` is a file that it counts its starts in, which it must be let write. */
export function hostileServer(
	how: string,
	state = '',
	more: Readonly<Record<string, unknown>> = {},
	revision = 'older',
): ServerWords {
	const args = [hostile, how, state, revision];
	return { command: process.execPath, args, ...readingItself(more, fixtures) };
}

/** A hostile server as a process that already runs, and its entry; the settings have to list its host. */
export async function hostileSite(
	how: string,
	revision: string,
): Promise<{ readonly host: string; readonly entry: object; close(): Promise<void> }> {
	const child = spawn(process.execPath, [hostile, how, '', revision, 'http'], { stdio: ['ignore', 'pipe', 'ignore'] });
	const [port] = (await once(child.stdout, 'data')) as [Buffer];
	const host = `127.0.0.1:${port.toString('utf8').trim()}`;
	const closed = once(child, 'close');
	const close = async () => void (child.kill('SIGKILL'), await closed);
	return { host, entry: { type: 'http', url: `http://${host}/mcp` }, close };
}

/** A server among the fixtures. */
export function ownServer(program: string): ServerWords {
	return { command: process.execPath, args: [program], ...readingItself({}, fixtures, packages) };
}

/** A public server from npm, by the end of its package's name, or by the path of its program from the packages. */
export function publicServer(
	name: string,
	args: readonly string[] = [],
	more: Readonly<Record<string, unknown>> = {},
): ServerWords {
	const path = name.includes('/') ? name : `@modelcontextprotocol/server-${name}/dist/index.js`;
	const program = join(publicPackages, path);
	if (!existsSync(program)) throw new Error(`there is no ${program}; \`npm test\` installs it`);
	return { command: process.execPath, args: [program, ...args], ...readingItself(more, publicPackages) };
}

/** This clone may lie where the sandbox shows nothing, such as in the folder for temporary files. */
function readingItself(
	more: Readonly<Record<string, unknown>>,
	...folders: readonly string[]
): Readonly<Record<string, unknown>> {
	const needs = (more['needs'] ?? {}) as { readonly read?: readonly string[] };
	return { ...more, needs: { ...needs, read: [...(needs.read ?? []), ...folders] } };
}

interface SceneParts {
	readonly peers: ReturnType<typeof linkedPeers>;
	readonly server: ComposedServer | undefined;
	readonly model: ModelServer | undefined;
}

export class McpScene {
	readonly host: TestHost;
	readonly base: TrustedBase;
	/** Questions in their order. */
	readonly asked: Approval[];
	/** Absent without a script. */
	readonly model: ModelServer | undefined;
	/** Output of ops that are under way. */
	readonly heard: string[] = [];
	readonly threadId = newId('thr');
	readonly #turnId = newId('trn');
	readonly #peers: ReturnType<typeof linkedPeers>;
	readonly #server: ComposedServer | undefined;
	readonly #serving: { dispose(): void };

	private constructor(host: TestHost, base: TrustedBase, asked: Approval[], { peers, server, model }: SceneParts) {
		this.host = host;
		this.base = base;
		this.asked = asked;
		this.model = model;
		this.#peers = peers;
		this.#server = server;
		this.#serving = base.serveServer(this.#peers.near);
		this.#peers.far.on(brokerNotifications, {
			progress: (progress) => void (progress.kind === 'output' && this.heard.push(progress.chunk)),
		});
		base.beginThread(this.threadId);
	}

	/** `servers` in the settings; others in files. */
	static async open(
		servers: Readonly<Record<string, ServerWords | object>>,
		{ answers = () => ({ kind: 'always' }), script, ...options }: McpSceneOptions = {},
	): Promise<McpScene> {
		const asked: Approval[] = [];
		const peers = linkedPeers();
		const model = script === undefined ? undefined : await startModelServer(script);
		const server = script === undefined ? undefined : composedServer(peers.near, peers.far);
		let started: Promise<Peer> | undefined;
		const host = testHost({
			written: { 'prowess.mcp.servers': servers },
			...(server && { server: () => (started ??= server.start(host)) }),
			...options,
			settings: {
				'prowess.providers': providersOf(model),
				'prowess.tools.bubblewrapPath': bubblewrap ?? '',
				...options.settings,
			},
			person: {
				...options.person,
				approve: (approval) => {
					asked.push(approval);
					const answer = answers(approval);
					// Servers share a thread, and after the texts of another one nothing is allowed for always.
					const isOnce = answer.kind === 'always' && (approval.textsRead ?? []).length > 0;
					return Promise.resolve(isOnce ? { kind: 'once' } : answer);
				},
			},
		});
		return new McpScene(host, await createTrustedBase(host.ports, sharedStore), asked, { peers, server, model });
	}

	outcome<N extends OpName>(
		op: N,
		params: OpInput<N>,
		signal = new AbortController().signal,
		threadId = this.threadId,
	): Promise<OpOutcome> {
		const request = { opId: newId('op'), op, params, threadId, turnId: this.#turnId };
		return this.#peers.far.call(brokerRequests.perform, request, signal);
	}

	async perform<N extends OpName>(op: N, params: OpInput<N>): Promise<OpResult<N>> {
		const outcome = await this.outcome(op, params);
		if (outcome.status !== 'done') {
			throw Object.assign(new Error(`${outcome.status} ${outcome.error.code}: ${outcome.error.message}`), { outcome });
		}
		return outcome.result as OpResult<N>;
	}

	/** Tools of a server by name. */
	async tools(server: string): Promise<string[]> {
		const { servers } = await this.perform('mcp.tools', { server });
		return servers.flatMap(({ tools }) => tools.map(({ name }) => name));
	}

	/** Text of a call. */
	async call(server: string, tool: string, args: Readonly<Record<string, unknown>> = {}): Promise<string> {
		return (await this.perform('mcp.call', { server, tool, arguments: { ...args } })).text;
	}

	/** Text of a call in another thread than the others. */
	async callElsewhere(server: string, tool: string): Promise<string> {
		const threadId = newId('thr');
		this.base.beginThread(threadId);
		const outcome = await this.outcome('mcp.call', { server, tool }, undefined, threadId);
		return outcome.status === 'done' ? (outcome.result as OpResult<'mcp.call'>).text : outcome.error.message;
	}

	/** `CODE: message` of a call that is not done. */
	async failure(server: string, tool: string, args: Readonly<Record<string, unknown>> = {}): Promise<string> {
		const outcome = await this.outcome('mcp.call', { server, tool, arguments: { ...args } });
		return outcome.status === 'done' ? 'done' : `${outcome.error.code}: ${outcome.error.message}`;
	}

	/** Everything in the ledger, as one text. */
	async ledger(): Promise<string> {
		return JSON.stringify(await this.base.ledger.query({ limit: 200 }));
	}

	async close(): Promise<void> {
		await this.base.close();
		this.#serving.dispose();
		await this.#server?.close();
		await this.model?.close();
	}
}

/** Methods of a scene, to be called by themselves. */
export function bound(scene: McpScene) {
	return {
		asked: scene.asked,
		base: scene.base,
		call: scene.call.bind(scene),
		failure: scene.failure.bind(scene),
		ledger: scene.ledger.bind(scene),
	};
}

/** Returns the number of starts of a server that counts them. */
export function startsIn(state: string): number {
	return existsSync(state) ? readFileSync(state, 'utf8').length : 0;
}
