/**
 * A configured server, as long as this host knows it: its connection, its log, and why it failed. At most one process
 * of it runs.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { toErrorMessage } from '../../base/text/message-of.ts';
import { type DerivedSignal, deriveSignal } from '../../base/time/derived-signal.ts';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import type { HostGate } from '../../machine/sandbox/network/command-network.ts';
import { BackOff } from './back-off.ts';
import type { McpConnection } from './connection.ts';
import { fillIn, type FormAnswer } from './elicitation.ts';
import { CONNECT_MS, SAID_CHARS } from './limits.ts';
import { STOPPED } from './process/message-rules.ts';
import { ServerLog } from './process/server-log.ts';
import { type SamplingAnswer, samplingRefused } from './sampling/sampling-request.ts';
import { SamplingTurns } from './sampling/sampling-turns.ts';
import type { McpUser } from './user.ts';

interface RunningDeps {
	readonly name: string;
	redact(text: string): string;
	/** Aborts when the host closes. */
	readonly closing: AbortSignal;
	onChange(): void;
}

/** Ways in which a connection reports and asks; all of them reach the op that uses the server at that moment. */
export interface ConnectionContext {
	readonly log: ServerLog;
	readonly hosts: HostGate;
	fillIn(form: unknown): Promise<FormAnswer>;
	/** Rejects with why the server may not ask a model. */
	sample(params: unknown, signal: AbortSignal): Promise<SamplingAnswer>;
	/** Has whoever uses the server act; while they do, the time to start stands. Rejects with MCP_SIGN_IN_FAILED where nobody does. */
	withUser<T>(act: (user: McpUser) => Promise<T>): Promise<T>;
}

type Connect = (context: ConnectionContext, signal: AbortSignal) => Promise<McpConnection>;

interface LiveConnection {
	readonly connection: McpConnection;
	/** Hash of the launch. */
	readonly hash: string;
}

interface Starting {
	readonly hash: string;
	readonly live: Promise<LiveConnection>;
	abort(reason: unknown): void;
}

const UNCLEAR = 'several threads use the server now, and the protocol does not say for which of them it asks';

export class RunningServer {
	readonly log: ServerLog;
	readonly #deps: RunningDeps;
	readonly #backOff = new BackOff();
	/** Users of the ops that use the server at present, the latest last. */
	readonly #users: McpUser[] = [];
	/**
	 * User of the op in whose course something happens: a message that comes with the answer to a request, or over its
	 * stream, belongs to that op.
	 */
	readonly #using = new AsyncLocalStorage<McpUser>();
	readonly #samplings: SamplingTurns;
	#starting: Starting | undefined;
	#live: LiveConnection | undefined;
	#failure: string | undefined;

	constructor(deps: RunningDeps) {
		this.#deps = deps;
		this.#samplings = new SamplingTurns(deps.name);
		this.log = new ServerLog((text) => deps.redact(text));
	}

	get state(): 'running' | 'stopped' | 'failed' {
		return this.#live !== undefined ? 'running' : this.#failure === undefined ? 'stopped' : 'failed';
	}

	/** Why it failed last; undefined: it has not. */
	get failure(): string | undefined {
		return this.#failure;
	}

	get connection(): McpConnection | undefined {
		return this.#live?.connection;
	}

	/** For as long as `work` takes, the server may ask this user. */
	async usedBy<T>(user: McpUser, work: () => Promise<T>): Promise<T> {
		this.#users.push(user);
		try {
			return await this.#using.run(user, work);
		} finally {
			this.#users.splice(this.#users.indexOf(user), 1);
			if (!this.#users.includes(user)) this.#samplings.ended(user);
		}
	}

	/** The connection, made with `connect` where there is none of this launch. Rejects with MCP_SERVER_FAILED. */
	async connected(hash: string, connect: Connect): Promise<McpConnection> {
		if (this.#live !== undefined && this.#live.hash !== hash) {
			await this.#live.connection.close();
		}
		if (this.#live !== undefined) {
			return this.#live.connection;
		}
		if (this.#starting?.hash !== hash) {
			const leftMs = this.#backOff.leftMs(performance.now());
			if (leftMs > 0) {
				const seconds = Math.ceil(leftMs / 1_000);
				throw this.#failed(`${this.#failure ?? 'it failed'}. It can be started again in ${seconds} s`);
			}
			this.#starting = this.#start(hash, connect);
		}
		return (await this.#starting.live).connection;
	}

	/** `isWanted`: the user stops or restarts it, and need not wait. */
	async stop(isWanted: boolean): Promise<void> {
		this.#starting?.abort(
			new ProwessError('CANCELLED', `the MCP server ${this.#deps.name} was stopped while it started`),
		);
		await this.#starting?.live.catch(() => undefined);
		await this.#live?.connection.close();
		if (isWanted) {
			this.#backOff.reset();
			this.#failure = undefined;
			this.#deps.onChange();
		}
	}

	/** After it let a call time out: one that does not answer at all is ended. */
	async endUnlessItAnswers(): Promise<void> {
		const live = this.#live;
		if (live !== undefined && !(await live.connection.answers(this.#deps.closing))) {
			this.log.note('ended: it does not answer');
			this.#failure = 'it did not answer';
			await live.connection.close();
		}
	}

	#start(hash: string, connect: Connect): Starting {
		const { name, closing } = this.#deps;
		const limit = deriveSignal(closing, { what: `the start of the MCP server ${name}`, timeoutMs: CONNECT_MS });
		return { hash, live: this.#using.exit(() => this.#connect(hash, connect, limit)), abort: limit.abort };
	}

	async #connect(hash: string, connect: Connect, limit: DerivedSignal): Promise<LiveConnection> {
		const hosts = this.#askingUsers(limit);
		this.log.note('starting');
		try {
			const context: ConnectionContext = {
				log: this.log,
				hosts,
				fillIn: (form) => this.#fillIn(form),
				sample: (params, signal) => this.#sample(params, signal),
				withUser: (act) => this.#withUser(act, limit),
			};
			const connection = await connect(context, limit.signal);
			const live = { connection, hash };
			this.#live = live;
			this.#failure = undefined;
			this.#backOff.reset();
			void connection.ended.then((why) => this.#over(live, why));
			return live;
		} catch (error) {
			this.#failure = this.#why(error);
			this.#backOff.failed(performance.now());
			this.log.note(`failed: ${this.#failure}`);
			throw isProwessError(error) ? error : this.#failed(this.#failure, error);
		} finally {
			limit.dispose();
			this.#starting = undefined;
			this.#deps.onChange();
		}
	}

	/** While a person is asked about a host, the time to start stands. */
	#askingUsers(limit: DerivedSignal): HostGate {
		return {
			admit: async (target, signal) => {
				const user = this.#users.at(-1);
				if (user === undefined) {
					const why = `nobody uses the MCP server ${this.#deps.name} now, so nobody can be asked about ${target.host}`;
					return { kind: 'refused', why };
				}
				limit.pause();
				try {
					return await user.hosts.admit(target, signal);
				} finally {
					limit.resume();
				}
			},
		};
	}

	async #withUser<T>(act: (user: McpUser) => Promise<T>, limit: DerivedSignal): Promise<T> {
		const user = this.#users.at(-1);
		if (user === undefined) {
			const { name } = this.#deps;
			const message = `the MCP server ${name} wants you to sign in, and nobody uses it now`;
			throw new ProwessError('MCP_SIGN_IN_FAILED', message, { server: name });
		}
		limit.pause();
		try {
			return await act(user);
		} finally {
			limit.resume();
		}
	}

	async #fillIn(form: unknown): Promise<FormAnswer> {
		const user = this.#asked();
		if (user === 'unclear') {
			this.log.note(`got no answer to its question: ${UNCLEAR}`);
			throw new Error(`the user is not asked: ${UNCLEAR}`);
		}
		return user === undefined ? { action: 'decline' } : await fillIn(this.#deps.name, form, user);
	}

	/**
	 * Returns the user to whom a question of the server belongs. Over one wire for all, no message says in the course
	 * of which request the server asks: while more than one thread uses the server, the result is `unclear` rather than
	 * a guess.
	 */
	#asked(): McpUser | 'unclear' | undefined {
		const own = this.#using.getStore();
		if (own !== undefined && this.#users.includes(own)) return own;
		const latest = this.#users.at(-1);
		return this.#users.every(({ threadId }) => threadId === latest?.threadId) ? latest : 'unclear';
	}

	async #sample(params: unknown, signal: AbortSignal): Promise<SamplingAnswer> {
		try {
			const user = this.#asked();
			if (user === 'unclear') throw samplingRefused(this.#deps.name, UNCLEAR);
			return await this.#samplings.ask(params, user, signal);
		} catch (error) {
			this.log.note(`did not get an answer of a model: ${toErrorMessage(error)}`);
			throw error;
		}
	}

	#over(live: LiveConnection, why: string): void {
		if (this.#live === live) {
			this.#live = undefined;
			this.log.note(`ended: ${why}`);
			if (why !== STOPPED) {
				this.#failure ??= why;
				this.#backOff.failed(performance.now());
			}
			this.#deps.onChange();
		}
	}

	#why(error: unknown): string {
		const said = this.log.tail(SAID_CHARS);
		return `${toErrorMessage(error)}${said === '' ? '' : `. It said: ${said}`}`;
	}

	#failed(why: string, cause?: unknown): ProwessError {
		const { name } = this.#deps;
		return new ProwessError('MCP_SERVER_FAILED', `the MCP server ${name} failed: ${why}`, { server: name, why }, cause);
	}
}
