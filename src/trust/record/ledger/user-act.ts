/** The user's own acts in the ledger: intent before, outcome after. Without the intent nothing is done. */
import { ProwessError } from '../../../protocol/errors.ts';
import { newId, type ThreadId } from '../../../protocol/ids.ts';
import { canonicalJson, sha256 } from '../store/chain/canonical-json.ts';
import type { LedgerPort, NewEntry } from './ledger.ts';

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
		| `script.${string}`;
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
	const entry: Omit<NewEntry, 'kind' | 'output' | 'status' | 'durationMs'> = {
		opId: newId('op'),
		op,
		trigger: 'user',
		threadId: threadId ?? null,
		risk: 'CONTROLLED',
		assessed: null,
		decision: 'allow (user): asked for by the user',
		paramsHash: sha256(canonicalJson(params)),
		input,
	};
	await ledger.append({ ...entry, kind: 'intent', output: null, status: null, durationMs: null }, true);
	const startedAt = performance.now();
	const recordEnd = (status: string, output: string) =>
		ledger.append(
			{ ...entry, kind: 'outcome', output, status, durationMs: Math.round(performance.now() - startedAt) },
			false,
		);
	let done: T;
	try {
		done = await work();
	} catch (error) {
		const what = error instanceof ProwessError ? `${error.code}: ${error.message}` : String(error);
		// Report the original failure, even when the ledger cannot record it.
		await recordEnd('failed', what).catch(() => undefined);
		throw error;
	}
	await recordEnd('done', summary(done));
	return done;
}
