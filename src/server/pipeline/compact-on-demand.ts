/** `/compact [what to keep]`: the user leaves older messages out before they have to go. No answer of the agent follows. */
import { NOTICE_TEXTS } from '../../protocol/text/notice-texts.ts';
import { repairHistory } from '../history/repair.ts';
import { findStoredPosition } from '../history/stored-position.ts';
import { hostOfTurn } from '../host/host-broker.ts';
import { compactMessages } from '../loop/context/compact.ts';
import type { ModelLine } from '../models/failover/model-line.ts';
import type { BeginStep } from '../turn/stage-trace.ts';
import type { Turn, TurnDeps } from '../turn/turn.ts';

const COMPACT_COMMAND = /^\/compact(?:\s+(?<keep>[\s\S]*))?$/;

/**
 * Returns the user's words on what to keep, empty when there are none; undefined when the message is no `/compact`
 * command.
 */
export function compactCommand(text: string): string | undefined {
	const found = COMPACT_COMMAND.exec(text.trim());
	return found === null ? undefined : (found.groups?.['keep'] ?? '');
}

export async function compactOnDemand(
	turn: Turn,
	keep: string,
	models: ModelLine,
	deps: TurnDeps & { readonly beginStep: BeginStep },
	signal: AbortSignal,
): Promise<void> {
	const { journal, messageAt } = turn;
	const messages = repairHistory(turn.before);
	// Do not count messages of ours that stand for others already: compacting them again gains nothing.
	if (messages.filter((message) => findStoredPosition(message) !== undefined).length < 2) {
		// The command is for us: the model never reads it.
		journal.together('process', () => {
			journal.sayAgain(messageAt, { role: 'user', text: '' });
			journal.notice({ level: 'info', text: NOTICE_TEXTS.nothingToCompact, actions: [] });
		});
		return;
	}
	await deps.host.compacting(turn.threadId, 'manual', keep, signal);
	const { budgets, wait, skips, beginStep } = deps;
	const compacting = { models, journal, budgets, host: hostOfTurn(deps.host, turn), wait, skips, beginStep };
	await compactMessages({ messages }, messageAt + 1, compacting, signal, keep);
}
