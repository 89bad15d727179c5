/** Permission levels of threads, as the rest of the host sees and changes them. */
import type { Event } from '../../../../base/emitter.ts';
import type { ThreadId } from '../../../../protocol/rpc/ids.ts';
import { ProwessError } from '../../../../protocol/errors/errors.ts';
import {
	isWiderLevel,
	LEVEL_WORDS,
	type LevelHere,
	type LevelInForce,
	type PermissionLevel,
} from '../../../../protocol/ops/permission-level.ts';
import { inEnglish } from '../../../../protocol/text/text.ts';
import { recordUserAct } from '../../../record/ledger/user-act.ts';
import type { HostPorts } from '../../../../contract/ports/ports.ts';
import type { PersonDesk } from '../../approvals/desk.ts';
import { levelInForce, levelInHost } from './level-in-force.ts';
import { mergeStrictRules } from '../rules/strict-rule.ts';
import type { ThreadLevels } from './thread-levels.ts';
import { userStrictRules } from '../rules/user-rules.ts';
import type { WorkspacePolicies } from '../workspace/workspace-policies.ts';
import type { LedgerPort } from '../../../record/ledger/ledger.ts';

/** Permission levels of threads: kept and judged by this host, whatever a server or a page says. */
export interface Levels {
	/**
	 * Returns the level in force, from files and settings at least as new as this call; null: the level of the next new
	 * thread.
	 */
	of(threadId: ThreadId | null, signal: AbortSignal): Promise<LevelInForce>;
	/**
	 * Returns the level up to which this host asks nobody in the thread, the level it was started with, and whether
	 * anybody is asked about the rest.
	 */
	here(threadId: ThreadId, signal: AbortSignal): Promise<LevelHere>;
	/** Levels that the user gave to threads; the others are at that of whichever host they work in. Rejects with INVALID_STATE when they cannot be read. */
	given(): Promise<ReadonlyMap<ThreadId, PermissionLevel>>;
	/**
	 * Gives a thread a level. In the ledger as the user's own act. Rejects with DENIED_BY_RULE where a rule permits none that
	 * wide, and with INVALID_STATE when it cannot be kept.
	 */
	set(threadId: ThreadId, level: PermissionLevel, signal: AbortSignal): Promise<LevelInForce>;
	/** A thread has another level. */
	readonly onDidChange: Event<ThreadId>;
}

interface LevelRegisterDeps {
	readonly settings: HostPorts['settings'];
	readonly policies: WorkspacePolicies;
	readonly levels: ThreadLevels;
	readonly approvalMode: HostPorts['approvalMode'];
	readonly desk: Pick<PersonDesk, 'isUnattended'>;
	readonly ledger: LedgerPort;
}

export function levelRegister(deps: LevelRegisterDeps): Levels {
	const { settings, policies, levels, approvalMode, desk, ledger } = deps;
	const of: Levels['of'] = async (threadId, signal) => {
		await Promise.all([policies.refresh(signal), levels.refresh(signal)]);
		const strict = mergeStrictRules([userStrictRules(settings), policies.current, levels.strict]);
		return levelInForce(levels.of(threadId), strict);
	};
	const here: Levels['here'] = async (threadId, signal) => ({
		level: levelInHost(await of(threadId, signal), approvalMode),
		isUnattended: desk.isUnattended(threadId),
	});
	return {
		of,
		here,
		async given() {
			return new Map((await levels.all()).map(({ id, level }) => [id, level]));
		},
		async set(threadId, level, signal) {
			const { level: before, widest, why } = await of(threadId, signal);
			if (isWiderLevel(level, widest)) {
				const reason = why === null ? '' : `: ${inEnglish(why)}`;
				throw new ProwessError('DENIED_BY_RULE', `the permission level "${level}" is forbidden${reason}`, {
					...(why === null ? {} : { reason: why }),
				});
			}
			const from = inEnglish(LEVEL_WORDS[before].name);
			const to = inEnglish(LEVEL_WORDS[level].name);
			const act = {
				op: 'level.set',
				input: `permission level of the thread: ${from} → ${to}`,
				params: { threadId, level },
				threadId,
			} as const;
			await recordUserAct(
				ledger,
				act,
				() => `the level is ${to}`,
				() => levels.set(threadId, level, signal),
			);
			return await of(threadId, signal);
		},
		onDidChange: levels.onDidChange,
	};
}
