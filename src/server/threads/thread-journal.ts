/**
 * The only path by which a turn changes its thread: each change is stored, and then announced as an update. Changes of
 * the same moment are one commit, made at the latest when they are announced, an op is asked for, or the model is asked
 * again. Streamed text, and the progress of a tool, are announced first and stored at least once a second and when they
 * end.
 */
import type { TodoItem } from '../../protocol/ops/define-op.ts';
import { ItemId, newId, type OpId, type ThreadId, type TurnId } from '../../protocol/rpc/ids.ts';
import { checkedMedia, type ImageRef } from '../../protocol/ops/images.ts';
import { endFollowing, endOpenSteps, mergeStep, type RunStep } from '../../protocol/turn/run-steps.ts';
import {
	isOpenCall,
	type ThreadItem,
	type Notice,
	type ToldCompaction,
	type ToldInstructions,
	type ToldMemories,
	type ToolItem,
	type ToolPatch,
} from '../../protocol/thread/items.ts';
import type { ServedModel } from '../../protocol/thread/served.ts';
import type { Mode, ThreadInfo, ThreadEvent, Usage } from '../../protocol/thread/thread.ts';
import type { Durability } from '../../store/database.ts';
import type { ThreadWriter } from '../../store/threads/thread-writer.ts';
import type { ModelMessage } from '../models/model-port.ts';
import type { NewToolItem, TurnJournal } from '../turn/journal.ts';
import type { KeepTrace, StageTrace } from '../turn/stage-trace.ts';
import { threadLimits } from './limits.ts';
import { createExcerpt } from '../history/excerpt.ts';
import { newImage } from './thread-images.ts';
import type { UpdateStream } from './updates/update-stream.ts';
import { inEnglish } from '../../protocol/text/text.ts';

export class ThreadJournal implements TurnJournal {
	readonly threadId: ThreadId;
	readonly turnId: TurnId;
	readonly #writer: ThreadWriter;
	readonly #updates: UpdateStream;
	readonly #failed: (error: unknown) => void;
	readonly #info: () => ThreadInfo;
	readonly #open = new Map<ItemId, { readonly item: ThreadItem; readonly sinceMs: number | undefined }>();
	/** Calls that have ended, and what they run has not: steps of it still come. */
	readonly #followed = new Map<ItemId, ToolItem>();
	readonly #unsaved = new Set<ItemId>();
	/** A process before this one began the turn: what it ran ended with it. */
	#isTakenUp = false;
	#unsavedTrace: readonly StageTrace[] | undefined;
	#timer: NodeJS.Timeout | undefined;
	#usage: Usage | null;

	/** `failed` hears of a write that failed while nobody waited for it. */
	constructor(
		turn: {
			readonly threadId: ThreadId;
			readonly turnId: TurnId;
			readonly usage: Usage | null;
			/** The thread as it is described now. */
			info(): ThreadInfo;
		},
		writer: ThreadWriter,
		updates: UpdateStream,
		failed: (error: unknown) => void,
	) {
		this.threadId = turn.threadId;
		this.turnId = turn.turnId;
		this.#usage = turn.usage;
		this.#info = () => turn.info();
		this.#writer = writer;
		this.#updates = updates;
		this.#failed = failed;
	}

	together<T>(durability: Durability, work: () => T): T {
		return this.#writer.transaction(durability, work);
	}

	async stored(): Promise<void> {
		// Let concurrent work record its changes first, so that they join the same commit.
		await Promise.resolve();
		this.#writer.settle();
	}

	startText(kind: 'text' | 'thinking', served?: ServedModel): ItemId {
		const isNews = served !== undefined && !this.#writer.hasServed(served);
		return this.#start({ ...this.#newItem(), kind, text: '', done: false, ...(isNews && { served }) });
	}

	silence(): void {
		this.#open.delete(this.#start({ ...this.#newItem(), kind: 'text', text: '', done: true, silent: true }));
	}

	revise(itemIds: readonly ItemId[], position: number): void {
		this.#writer.removeAnswerLater(this.turnId, itemIds, position);
		for (const itemId of itemIds) this.#announce({ type: 'item.revised', itemId });
	}

	appendText(itemId: ItemId, text: string): void {
		const open = this.#open.get(itemId);
		if (open?.item.kind === 'text' || open?.item.kind === 'thinking') {
			open.item.text += text;
			this.#streamed(itemId, text);
		}
	}

	endText(itemId: ItemId): void {
		const open = this.#open.get(itemId);
		if (open?.item.kind !== 'text' && open?.item.kind !== 'thinking') {
			return;
		}
		const { item } = open;
		item.done = true;
		const durationMs = item.kind === 'thinking' ? measureElapsedMs(open.sinceMs) : undefined;
		if (item.kind === 'thinking' && durationMs !== undefined) {
			item.durationMs = durationMs;
		}
		this.#close(itemId, item.kind === 'text' ? item.text : undefined);
		this.#announce({ type: 'item.end', itemId, ...(durationMs === undefined ? {} : { durationMs }) });
	}

	startTool({ opId, callId, tool, title, input }: NewToolItem): ItemId {
		const item: ThreadItem = {
			...this.#newItem(),
			kind: 'tool',
			opId,
			tool,
			title: inEnglish(title),
			said: title,
			input,
			status: 'pending',
			output: '',
			outputTruncated: false,
		};
		return this.#start(item, { opId, callId });
	}

	patchTool(itemId: ItemId, patch: ToolPatch): void {
		const item = this.#tool(itemId);
		if (item !== undefined) {
			Object.assign(item, patch);
			this.#announce({ type: 'item.tool', itemId, patch });
			this.#saveLater(itemId);
		}
	}

	addSteps(itemId: ItemId, steps: readonly RunStep[]): void {
		const item = this.#tool(itemId) ?? this.#followed.get(itemId);
		if (item === undefined || steps.length === 0) {
			return;
		}
		for (const step of steps) {
			item.steps = mergeStep(item.steps ?? [], step);
			this.#announce({ type: 'item.step', itemId, step });
		}
		this.#saveLater(itemId);
	}

	/** Streamed output while a tool runs; what no longer fits for display is dropped. */
	appendOutput(itemId: ItemId, chunk: string): void {
		const item = this.#tool(itemId);
		if (item === undefined || item.outputTruncated) {
			return;
		}
		const room = threadLimits.displayedOutputChars - item.output.length;
		const text = chunk.slice(0, room);
		item.output += text;
		this.#streamed(itemId, text);
		if (text.length < chunk.length) {
			this.patchTool(itemId, { outputTruncated: true });
		}
	}

	/**
	 * The end of a tool item. `output` replaces what was streamed, and its whole is kept beside what is displayed. Where the call
	 * did not come to its result, what was streamed stays, and `output` stands beside it.
	 */
	endTool(itemId: ItemId, patch: ToolPatch, output: string | undefined): void {
		const open = this.#open.get(itemId);
		const item = this.#tool(itemId);
		if (open === undefined || item === undefined) {
			return;
		}
		const staysStreamed = patch.error !== undefined && item.output !== '' && output !== undefined;
		const shown =
			output === undefined || staysStreamed ? undefined : createExcerpt(output, threadLimits.displayedOutputChars);
		const durationMs = item.startedAt === undefined ? undefined : measureElapsedMs(open.sinceMs);
		const whole: ToolPatch = {
			...(durationMs === undefined ? {} : { durationMs }),
			...patch,
			...(staysStreamed ? { told: output } : {}),
			...(shown === undefined ? {} : { output: shown.text, outputTruncated: shown.omitted > 0 }),
		};
		Object.assign(item, whole);
		if (whole.inBackground === true && !this.#isTakenUp) {
			this.#followed.set(itemId, item);
		} else {
			const isLost = this.#isTakenUp || item.status === 'interrupted' || item.status === 'inDoubt';
			this.addSteps(itemId, endOpenSteps(item.steps, isLost ? 'interrupted' : 'cancelled'));
		}
		this.#close(itemId, undefined, shown !== undefined && shown.omitted > 0 ? output : undefined);
		this.#announce({ type: 'item.tool', itemId, patch: whole });
		this.#announce({ type: 'item.end', itemId });
	}

	notice(notice: Notice): void {
		this.#open.delete(this.#start({ ...this.#newItem(), kind: 'notice', ...notice }));
	}

	itemOfCall(position: number, callId: string): ItemId | undefined {
		this.#writer.settle();
		return ItemId.safeParse(this.#writer.itemOfCall(position, callId)).data;
	}

	instructions(told: ToldInstructions): void {
		this.#open.delete(this.#start({ ...this.#newItem(), kind: 'instructions', ...told }));
	}

	memories(told: ToldMemories): void {
		this.#open.delete(this.#start({ ...this.#newItem(), kind: 'memories', ...told }));
	}

	compacted(keptFrom: number, standIn: readonly ModelMessage[], told: ToldCompaction): void {
		this.together('process', () => {
			this.#writer.addCompaction(this.turnId, keptFrom, JSON.stringify(standIn));
			this.#open.delete(this.#start({ ...this.#newItem(), kind: 'compaction', ...told }));
		});
	}

	/** Takes up an item that a process before this one left open, or only its steps: how long it took, nobody knows. */
	reopen(item: ThreadItem): void {
		this.#isTakenUp = true;
		if (item.kind === 'tool' && !isOpenCall(item.status)) this.#followed.set(item.id, item);
		else this.#open.set(item.id, { item, sinceMs: undefined });
	}

	keepImage(data: Uint8Array, name: string): ImageRef {
		const { image, ref } = newImage(data, name, checkedMedia);
		this.#writer.addImage(this.turnId, image);
		return ref;
	}

	say(message: ModelMessage, userItems: readonly ItemId[] = []): number {
		return this.#writer.addMessageLater(this.turnId, JSON.stringify(message), userItems);
	}

	sayAgain(position: number, message: ModelMessage): void {
		this.#writer.setMessage(position, JSON.stringify(message));
	}

	setTodos(items: readonly TodoItem[]): void {
		this.#writer.change({ todos: JSON.stringify(items) });
		this.#announce({ type: 'todos', items: [...items] });
	}

	setMode(mode: Mode): void {
		this.#writer.change({ mode });
		this.#announce({ type: 'thread.changed', info: this.#info() });
	}

	setModel(modelId: string): void {
		this.#writer.change({ model_id: modelId });
		this.#announce({ type: 'thread.changed', info: this.#info() });
	}

	get usage(): Usage | null {
		return this.#usage;
	}

	setUsage(usage: Usage): void {
		this.#usage = usage;
		const body = JSON.stringify(usage);
		this.#writer.later(() => this.#writer.change({ usage: body }));
		this.#announce({ type: 'usage', usage });
	}

	instructionsRead(): void {
		this.#writer.change({ instructions_read: 1 });
	}

	answering(modelId: string, isNews = false): void {
		this.#writer.setTurnModel(this.turnId, modelId);
		if (isNews) this.#announce({ type: 'turn.model', turnId: this.turnId, modelId });
	}

	trace(stages: readonly StageTrace[], when: KeepTrace): void {
		this.#unsavedTrace = stages;
		if (when === 'now') this.#saveTrace();
		else this.#timer ??= setTimeout(() => this.#flushLater(), threadLimits.journalIntervalMs);
	}

	/** Ends whatever is still open: text as it is, tools with `patch`. Runs that outlive the turn are not followed any more. */
	endAll(patch: ToolPatch): void {
		for (const [id, { steps }] of [...this.#followed]) {
			this.addSteps(id, endFollowing(steps, this.#isTakenUp ? 'interrupted' : 'unfollowed'));
			this.#save(id);
			this.#followed.delete(id);
		}
		for (const [id, { item }] of [...this.#open]) {
			if (item.kind === 'tool') {
				this.endTool(id, patch, undefined);
			} else {
				this.endText(id);
			}
		}
	}

	/** Stores what streams, at once. */
	flush(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		for (const id of [...this.#unsaved]) {
			this.#save(id);
		}
		this.#saveTrace();
		this.#writer.settle();
	}

	/** Forgets what waits to be stored. */
	dispose(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#unsaved.clear();
		this.#unsavedTrace = undefined;
	}

	#newItem(): Pick<ThreadItem, 'id' | 'turnId' | 'at'> {
		return { id: newId('itm'), turnId: this.turnId, at: new Date().toISOString() };
	}

	#tool(itemId: ItemId): ToolItem | undefined {
		const item = this.#open.get(itemId)?.item;
		return item?.kind === 'tool' ? item : undefined;
	}

	#start(item: ThreadItem, call?: { readonly opId: OpId; readonly callId: string }): ItemId {
		const row = {
			id: item.id,
			turn_id: item.turnId,
			kind: item.kind,
			body: JSON.stringify(item),
			op_id: call?.opId ?? null,
			call_id: call?.callId ?? null,
		};
		this.#writer.later(() => this.#writer.addItem(row, undefined));
		// A copy goes out: ours changes while the update waits.
		this.#announce({ type: 'item.start', item: { ...item } });
		this.#open.set(item.id, { item, sinceMs: performance.now() });
		return item.id;
	}

	#streamed(itemId: ItemId, text: string): void {
		this.#announce({ type: 'item.delta', itemId, text });
		this.#saveLater(itemId);
	}

	#saveLater(itemId: ItemId): void {
		this.#unsaved.add(itemId);
		this.#timer ??= setTimeout(() => this.#flushLater(), threadLimits.journalIntervalMs);
	}

	#close(itemId: ItemId, searchText: string | undefined, whole?: string): void {
		this.#save(itemId, { searchText, whole: whole?.slice(0, threadLimits.storedOutputChars) });
		this.#open.delete(itemId);
	}

	#save(
		itemId: ItemId,
		more: { readonly searchText?: string | undefined; readonly whole?: string | undefined } = {},
	): void {
		const item = this.#open.get(itemId)?.item ?? this.#followed.get(itemId);
		this.#unsaved.delete(itemId);
		if (item !== undefined) {
			const body = JSON.stringify(item);
			this.#writer.later(() => this.#writer.setItem(itemId, body, more));
		}
	}

	#saveTrace(): void {
		const stages = this.#unsavedTrace;
		this.#unsavedTrace = undefined;
		if (stages !== undefined) {
			this.#writer.traceTurn(this.turnId, JSON.stringify(stages));
		}
	}

	#flushLater(): void {
		try {
			this.flush();
		} catch (error) {
			this.#failed(error);
		}
	}

	#announce(event: ThreadEvent): void {
		this.#updates.push(event);
	}
}

function measureElapsedMs(startMs: number | undefined): number | undefined {
	return startMs === undefined ? undefined : Math.round(performance.now() - startMs);
}
