/** Older messages leave a conversation for good: stored, so that what the model reads begins with the same bytes from then on. */
import type { MessageBudgets } from '../../history/budget.ts';
import { type LeavingMessages, standIn } from '../../history/compaction.ts';
import { historyLimits } from '../../history/limits.ts';
import type { OpHost } from '../../host/host-broker.ts';
import type { Wait } from '../../models/failover/failover.ts';
import type { WaitSkips } from '../../models/failover/wait-skips.ts';
import type { ModelLine } from '../../models/failover/model-line.ts';
import type { ModelMessage, ModelPort, ModelUsage } from '../../models/model-port.ts';
import type { LoopJournal } from '../../turn/journal.ts';
import { failoverNotices } from '../failover-notices.ts';
import { type Summary, summarizeMessages } from './summarize.ts';
import { totalUsage } from '../total-usage.ts';
import type { BeginStep } from '../../turn/stage-trace.ts';

interface Compacting {
	readonly models: ModelLine;
	readonly journal: LoopJournal;
	readonly budgets: MessageBudgets;
	readonly host: Pick<OpHost, 'redacted'>;
	readonly wait?: Wait | undefined;
	readonly skips?: WaitSkips | undefined;
	readonly fixedTokens?: number;
	/** Traces the request for a summary. */
	readonly beginStep?: BeginStep | undefined;
}

/**
 * Summarizes messages that leave, stores and shows their replacement, and returns it. `keptFrom`: position of the first
 * stored message that stays. `keep`: the user's words on what to keep. Rejects only when the signal aborts; then
 * nothing has changed.
 */
export async function compactMessages(
	leaving: LeavingMessages,
	keptFrom: number,
	{ models, journal, budgets, host, wait, skips, fixedTokens = historyLimits.fixedTokens, beginStep }: Compacting,
	signal: AbortSignal,
	keep = '',
): Promise<ModelMessage[]> {
	const budgetTokens = budgets.tokensOf(models.current, fixedTokens);
	const onUsage = (usage: ModelUsage, model: ModelPort) => journal.setUsage(totalUsage(journal.usage, usage, model));
	const news = failoverNotices(journal);
	const summarizing = { models, budgetTokens, keep, host, wait, skips, news, onUsage, beginStep };
	const summary = await summarizeMessages(leaving.messages, summarizing, signal);
	const told = standIn(leaving, budgetTokens, summary?.text);
	journal.compacted(keptFrom, told, toToldCompaction(told, summary));
	return told;
}

function toToldCompaction(
	[head]: readonly ModelMessage[],
	summary: Summary | undefined,
): Parameters<LoopJournal['compacted']>[2] {
	const leftOut = head?.role === 'user' ? head.leftOut : undefined;
	return {
		messages: leftOut?.messages ?? 0,
		text: leftOut?.done ?? '',
		...(summary === undefined ? {} : { model: summary.model }),
	};
}
