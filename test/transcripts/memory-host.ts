/** The host's side of the broker over files in memory: reads, edits and a shell that echoes. Remembers each outcome by its op. */
import type { OpKnowledge, OpOutcome, OpProgress, OpRequest } from '../../src/protocol/turn/broker.ts';
import type { ErrorCode } from '../../src/protocol/errors/errors.ts';
import type { OpId } from '../../src/protocol/rpc/ids.ts';
import type { AskedOp, HostBroker } from '../../src/server/host/host-broker.ts';

type Effect = (request: OpRequest, progress: (progress: OpProgress) => void, signal: AbortSignal) => Promise<unknown>;

export class OpFailure extends Error {
	readonly status: 'failed' | 'denied';
	readonly code: ErrorCode;
	readonly facts: Record<string, unknown>;

	constructor(status: 'failed' | 'denied', code: ErrorCode, message: string, facts: Record<string, unknown> = {}) {
		super(message);
		this.status = status;
		this.code = code;
		this.facts = facts;
	}
}

export class MemoryHost implements HostBroker {
	readonly performed: OpRequest[] = [];
	/** Ops of each list that the person could answer ahead. */
	readonly askedAhead: string[][] = [];
	readonly files: Map<string, string>;
	/**
	 * Messages that hooks received when the agent would rest; `reasonsToGoOn` holds their answers, one after another.
	 */
	readonly rested: { readonly isAgain: boolean; readonly text: string }[] = [];
	reasonsToGoOn: string[] = [];
	readonly #special: Readonly<Record<string, Effect>>;
	readonly #outcomes = new Map<OpId, OpOutcome>();
	readonly #running = new Set<OpId>();

	/** `special` replaces what an op does. */
	constructor(files: Readonly<Record<string, string>>, special: Readonly<Record<string, Effect>> = {}) {
		this.files = new Map(Object.entries(files));
		this.#special = special;
	}

	async perform(request: OpRequest, onProgress: (progress: OpProgress) => void, signal: AbortSignal): Promise<OpOutcome> {
		const known = this.#outcomes.get(request.opId);
		if (known !== undefined) {
			return known;
		}
		// Asked before each turn: only a test that has memories cares.
		if (request.op !== 'memory.recall' || this.#special[request.op] !== undefined) this.performed.push(request);
		this.#running.add(request.opId);
		const receipt = { writer: 'test', seq: this.performed.length, hash: 'hash' };
		try {
			const result = await (this.#special[request.op] ?? this.#effect)(request, onProgress, signal);
			return this.#settle({ status: 'done', opId: request.opId, result, durationMs: 1, receipt });
		} catch (error) {
			if (!(error instanceof OpFailure)) {
				throw error;
			}
			const { status, code, message, facts } = error;
			return this.#settle({ status, opId: request.opId, error: { code, message, facts }, durationMs: 1, receipt });
		}
	}

	async askAhead(ops: readonly AskedOp[]): Promise<void> {
		this.askedAhead.push(ops.map(({ op, params }) => `  ${op} ${JSON.stringify(params)}`));
	}

	async outcome(opId: OpId): Promise<OpKnowledge> {
		const outcome = this.#outcomes.get(opId);
		if (outcome !== undefined) {
			return { kind: 'settled', outcome };
		}
		return this.#running.has(opId) ? { kind: 'running' } : { kind: 'unknown' };
	}

	async redacted<T>(value: T): Promise<T> {
		return value;
	}

	turnEnded(): void {}

	async resting(_turn: unknown, said: { readonly isAgain: boolean; readonly text: string }): Promise<string | undefined> {
		this.rested.push(said);
		return this.reasonsToGoOn.shift();
	}

	async spent(): Promise<number> {
		return 0;
	}

	async compacting(): Promise<void> {}

	/** Forgets recorded calls and outcomes: long runs keep none of them. */
	forget(): void {
		this.performed.length = 0;
		this.askedAhead.length = 0;
		this.#outcomes.clear();
	}

	#settle(outcome: OpOutcome): OpOutcome {
		this.#running.delete(outcome.opId);
		this.#outcomes.set(outcome.opId, outcome);
		return outcome;
	}

	readonly #effect: Effect = async ({ op, params }) => {
		const { path = '', content = '', items = [] } = params as { path?: string; content?: string; items?: unknown[] };
		switch (op) {
			case 'fs.read': {
				const text = this.files.get(path);
				if (text === undefined) {
					throw new OpFailure('failed', 'NOT_FOUND', `${path} does not exist`);
				}
				const totalLines = text.split('\n').length;
				return { path, text, startLine: 1, endLine: totalLines, totalLines, truncated: false, unsaved: false };
			}
			case 'fs.stat': {
				const text = this.files.get(path);
				if (text === undefined) {
					throw new OpFailure('failed', 'NOT_FOUND', `${path} does not exist`);
				}
				return { path, kind: 'file', size: text.length, modified: new Date(0).toISOString() };
			}
			case 'fs.write': {
				const created = !this.files.has(path);
				this.files.set(path, content);
				return { path, created, added: content.split('\n').length, removed: 0, patch: `+${content}` };
			}
			case 'memory.recall':
				return { memories: [] };
			case 'workspace.changes':
				return { files: [] };
			case 'workspace.instructions': {
				const { told = [] } = params as { told?: string[] };
				const text = this.files.get('AGENTS.md');
				const files = text === undefined || told.includes('AGENTS.md') ? [] : [{ path: 'AGENTS.md', text, omitted: 0 }];
				return { files, offered: [], left: [] };
			}
			case 'todo.write':
				return { items };
			default:
				throw new OpFailure('failed', 'NOT_AVAILABLE_HERE', `${op} is not there in this test`);
		}
	};
}

/** Result of a command that ended with 0. */
export const commandDone = (output: string) => ({
	commandId: 'cmd_1', running: false, exitCode: 0, signal: null, timedOut: false, output, omitted: 0,
});
