/** The user's own acts in the ledger. */
import { isProwessError } from '../../../protocol/errors/errors.ts';
import { newId, type ThreadId } from '../../../protocol/rpc/ids.ts';
import { canonicalJson, sha256 } from '../store/chain/canonical-json.ts';
import type { LedgerPort } from './ledger.ts';
import { recordWork } from './record-work.ts';

export interface UserAct {
	readonly op:
		| `marketplace.${string}`
		| `capability.${string}`
		| `approval.${string}`
		| `level.${string}`
		| `mode.${string}`
		| `code.${string}`
		| `hook.${string}`
		| `agent.${string}`
		| `mcp.${string}`
		| `memory.${string}`
		| `schedule.${string}`
		| `goal.${string}`
		| `script.${string}`
		| `worktree.${string}`
		| `thread.${string}`
		| `web.${string}`
		| `shell.${string}`;
	/** In words. */
	readonly input: string;
	readonly params: unknown;
	/** Absent: it is about no thread. */
	readonly threadId?: ThreadId;
}

/** `summary` of what was done. Rejects with LEDGER_UNWRITABLE, or as `work` does. */
export async function recordUserAct<T>(
	ledger: Pick<LedgerPort, 'append'>,
	{ op, input, params, threadId }: UserAct,
	summary: (done: T) => string,
	work: () => Promise<T>,
): Promise<T> {
	const entry = {
		opId: newId('op'),
		op,
		trigger: 'user',
		threadId: threadId ?? null,
		risk: 'CONTROLLED',
		assessed: null,
		decision: 'allow (user): asked for by the user',
		paramsHash: sha256(canonicalJson(params)),
		input,
	} as const;
	return await recordWork(ledger, entry, work, { summary, failure: describeFailure });
}

function describeFailure(error: unknown): string {
	return isProwessError(error) ? `${error.code}: ${error.message}` : String(error);
}
