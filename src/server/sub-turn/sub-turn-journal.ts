/**
 * Journal of a sub-turn, for as long as the sub-turn lasts: keeps messages and calls in memory only, and tells the host
 * of its progress.
 */
import { type ItemId, newId, type OpId } from '../../protocol/rpc/ids.ts';
import type { SubTurnResult } from '../../protocol/ops/definitions/agent/agent.ts';
import type { ModelTokens } from '../../protocol/ops/definitions/agent/llm.ts';
import type { ToolPatch } from '../../protocol/thread/items.ts';
import type { Usage } from '../../protocol/thread/thread.ts';
import type { ModelMessage } from '../models/model-port.ts';
import type { LoopJournal } from '../turn/journal.ts';
import { resultId, type StoredResults } from '../history/stored-texts.ts';
import { inEnglish } from '../../protocol/text/text.ts';

/** Tool calls that the summary of a sub-turn names. */
const MAX_TOOL_CALLS = 200;
/** Characters of results that are kept to be read on, all together. */
const MAX_RESULTS_CHARS = 8_000_000;

export type SubTurnNews =
	| { readonly kind: 'text'; readonly text: string }
	| { readonly kind: 'tool'; readonly title: string }
	| { readonly kind: 'request'; readonly model: string }
	| { readonly kind: 'usage'; readonly calls: number; readonly tokens: number };

export class SubTurnJournal implements LoopJournal, StoredResults {
	readonly messages: ModelMessage[] = [];
	readonly #tell: (news: SubTurnNews) => void;
	readonly #calls = new Map<
		ItemId,
		{ readonly tool: string; readonly title: string; readonly opId: OpId; status: string }
	>();
	readonly #results = new Map<string, string>();
	#resultsChars = 0;
	#usage: Usage | null = null;
	#answers = 0;
	#asked = 0;
	readonly #thoughts = new Set<ItemId>();

	constructor(tell: (news: SubTurnNews) => void) {
		this.#tell = tell;
	}

	get usage(): Usage | null {
		return this.#usage;
	}

	get tokens(): ModelTokens {
		const { inputTokens = 0, outputTokens = 0, estimated = false } = this.#usage ?? {};
		return { inputTokens, outputTokens, estimated };
	}

	get toolCalls(): SubTurnResult['toolCalls'] {
		return [...this.#calls.values()]
			.slice(0, MAX_TOOL_CALLS)
			.map(({ tool, title, status }) => ({ tool, title, status }));
	}

	/** Asks the model again. Earlier text does not count as part of the next answer. */
	askAgain(text: string): void {
		this.#asked = this.say({ role: 'user', text, ownChars: 0 });
	}

	/** Text of the last answer, all its continuations together. */
	get text(): string {
		const start = Math.max(
			this.#asked,
			this.messages.findLastIndex(({ role }) => role === 'tool'),
		);
		return this.messages
			.slice(start + 1)
			.flatMap((message) => (message.role === 'assistant' ? message.parts : []))
			.map((part) => (part.kind === 'text' ? part.text : ''))
			.join('');
	}

	/** The last words to the user, also those that came with calls. */
	get lastSaid(): string {
		const said = this.messages
			.slice(this.#asked + 1)
			.map((message) =>
				message.role === 'assistant'
					? message.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
					: '',
			);
		return said.findLast((text) => text.trim() !== '') ?? '';
	}

	together<T>(_durability: unknown, work: () => T): T {
		return work();
	}

	async stored(): Promise<void> {}

	say(message: ModelMessage): number {
		return this.messages.push(message) - 1;
	}

	/** A request to that model begins. */
	asking(model: string): void {
		this.#tell({ kind: 'request', model });
	}

	setUsage(usage: Usage): void {
		this.#usage = usage;
		this.#answers += 1;
		this.#tell({ kind: 'usage', calls: this.#answers, tokens: usage.inputTokens + usage.outputTokens });
	}

	startText(kind: 'text' | 'thinking'): ItemId {
		const itemId = newId('itm');
		if (kind === 'thinking') {
			this.#thoughts.add(itemId);
		}
		return itemId;
	}

	appendText(itemId: ItemId, text: string): void {
		if (!this.#thoughts.has(itemId)) {
			this.#tell({ kind: 'text', text });
		}
	}

	endText(itemId: ItemId): void {
		this.#thoughts.delete(itemId);
	}

	startTool({ tool, title: said, opId }: Parameters<LoopJournal['startTool']>[0]): ItemId {
		const title = inEnglish(said);
		const itemId = newId('itm');
		this.#calls.set(itemId, { tool, title, opId, status: 'running' });
		this.#tell({ kind: 'tool', title });
		return itemId;
	}

	patchTool(): void {}

	/** The host shows the steps of an execution below this one at the same card. */
	addSteps(): void {}

	appendOutput(): void {}

	endTool(itemId: ItemId, { status = 'done' }: ToolPatch, output: string | undefined): void {
		const call = this.#calls.get(itemId);
		if (call === undefined) {
			return;
		}
		call.status = status;
		// For as long as it lasts, and not more than it may fill of the memory.
		if (output !== undefined && this.#resultsChars + output.length <= MAX_RESULTS_CHARS) {
			this.#results.set(resultId(call.opId), output);
			this.#resultsChars += output.length;
		}
	}

	result(id: string): string | undefined {
		return this.#results.get(id);
	}

	/** The list a person sees is the turn's, not a sub-turn's. */
	setTodos(): void {}

	/** Capabilities are given texts alone. */
	keepImage(): undefined {}

	/** Stores no compaction: the loop alone continues from the replacement. */
	compacted(): void {}

	notice({ text }: Parameters<LoopJournal['notice']>[0]): void {
		this.#tell({ kind: 'text', text: `${text}\n` });
	}
}
