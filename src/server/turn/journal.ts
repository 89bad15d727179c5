/** Journal in which a loop and a turn record their progress. A stored thread keeps it, or the memory of a sub-turn. */
import type { TodoItem } from '../../protocol/ops/define-op.ts';
import type { ItemId, OpId } from '../../protocol/rpc/ids.ts';
import type { Text } from '../../protocol/text/text.ts';
import type { ImageRef } from '../../protocol/ops/images.ts';
import type { Notice, ToldCompaction, ToldInstructions, ToldMemories, ToolPatch } from '../../protocol/thread/items.ts';
import type { ServedModel } from '../../protocol/thread/served.ts';
import type { Mode, Usage } from '../../protocol/thread/thread.ts';
import type { RunStep } from '../../protocol/turn/run-steps.ts';
import type { Durability } from '../../store/database.ts';
import type { ModelMessage } from '../models/model-port.ts';
import type { KeepTrace, StageTrace } from './stage-trace.ts';

export interface NewToolItem {
	readonly opId: OpId;
	readonly callId: string;
	readonly tool: string;
	readonly title: Text;
	readonly input: unknown;
}

export interface LoopJournal {
	/** Several of the methods below as one commit; `power` survives a power cut, `process` the death of this process. */
	together<T>(durability: Durability, work: () => T): T;
	/**
	 * Resolves when all earlier entries are stored, so that nobody acts on them before. Entries of the same moment are
	 * part of the same commit.
	 */
	stored(): Promise<void>;
	/** Appends to what the model reads; returns the position of the message. `userItems` are the items that it says. */
	say(message: ModelMessage, userItems?: readonly ItemId[]): number;
	/** The model reads `standIn` in place of all messages before `keptFrom`; the user is shown what it says. */
	compacted(keptFrom: number, standIn: readonly ModelMessage[], told: ToldCompaction): void;
	/** Stores a picture or sound for the model; undefined: it cannot be shown any here. Throws for what is neither. */
	keepImage(data: Uint8Array, name: string): ImageRef | undefined;
	notice(notice: Notice): void;
	/** Item of a call, by the place of the message that makes it. Absent where items are not kept. */
	itemOfCall?(position: number, callId: string): ItemId | undefined;
	/** Begins an answer or a thought. `served`: the endpoint answers with another model, which the thread says once. */
	startText(kind: 'text' | 'thinking', served?: ServedModel): ItemId;
	/** Shows that no reply is needed. Absent where such words are words like any other. */
	silence?(): void;
	/**
	 * Texts that give way to the answer that begins now, with the messages from `position` on. Absent where an answer is
	 * never revised.
	 */
	revise?(itemIds: readonly ItemId[], position: number): void;
	appendText(itemId: ItemId, text: string): void;
	endText(itemId: ItemId): void;
	/** Before the host is asked, so that its answer can be asked for again after a crash. */
	startTool(item: NewToolItem): ItemId;
	patchTool(itemId: ItemId, patch: ToolPatch): void;
	/** Steps of the capability that a call runs, also after the call's end where it goes on in the background. */
	addSteps(itemId: ItemId, steps: readonly RunStep[]): void;
	/** Streamed output while a tool runs. */
	appendOutput(itemId: ItemId, chunk: string): void;
	/** The end of a tool item. `output` replaces what was streamed. */
	endTool(itemId: ItemId, patch: ToolPatch, output: string | undefined): void;
	setTodos(items: readonly TodoItem[]): void;
	/** Usage of the thread so far; null before the first answer. */
	readonly usage: Usage | null;
	setUsage(usage: Usage): void;
}

export interface TurnJournal extends LoopJournal {
	/** Replaces a message, e.g. the user's when the references in it have been read. */
	sayAgain(position: number, message: ModelMessage): void;
	instructionsRead(): void;
	/** The thread has another mode. */
	setMode(mode: Mode): void;
	/** The thread uses another model from now on. */
	setModel(modelId: string): void;
	/** Shows which files of the workspace were told to the model. */
	instructions(told: ToldInstructions): void;
	/** Shows which memories were told to the model. */
	memories(told: ToldMemories): void;
	/** Keeps which model was found for the turn; `isNews`: it took over from another, so it is announced as well. */
	answering(modelId: string, isNews?: boolean): void;
	/** `soon`: with the next one that is kept, at the latest within a second. */
	trace(stages: readonly StageTrace[], when: KeepTrace): void;
}
