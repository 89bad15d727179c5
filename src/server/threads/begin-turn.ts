/** Begins a turn in the store: with the user's message, and without what it takes the place of. */
import { type ItemId, newId, type TurnId } from '../../protocol/rpc/ids.ts';
import { readStoredUsage } from '../../protocol/thread/stored-thread.ts';
import type { UserItem } from '../../protocol/thread/items.ts';
import type { PromptOptions } from '../../protocol/thread/thread-requests.ts';
import type { Strategy, ThreadEvent } from '../../protocol/thread/thread.ts';
import { type ContextRef, listContextImages } from '../../protocol/thread/context.ts';
import type { ThreadStore } from '../../store/threads/thread-store.ts';
import { sayWithSender, userMessage } from '../history/messages.ts';
import { usageBeforeTurn } from '../loop/total-usage.ts';
import { threadLimits } from './limits.ts';
import { Steering } from '../turn/steering.ts';
import type { StoredTurn } from './live-turn.ts';
import type { ThreadHold } from './thread-hold.ts';
import { takeImages } from './thread-images.ts';
import {
	parseThreadAgent,
	toThreadInfo,
	parseStoredMessage,
	parseStandIn,
	storedResult,
	titleFrom,
} from './updates/thread-view.ts';
import { ThreadJournal } from './thread-journal.ts';
import { toUserItemRow, listUserItems } from './user-messages.ts';

export const UNTITLED_THREAD = 'New thread';

export interface NewMessage {
	readonly text: string;
	readonly context: ContextRef[];
	/** Absent: it gets one of ours. */
	readonly messageId?: ItemId | undefined;
	/** Strategy that the user has chosen; absent: none. */
	readonly strategy?: Strategy | undefined;
	/** Judgement that the user overrules with it; absent: none. */
	readonly overrules?: StoredTurn['overrules'];
	readonly options?: PromptOptions | undefined;
	/** Another agent that wrote it. */
	readonly from?: UserItem['from'] | undefined;
}

/** Begins a turn: stores the cut, the turn and the user's message in one durable commit, then announces them. */
export function beginStoredTurn(
	store: ThreadStore,
	hold: ThreadHold,
	{ text, context, messageId, strategy, options, overrules, from: sender }: NewMessage,
	{ from, defaultModel }: { readonly from: TurnId | undefined; readonly defaultModel: string },
): StoredTurn {
	const { threadId, writer } = hold;
	const turnId = newId('trn');
	const at = new Date().toISOString();
	const item: UserItem = {
		id: messageId ?? newId('itm'),
		turnId,
		at,
		kind: 'user',
		text,
		context,
		...(sender && { from: sender }),
	};
	const words = sayWithSender(item);
	const images = listContextImages(context);
	const before = hold.row();
	const modelId = (before.model_id ?? defaultModel) || 'default';
	let messageAt = 0;
	let lastModelId: string | undefined;
	let wentBack: Pick<StoredTurn, 'removedLater' | 'isRestored' | 'rewound'> = {};
	hold.change('power', () => {
		const titleOfCut = from === undefined ? UNTITLED_THREAD : createTurnTitle(store, from);
		const cut = from === undefined ? [] : (writer.cut(from) as TurnId[]);
		wentBack = {
			removedLater: Math.max(0, cut.length - 1),
			isRestored: writer.tellRestored(),
			rewound: writer.tellRewound(),
		};
		lastModelId = store.lastModelOf(threadId);
		const isFirst = store.lastTurn(threadId) === undefined;
		// A title that the user gave stays.
		const isOurs = before.title === UNTITLED_THREAD || before.title === titleOfCut;
		writer.change({
			updated_at: at,
			// A user who goes on in an archived thread wants it in sight.
			...(before.shelf === 'archived' ? { shelf: null } : {}),
			...(isFirst ? { instructions_read: 0 } : {}),
			...(isFirst && isOurs ? { title: titleFrom(text, threadLimits.titleChars) } : {}),
		});
		writer.startTurn({ id: turnId, modelId, startedAt: at });
		writer.addItem(toUserItemRow(item), text);
		takeImages(writer, turnId, images);
		messageAt = writer.addMessage(turnId, JSON.stringify(userMessage(words, '', '', images)), [item.id]);
		const events: ThreadEvent[] = [
			{ type: 'turn.start', turnId, modelId },
			{ type: 'item.start', item },
		];
		return cut.length === 0 ? events : [{ type: 'thread.cut', turnIds: cut }, ...events];
	});
	const row = hold.row();
	const compaction = store.compaction(threadId);
	const kept = store.messages(threadId, compaction?.kept_from).filter(({ turn_id }) => turn_id !== turnId);
	return {
		threadId,
		turnId,
		mode: toThreadInfo(row).mode,
		effort: toThreadInfo(row).effort,
		agent: parseThreadAgent(row),
		modelId: row.model_id,
		text: words,
		strategy,
		overrules,
		options,
		context,
		messageAt,
		before: [...parseStandIn(compaction), ...kept.map(parseStoredMessage)],
		lastModelId,
		...wentBack,
		isPastCut: compaction !== undefined,
		hasInstructions: row.instructions_read === 1,
		steering: new Steering(),
		results: { result: (id, ofTurn) => storedResult(store, threadId, id, ofTurn) },
		journal: new ThreadJournal(
			{ threadId, turnId, usage: usageBeforeTurn(readStoredUsage(row)), info: () => toThreadInfo(hold.row()) },
			writer,
			hold.updates,
			hold.fail,
		),
	};
}

function createTurnTitle(store: ThreadStore, turnId: TurnId): string {
	return titleFrom(listUserItems(store, turnId)[0]?.text ?? '', threadLimits.titleChars);
}
