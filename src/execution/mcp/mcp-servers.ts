/** Owns every MCP server of a host: finds, starts and ends them, and asks the user for each thing that nobody has agreed to. */
import { orAborted } from '../../base/time/bounded-wait.ts';
import { agreedTools, findPinnedHash } from './agreed-tools.ts';
import { Emitter } from '../../base/emitter.ts';
import { TimeoutError } from '../../base/time/derived-signal.ts';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import type { McpServerListing, McpServerState } from '../../protocol/ops/definitions/agent/mcp.ts';
import type { OpResult } from '../../protocol/op-table/ops.ts';
import { type Text, text } from '../../protocol/text/text.ts';
import type { SecretVault } from '../../machine/secrets/secret-vault.ts';
import { CommandGuard } from '../../machine/shell/command-guard.ts';
import { ConfiguredServers, type ConfiguredServersDeps } from './configuration/configured-servers.ts';
import { callFailure, type McpConnection } from './connection.ts';
import type { McpConsent } from './consent/mcp-consent.ts';
import { launchServer, type LaunchDeps } from './launch.ts';
import { SessionOver } from './process/http-transport.ts';
import { findMissingWrite } from './process/server-sandbox.ts';
import { SignInWanted } from './sign-in/sign-in.ts';
import { RunningServer } from './running-server.ts';
import { formatServerAddress, leaveOutServers, type McpServer, type McpSource } from './server.ts';
import { listTools, type McpTool } from './tools.ts';
import type { McpUser } from './user.ts';

interface McpServersDeps extends Omit<LaunchDeps, 'guard'>, ConfiguredServersDeps {
	readonly secrets: Pick<SecretVault, 'read' | 'names'>;
	readonly places: LaunchDeps['places'];
	readonly workspace: ConfiguredServersDeps['workspace'];
	readonly consent: McpConsent;
	redact(text: string): string;
}

/** Facts about a server that a host shows. */
export interface McpServerInfo {
	readonly name: string;
	readonly source: McpSource;
	/** File that names it, or the setting. */
	readonly path: string;
	/** Command line or address. */
	readonly address: string;
	readonly state: McpServerState;
	/** Why it failed. */
	readonly failure: string | undefined;
	/** Odd members of its lists, in sentences; empty where none was found, or it does not run. */
	readonly oddities: readonly Text[];
	/** Names of the tools that the user has agreed to; undefined: none has been seen yet. */
	readonly tools: readonly string[] | undefined;
	/** Names of secrets that its entry asks for and that are not stored. */
	readonly missing: readonly string[];
}

/** Tools of a server that may be called, and sentences on the others. */
interface UsableTools {
	readonly connection: McpConnection;
	readonly tools: readonly McpTool[];
	readonly notes: readonly string[];
}

interface AskedListings extends Readonly<Record<'server' | 'query', string | undefined>> {
	/** True for a server that no rule leaves out. */
	isListed(name: string): boolean;
}

interface AskedCall {
	readonly server: string;
	readonly tool: string;
	readonly args: Readonly<Record<string, unknown>>;
	readonly hash: string | undefined;
}

export class McpServers {
	readonly #deps: McpServersDeps;
	readonly #configured: ConfiguredServers;
	readonly #running = new Map<string, RunningServer>();
	/** Refusals of servers whose next start begins with a sign-in, by the name of the server. */
	readonly #challenges = new Map<string, Response>();
	readonly #lacks = new Map<string, ReadonlySet<string>>();
	readonly #guard = new CommandGuard();
	readonly #closing = new AbortController();
	readonly #changed = new Emitter<void>();
	/** A server started, ended or failed, or its tools were seen. */
	readonly onDidChange = this.#changed.event;

	constructor(deps: McpServersDeps) {
		this.#deps = deps;
		this.#configured = new ConfiguredServers(deps);
	}

	/** With what cannot be used, in sentences. */
	async list(): Promise<{ readonly servers: readonly McpServerInfo[]; readonly problems: readonly string[] }> {
		const { servers, problems } = await this.#configured.all();
		return { servers: await Promise.all(servers.map((server) => this.#info(server))), problems };
	}

	/** Tools of one server, which it starts; or of all that the user has allowed. */
	async listings(
		{ server: named, query, isListed }: AskedListings,
		user: McpUser,
		signal: AbortSignal,
	): Promise<OpResult<'mcp.tools'>> {
		const { servers, problems } = await this.#configured.all();
		const asked = named === undefined ? servers : [await this.#configured.named(named)];
		const { wanted, ruled } = leaveOutServers(asked, isListed);
		const listings = await Promise.all(
			wanted.map(async (server): Promise<McpServerListing> => {
				const { subject } = await this.#configured.subject(server);
				const isAllowed = await this.#deps.consent.isGiven(subject.identity.hash);
				if (server.isDisabled || (named === undefined && !isAllowed)) {
					return {
						name: server.name,
						state: server.isDisabled ? 'disabled' : 'notAllowed',
						notes: [],
						tools: [],
						more: 0,
					};
				}
				try {
					const { tools, notes } = await this.#signedIn(server.name, () => this.#usable(server, user, signal));
					const listed = listTools(tools, { query, withSchemas: named !== undefined || query !== undefined });
					return { name: server.name, state: 'running', notes: [...notes], ...listed };
				} catch (error) {
					signal.throwIfAborted();
					if (named !== undefined || !isProwessError(error)) {
						throw error;
					}
					return { name: server.name, state: 'failed', notes: [error.message], tools: [], more: 0 };
				}
			}),
		);
		return { servers: listings, problems: [...problems, ...ruled] };
	}

	/** Rejects with NOT_FOUND, also when it is disabled. */
	async named(name: string): Promise<McpServer> {
		return await this.#configured.enabled(name);
	}

	/**
	 * Returns what is known of a tool without asking the server, for the question about its call. Rejects with
	 * NOT_FOUND.
	 */
	async known(name: string, tool: string): Promise<{ readonly server: McpServer; readonly hash: string | undefined }> {
		const server = await this.named(name);
		const { subject } = await this.#configured.subject(server);
		const pinned = await this.#deps.consent.pinned(subject.identity.hash);
		return { server, hash: pinned === undefined || pinned === null ? undefined : findPinnedHash(pinned, tool) };
	}

	/** `hash`: of the tool as it was judged. Rejects with MCP_TOOL_CHANGED when the server says something else of it now. */
	async call(
		asked: AskedCall,
		user: McpUser,
		emit: (line: string) => void,
		signal: AbortSignal,
	): Promise<OpResult<'mcp.call'>> {
		return await this.#signedIn(asked.server, () => this.#call(asked, user, emit, signal));
	}

	async #call(
		{ server: name, tool, args, hash }: AskedCall,
		user: McpUser,
		emit: (line: string) => void,
		signal: AbortSignal,
	): Promise<OpResult<'mcp.call'>> {
		const server = await this.#configured.named(name);
		const { connection, tools } = await this.#usable(server, user, signal);
		const found = tools.find((each) => each.name === tool);
		if (found === undefined) {
			const names = tools
				.map((each) => each.name)
				.join(', ')
				.slice(0, 2_000);
			throw new ProwessError(
				'NOT_FOUND',
				`the MCP server ${name} has no tool "${tool}" that may be called. It has: ${names || 'none'}`,
				{
					server: name,
					tool,
					said: text('The MCP server "{name}" has no tool "{tool}" that may be called. It has: {names}', {
						name,
						tool,
						names: names || '–',
					}),
				},
			);
		}
		if (found.hash !== hash && hash !== undefined) {
			const message = `the tool ${name}/${tool} has another description or schema than the one that was judged. Look at it again with mcp_tools`;
			throw new ProwessError('MCP_TOOL_CHANGED', message, { server: name, tool });
		}
		const { launch } = server;
		const isKeptIn = launch.kind === 'stdio' && (await this.#configured.subject(server)).keptIn;
		const findMissing = (said: string) => {
			const missing = isKeptIn ? findMissingWrite(said, launch, this.#deps) : undefined;
			const lacks = missing !== undefined && 'lacks' in missing ? [missing.lacks] : [];
			if (lacks.length > 0) this.#lacks.set(name, new Set([...(this.#lacks.get(name) ?? []), ...lacks]));
			return missing;
		};
		try {
			const callTool = () => connection.call(tool, args, { emit, traceparent: user.traceparent }, signal);
			const result = await this.#used(name, connection, user, tool, callTool, signal);
			return { ...result, ...(result.isError ? findMissing(result.text) : {}) };
		} catch (error) {
			const missing =
				isProwessError(error) && error.code === 'MCP_SERVER_FAILED' ? findMissing(error.message) : undefined;
			if (missing === undefined || !isProwessError(error)) throw error;
			throw new ProwessError(error.code, error.message, { ...error.facts, ...missing }, error.cause);
		}
	}

	/** Has a server that may start, and starts where it does not run, do something else than call a tool. Rejects like a call. */
	async use<T>(
		name: string,
		what: string,
		work: (connection: McpConnection) => Promise<T>,
		user: McpUser,
		signal: AbortSignal,
	): Promise<T> {
		return await this.#signedIn(name, async () => {
			const { connection } = await this.#usable(await this.named(name), user, signal);
			return await this.#used(name, connection, user, what, () => work(connection), signal);
		});
	}

	/**
	 * Looks whether a server that runs lists an address itself, since then reading it tells the server nothing. `later`: it does not
	 * run, and may start, which only the op itself has it do.
	 */
	async lists(name: string, uri: string, signal: AbortSignal): Promise<'yes' | 'no' | 'later'> {
		const server = await this.named(name);
		const connection = this.#running.get(name)?.connection;
		if (connection === undefined) {
			const { subject } = await this.#configured.subject(server);
			return (await this.#deps.consent.isGiven(subject.identity.hash)) ? 'later' : 'no';
		}
		// A server that fails now fails again where it is read, which says why.
		if (!connection.hasListed(uri)) await connection.offers(signal).catch(() => signal.throwIfAborted());
		return connection.hasListed(uri) ? 'yes' : 'no';
	}

	/** Connections of servers that run now, by name. */
	live(): readonly { readonly name: string; readonly connection: McpConnection }[] {
		return [...this.#running].flatMap(([name, { connection }]) =>
			connection === undefined ? [] : [{ name, connection }],
		);
	}

	/** Allows the server as the user's own act, without a question. Rejects with NOT_FOUND. */
	async allow(name: string, scope: 'once' | 'always', signal: AbortSignal): Promise<void> {
		const server = await this.#configured.named(name);
		const { subject } = await this.#configured.subject(server);
		await this.#deps.consent.allow(server, subject.identity.hash, scope, signal);
	}

	/** Lets go of what is kept of a sign-in, and ends the connection that used it. False when there was none. */
	async signOut(name: string): Promise<boolean> {
		const { launch: how } = await this.named(name);
		const was = how.kind === 'http' && (await this.#deps.signIns.forget(how.url));
		await this.stop(name);
		return was;
	}

	/** Ends it; it starts again with the next need. */
	async stop(name: string): Promise<void> {
		await this.#running.get(name)?.stop(true);
	}

	/** Folders that calls of it seem to have lacked the right to change, while this host runs. */
	lacks(name: string): readonly string[] {
		return [...(this.#lacks.get(name) ?? [])];
	}

	/** Last lines of its error output and what was noted about it, redacted. */
	log(name: string): string {
		return this.#running.get(name)?.log.text ?? '';
	}

	async close(): Promise<void> {
		this.#closing.abort(new ProwessError('CANCELLED', 'the host is closing'));
		await Promise.all([...this.#running.values()].map((running) => running.stop(false)));
		await this.#guard.close();
		this.#changed.dispose();
	}

	/**
	 * Once more where the server refused a request before it did anything: because the user is no longer signed in, then
	 * the start begins with that, or because its session is over.
	 */
	async #signedIn<T>(name: string, work: () => Promise<T>): Promise<T> {
		try {
			return await this.#inSession(work);
		} catch (error) {
			if (!(error instanceof SignInWanted)) throw error;
			await this.#running.get(name)?.stop(false);
			this.#challenges.set(name, error.challenge);
			try {
				return await this.#inSession(work);
			} finally {
				this.#challenges.delete(name);
			}
		}
	}

	async #inSession<T>(work: () => Promise<T>): Promise<T> {
		try {
			return await work();
		} catch (error) {
			if (!(error instanceof SessionOver)) throw error;
			await error.close();
			return await work();
		}
	}

	async #used<T>(
		name: string,
		connection: McpConnection,
		user: McpUser,
		what: string,
		work: () => Promise<T>,
		signal: AbortSignal,
	): Promise<T> {
		try {
			return await this.#runningOf(name).usedBy(user, work);
		} catch (error) {
			const why: unknown = signal.aborted ? signal.reason : error;
			if (why instanceof TimeoutError) void this.#runningOf(name).endUnlessItAnswers();
			if (signal.aborted) throw why;
			if (isProwessError(error)) throw error;
			throw await callFailure({ server: name, what }, connection, error);
		}
	}

	#runningOf(name: string): RunningServer {
		let running = this.#running.get(name);
		if (running === undefined) {
			running = new RunningServer({
				name,
				redact: (text) => this.#deps.redact(text),
				closing: this.#closing.signal,
				onChange: () => this.#changed.fire(),
			});
			this.#running.set(name, running);
		}
		return running;
	}

	/** Starts it where it does not run, after the user's yes; what it says of its tools is compared with what they agreed to. */
	async #usable(server: McpServer, user: McpUser, signal: AbortSignal): Promise<UsableTools> {
		if (this.#closing.signal.aborted) {
			throw this.#closing.signal.reason;
		}
		const { consent } = this.#deps;
		const { subject, keptIn } = await this.#configured.subject(server);
		const { hash } = subject.identity;
		await consent.askStart(subject, user, signal);
		const running = this.#runningOf(server.name);
		return await running.usedBy(user, async () => {
			const connecting = running.connected(hash, async ({ log, ...asking }, within) => {
				const connection = await launchServer(
					server,
					{
						log,
						...asking,
						wasKeptIn: keptIn,
						agreeToPage: (page, by) => consent.askSignIn(server, page, by, this.#closing.signal),
						challenge: this.#challenges.get(server.name),
						closing: this.#closing.signal,
					},
					{ ...this.#deps, guard: this.#guard },
					within,
				);
				void connection.ended.then(() => consent.forgetOnce(hash));
				return connection;
			});
			const connection = await orAborted(connecting, signal);
			const onPinned = () => this.#changed.fire();
			const listAgreedTools = () => agreedTools(connection, { server, hash, consent, onPinned }, user, signal);
			const listed = await this.#used(server.name, connection, user, 'the list of its tools', listAgreedTools, signal);
			return { connection, ...listed };
		});
	}

	async #info(server: McpServer): Promise<McpServerInfo> {
		const { name, source, path } = server;
		const { subject } = await this.#configured.subject(server);
		const pinned = await this.#deps.consent.pinned(subject.identity.hash);
		const running = this.#running.get(name);
		const allowed = running?.state ?? 'stopped';
		return {
			name,
			source,
			path,
			address: this.#deps.redact(formatServerAddress(server)),
			state: server.isDisabled ? 'disabled' : pinned === undefined ? 'notAllowed' : allowed,
			failure: running?.failure,
			oddities: running?.connection?.problems ?? [],
			tools: pinned === undefined || pinned === null ? undefined : Object.keys(pinned),
			missing: await this.#configured.missing(server),
		};
	}
}
