/** Rows of the ledger for one start of a capability: its intent before there is a process, and one row at its end. */
import { type OpDecision, decisionText } from '../../../contract/decision.ts';
import type { ProwessError } from '../../../protocol/errors/errors.ts';
import type { CapabilityExecutionResult } from '../../../protocol/execution/execution.ts';
import type { OpId, ThreadId } from '../../../protocol/rpc/ids.ts';
import type { RiskLevel } from '../../../protocol/ops/risk.ts';
import type { LedgerPort, NewEntry } from '../../../trust/record/ledger/ledger.ts';
import type { LogPort } from '../../../contract/ports/ports.ts';
import type { ExecutionEnd } from './side-execution-options.ts';

interface ExecutionRecordDeps {
	readonly ledger: Pick<LedgerPort, 'append'>;
	readonly log: LogPort;
}

const LEDGER_STATUSES = { completed: 'done', failed: 'failed', timeout: 'timeout', stopped: 'cancelled' } as const;

export class ExecutionRecord {
	readonly opId: OpId;
	readonly trigger: string;
	readonly #deps: ExecutionRecordDeps;
	readonly #threadId: ThreadId | null;
	readonly #risk: RiskLevel;
	readonly #title: string;

	constructor(
		deps: ExecutionRecordDeps,
		what: {
			readonly opId: OpId;
			readonly trigger: string;
			readonly threadId: ThreadId | null;
			readonly risk: RiskLevel;
			readonly title: string;
		},
	) {
		this.#deps = deps;
		this.opId = what.opId;
		this.trigger = what.trigger;
		this.#threadId = what.threadId;
		this.#risk = what.risk;
		this.#title = what.title;
	}

	/** Resolves when it is durable; without it nothing may begin. `params`: without secrets. */
	async intent(executionId: string, decision: OpDecision, contentHash: string, params: unknown): Promise<void> {
		const given = params === undefined ? '' : ` with ${JSON.stringify(params)}`;
		const input = `${this.#title} as ${executionId}${given}`;
		await this.#deps.ledger.append(
			this.#row('intent', decisionText(decision), { paramsHash: contentHash, input }),
			true,
		);
	}

	async notStarted({ code, message }: ProwessError): Promise<void> {
		if (code === 'LEDGER_UNWRITABLE') {
			return;
		}
		const isDenial = code.startsWith('DENIED') || code === 'WORKSPACE_UNTRUSTED';
		await this.#deps.ledger.append(
			this.#row(isDenial ? 'denial' : 'outcome', isDenial ? message : 'not started', {
				output: `${code}: ${message}`,
				status: isDenial ? 'denied' : 'failed',
				durationMs: 0,
			}),
			false,
		);
	}

	/** Never rejects: it has run, and what is missing shows as an intent without an outcome. */
	async ended(
		{ success, executionId, error }: CapabilityExecutionResult,
		status: ExecutionEnd['status'],
		durationMs: number,
	): Promise<void> {
		if (error !== undefined) {
			// The row has no room for a long one, and a model reads the beginning only.
			this.#deps.log.warn('an execution did not succeed', { executionId, error: `${error.code}: ${error.message}` });
		}
		try {
			await this.#deps.ledger.append(
				this.#row('outcome', `execution ${executionId} ${status}`, {
					output: success ? status : `${error?.code}: ${error?.message}`,
					status: LEDGER_STATUSES[status],
					durationMs,
				}),
				false,
			);
		} catch (failure) {
			this.#deps.log.error('the end of an execution could not be recorded', { error: String(failure) });
		}
	}

	/** Something that is neither a decision nor an effect. Not waited for. */
	note(executionId: string, op: string, text: string): void {
		const entry: NewEntry = {
			...this.#row('note', text, { input: `${this.#title} as ${executionId}` }),
			opId: null,
			op,
			trigger: `execution:${executionId}`,
			risk: null,
		};
		this.#deps.ledger.append(entry, false).catch((error: unknown) => {
			this.#deps.log.error('a note on an execution could not be recorded', { error: String(error) });
		});
	}

	#row(kind: NewEntry['kind'], decision: string, rest: Partial<NewEntry>): NewEntry {
		return {
			kind,
			opId: this.opId,
			op: 'capability.run',
			trigger: this.trigger,
			threadId: this.#threadId,
			risk: this.#risk,
			assessed: null,
			decision,
			paramsHash: null,
			input: this.#title,
			output: null,
			status: null,
			durationMs: null,
			...rest,
		};
	}
}
