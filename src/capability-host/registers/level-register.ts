/** Permission levels of threads, as the rest of the host sees and changes them. */
import type { Event } from '../../base/emitter.ts';
import type { ThreadId } from '../../protocol/ids.ts';
import { ProwessError } from '../../protocol/errors.ts';
import {
	isWider,
	LEVEL_WORDS,
	type LevelInForce,
	type PermissionLevel,
} from '../../protocol/approvals/permission-level.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import { recorded } from '../catalog/marketplace/record.ts';
import type { HostPorts } from '../contract/ports/ports.ts';
import { levelInForce } from '../gate/policy/levels/level-in-force.ts';
import { mergeStrictRules } from '../gate/policy/rules/strict-rule.ts';
import type { ThreadLevels } from '../gate/policy/levels/thread-levels.ts';
import { userStrictRules } from '../gate/policy/rules/user-rules.ts';
import type { WorkspacePolicies } from '../gate/policy/workspace/workspace-policies.ts';
import type { LedgerPort } from '../record/ledger/ledger.ts';

/** Permission levels of threads: kept and judged by this host, whatever a server or a page says. */
export interface Levels {
	/** As files and settings are no earlier than now; null: that of the next new thread. */
	of(threadId: ThreadId | null, signal: AbortSignal): Promise<LevelInForce>;
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
	readonly ledger: LedgerPort;
}

export function levelRegister({ settings, policies, levels, ledger }: LevelRegisterDeps): Levels {
	const of: Levels['of'] = async (threadId, signal) => {
		await Promise.all([policies.refresh(signal), levels.refresh(signal)]);
		const strict = mergeStrictRules([userStrictRules(settings), policies.current, levels.strict]);
		return levelInForce(levels.of(threadId), strict);
	};
	return {
		of,
		async set(threadId, level, signal) {
			const { level: before, widest, why } = await of(threadId, signal);
			if (isWider(level, widest)) {
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
			await recorded(
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
