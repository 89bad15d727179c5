/**
 * Settles turns whose process ended in the middle. No op is run again: the host is asked about each open tool call, the
 * text so far becomes part of the conversation, and the turn is marked as interrupted.
 */
import type { OpError } from '../../protocol/turn/broker.ts';
import type { TurnId } from '../../protocol/rpc/ids.ts';
import { opOfCall, ops } from '../../protocol/op-table/ops.ts';
import { readStoredItem, readStoredUsage } from '../../protocol/thread/stored-thread.ts';
import { isOpenCall, type ThreadItem } from '../../protocol/thread/items.ts';
import { isFollowed } from '../../protocol/turn/run-steps.ts';
import { PLAN_OP } from '../../protocol/thread/thread-mode.ts';
import type { TurnRow } from '../../store/threads/thread-rows.ts';
import type { ThreadStore } from '../../store/threads/thread-store.ts';
import { resolveOpFate } from '../host/settle-op.ts';
import type { HostBroker } from '../host/host-broker.ts';
import { NO_RESULT } from '../history/repair.ts';
import { threadLimits } from './limits.ts';
import { interruptedAgainEnd, interruptedEnd } from '../pipeline/failover-decide.ts';
import { presentFate, type PresentedOutcome } from '../loop/calls/perform-call.ts';
import { endTurn } from './end-turn.ts';
import type { ThreadHold } from './thread-hold.ts';
import { ThreadJournal } from './thread-journal.ts';
import { toThreadInfo } from './updates/thread-view.ts';

type RecoveredToolItem = Extract<ThreadItem, { kind: 'tool' }>;

/** Ends within the limit for one op, however many are open. */
export async function recoverThread(
	store: ThreadStore,
	hold: ThreadHold,
	host: HostBroker,
	closing: AbortSignal,
): Promise<void> {
	for (const turn of store.runningTurnsOf(hold.threadId)) {
		await recoverTurn(store, hold, host, turn, closing);
	}
}

async function recoverTurn(
	store: ThreadStore,
	hold: ThreadHold,
	host: HostBroker,
	turn: TurnRow,
	closing: AbortSignal,
): Promise<void> {
	const open = store.itemsOfTurn(turn.id).filter((row) => isOpenItem(readStoredItem(row)));
	const settled = new Map<string, PresentedOutcome>();
	await Promise.all(
		open.map(async (row) => {
			const item = readStoredItem(row);
			if (item.kind === 'tool' && isOpenCall(item.status)) {
				settled.set(item.id, await settleToolItem(item, host, closing));
			}
		}),
	);
	// When this process ends, leave the remaining questions to the next process.
	closing.throwIfAborted();

	const ids = { threadId: hold.threadId, turnId: turn.id as TurnId };
	const facts = { ...ids, usage: readStoredUsage(hold.row()), info: () => toThreadInfo(hold.row()) };
	const journal = new ThreadJournal(facts, hold.writer, hold.updates, hold.fail);
	journal.together('power', () => {
		for (const row of open) {
			const item = readStoredItem(row);
			journal.reopen(item);
			const known = settled.get(item.id);
			if (known !== undefined) {
				journal.endTool(item.id, known.patch, known.text);
				if (item.kind === 'tool' && opOfCall(item.tool, item.input) === PLAN_OP && known.patch.status === 'done') {
					journal.setMode('agent');
				}
			} else {
				journal.endText(item.id);
			}
		}
	});
	const isPoisoned = store.interruptedLast(hold.threadId) + 1 >= threadLimits.interruptedInARow;
	const end = isPoisoned ? interruptedAgainEnd : interruptedEnd;
	endTurn(store, hold, journal, end, Math.max(0, Date.now() - Date.parse(turn.started_at)));
}

function isOpenItem(item: ThreadItem): boolean {
	switch (item.kind) {
		case 'text':
		case 'thinking':
			return !item.done;
		case 'tool':
			return isOpenCall(item.status) || (item.inBackground === true && isFollowed(item.steps));
		default:
			return false;
	}
}

async function settleToolItem(
	item: RecoveredToolItem,
	host: HostBroker,
	closing: AbortSignal,
): Promise<PresentedOutcome> {
	const fate = await resolveOpFate(host, item.opId, threadLimits.outcomeAfterRestartMs, closing);
	const op = opOfCall(item.tool, item.input);
	const known = op === undefined ? undefined : presentFate(op, fate);
	if (known !== undefined) {
		return known;
	}
	if (fate.kind === 'never' || op === undefined) {
		return { patch: { status: 'interrupted' }, text: 'Not run: interrupted before it began.', isError: true };
	}
	if (ops[op].effect === 'read') {
		// A read has changed nothing, whether it came to its end or not: a model that still needs it asks again.
		return { patch: { status: 'interrupted' }, text: 'Interrupted: it only reads, so call it again.', isError: true };
	}
	return {
		patch: { status: 'inDoubt', error: createDoubtError(fate.kind === 'silent') },
		text: NO_RESULT,
		isError: true,
	};
}

/** `isSilent`: the host has not even said whether it was begun. */
function createDoubtError(isSilent: boolean): OpError {
	const seconds = threadLimits.outcomeAfterRestartMs / 1_000;
	return isSilent
		? {
				code: 'OUTCOME_IN_DOUBT',
				message: `the host did not say within ${seconds} s whether it was begun; it was not run again`,
				facts: { seconds },
			}
		: {
				code: 'OUTCOME_IN_DOUBT',
				message: 'it was begun, and whether it came to its end is not known; it was not run again',
				facts: {},
			};
}
