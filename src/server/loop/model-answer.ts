/** Streams an answer of the model into the thread as it comes. */
import { SILENT_MARK } from '../history/earlier-messages.ts';
import type { ItemId } from '../../protocol/rpc/ids.ts';
import { NOTICE_TEXTS } from '../../protocol/text/notice-texts.ts';
import type { ServedModel } from '../../protocol/thread/served.ts';
import type { ContextTokens } from '../../protocol/thread/thread.ts';
import type {
	AssistantPart,
	ModelPart,
	ModelPort,
	ModelRequest,
	ModelUsage,
	StopReason,
} from '../models/model-port.ts';
import type { LoopJournal } from '../turn/journal.ts';
import { loopLimits } from './limits.ts';
import { RepeatedText } from './guards/repeated-text.ts';

export interface ModelAnswer {
	readonly parts: readonly AssistantPart[];
	/** Absent when the answer was cut. */
	readonly stopReason: StopReason | undefined;
	/** Tool of a call that was cut off and is not among the parts; empty: unknown. */
	readonly cutTool?: string | undefined;
	/** Model that has answered in place of the one that was asked. */
	readonly served?: ServedModel | undefined;
	/** Absent when the answer was cut. */
	readonly usage: ModelUsage | undefined;
	/** True when it goes on from the answer before it, which was cut off. */
	readonly goesOn?: boolean;
	/** Parts that the request and its answer fill the window with. */
	readonly contextParts?: ContextTokens;
	/** Why the rest of the answer was not read: it would not have ended, or has too many calls. */
	readonly endless?: Endless | undefined;
	/** Why the stream ended before its end; what came until then is in `parts`, without calls. */
	readonly cutBy: unknown;
}

type Endless = 'calls' | 'long' | 'repeats';

/**
 * Rejects when it fails before anything but thoughts came: then it may be asked again. Once something came it does not,
 * except when the signal aborts. `continued` is an answer that stopped at its limit and goes on here.
 */
export class AnswerWriter {
	readonly #journal: LoopJournal;
	#parts: AssistantPart[] = [];
	#watch = new RepeatedText();
	#held = '';
	#open: { readonly kind: 'text' | 'thinking'; readonly itemId: ItemId; text: string } | undefined;
	/** A text whose end was cut off by the token limit: the next answer goes on with it. */
	#continued: ItemId | undefined;
	/** Texts of the last answer, with those that it goes on from. */
	#texts: ItemId[] = [];
	/** The last answer was cut off: the next one goes on from it. */
	#isCut = false;
	/** Model that has answered in place of the one that was asked; the next text says so. */
	#served: ServedModel | undefined;
	/** Gives way to the next answer. */
	#revised: { readonly texts: readonly ItemId[]; readonly position: number; readonly doubted: string } | undefined;

	constructor(journal: LoopJournal) {
		this.#journal = journal;
	}

	async write(
		model: ModelPort,
		request: ModelRequest,
		onOutput: () => void,
		signal: AbortSignal,
	): Promise<ModelAnswer> {
		this.#parts = [];
		const goesOn = this.#isCut;
		this.#texts = goesOn ? this.#texts : [];
		let finish: Extract<ModelPart, { kind: 'finish' }> | undefined;
		let served: ServedModel | undefined;
		let hasOutput = false;
		let endless: Endless | undefined;
		this.#watch = new RepeatedText();
		this.#held = '';
		try {
			for await (const part of model.stream(request, signal)) {
				signal.throwIfAborted();
				if (part.kind === 'finish') {
					finish = part;
				} else {
					// Thoughts and notes do not count as output: after them the request may be made again, because
					// nobody has been told anything yet.
					if (!part.kind.startsWith('thinking') && part.kind !== 'note' && part.kind !== 'served') {
						hasOutput = true;
						onOutput();
					}
					endless = this.#endless(part);
					if (endless !== undefined) {
						this.#takeBeginning(part);
						break;
					}
					this.#take(part);
					if (part.kind === 'served') served = part.served;
				}
			}
			signal.throwIfAborted();
		} catch (error) {
			this.#end();
			if (signal.aborted || hasOutput) {
				this.#endContinued();
			}
			signal.throwIfAborted();
			if (!hasOutput) {
				throw error;
			}
			this.#isCut = true;
			return { parts: this.#said(), stopReason: undefined, usage: undefined, served, goesOn, cutBy: error };
		}
		const stopReason = finish?.reason ?? 'unknown';
		const cutTool = finish?.cutTool;
		const isCutText = stopReason === 'length' && cutTool === undefined && this.#open?.kind === 'text';
		const openText = isCutText ? this.#open?.itemId : undefined;
		this.#end(undefined, isCutText);
		if (!isCutText) {
			this.#endContinued();
		}
		this.#continued = openText;
		this.#isCut = isCutText;
		const parts = this.#parts;
		this.#parts = [];
		if (finish?.reason === 'unknown' && isRest(parts)) {
			this.#journal.notice({ level: 'warning', text: NOTICE_TEXTS.unknownEnd, actions: ['continue'] });
		}
		return { parts, stopReason, cutTool, usage: finish?.usage, served, goesOn, endless, cutBy: undefined };
	}

	/** The next answer takes the place of the last one, from its first words or call on. `position`: of its message. */
	reviseLast(position: number, doubted: string): void {
		this.#revised = { texts: this.#texts, position, doubted };
	}

	/** Doubted sentence of the last answer; undefined: no answer is doubted, or another one has taken its place. */
	get doubted(): string | undefined {
		return this.#revised?.doubted;
	}

	/** Ends a text that was cut off and that no further answer will continue. */
	close(): void {
		this.#endContinued();
	}

	/** Returns the parts of an answer that did not come to its end, without calls. */
	said(): readonly AssistantPart[] {
		return this.#said();
	}

	#take(part: Exclude<ModelPart, { kind: 'finish' }>): void {
		switch (part.kind) {
			case 'textDelta':
				this.#append('text', part.text);
				break;
			case 'thinkingDelta':
				this.#append('thinking', part.text);
				break;
			case 'textEnd':
			case 'thinkingEnd':
				// A block that carries only metadata (redacted thinking) must go back to its provider as well.
				if (this.#open === undefined && part.metadata !== undefined) {
					this.#parts.push({ kind: part.kind === 'textEnd' ? 'text' : 'thinking', text: '', metadata: part.metadata });
				}
				this.#end(part.metadata);
				break;
			case 'offer':
				this.#end();
				this.#journal.notice({ level: 'info', text: part.text, actions: [part.action] });
				break;
			case 'note':
				this.#end();
				this.#journal.notice({ level: 'info', text: NOTICE_TEXTS[part.note], actions: [] });
				break;
			case 'served':
				this.#served = part.served;
				break;
			case 'toolCall':
				this.#end();
				this.#giveWay();
				this.#parts.push({ ...part, callId: this.#uniqueCallId(part.callId) });
		}
	}

	/**
	 * Takes only the beginning of the part that shows an answer to have no end: all of the answer may have come in that
	 * part.
	 */
	#takeBeginning(part: Exclude<ModelPart, { kind: 'finish' }>): void {
		if (part.kind === 'textDelta' || part.kind === 'thinkingDelta') {
			this.#take({ ...part, text: part.text.slice(0, loopLimits.repeatedChars).toWellFormed() });
		}
	}

	#endless(part: Exclude<ModelPart, { kind: 'finish' }>): Endless | undefined {
		switch (part.kind) {
			case 'toolCall':
				return this.#parts.filter(({ kind }) => kind === 'toolCall').length >= loopLimits.callsPerAnswer
					? 'calls'
					: undefined;
			case 'textDelta':
			case 'thinkingDelta':
				return this.#watch.goesOnForEver(part.text);
			default:
				return undefined;
		}
	}

	/** The first text is held back as long as it may become a word that nobody is to read. */
	#append(kind: 'text' | 'thinking', text: string): void {
		const isFirst = this.#open === undefined && this.#continued === undefined && !this.#parts.some(isSaidPart);
		if (kind === 'text' && isFirst && this.#journal.silence !== undefined) {
			const held = this.#held + text;
			this.#held = mayBecomeSilence(held) ? held : '';
			this.#write(kind, this.#held === '' ? held : '');
		} else {
			this.#write(kind, text);
		}
	}

	#write(kind: 'text' | 'thinking', text: string): void {
		if (text === '') {
			return;
		}
		if (this.#open?.kind !== kind) {
			this.#end();
			if (kind === 'text') this.#giveWay();
			const itemId = (kind === 'text' ? this.#continued : undefined) ?? this.#startText(kind);
			this.#continued = kind === 'text' ? undefined : this.#continued;
			if (kind === 'text') this.#texts.push(itemId);
			this.#open = { kind, itemId, text: '' };
		}
		this.#open.text += text;
		this.#journal.appendText(this.#open.itemId, text);
	}

	#startText(kind: 'text' | 'thinking'): ItemId {
		if (kind === 'thinking') return this.#journal.startText(kind);
		const served = this.#served;
		this.#served = undefined;
		return this.#journal.startText(kind, served);
	}

	#end(metadata?: Readonly<Record<string, unknown>>, keepItem = false): void {
		const held = this.#held;
		this.#held = '';
		if (isSilence(held)) {
			this.#journal.silence?.();
			this.#parts.push({ kind: 'text', text: SILENT_MARK });
			return;
		}
		this.#write('text', held);
		const open = this.#open;
		if (open === undefined) {
			return;
		}
		this.#open = undefined;
		this.#parts.push({ kind: open.kind, text: open.text, ...(metadata === undefined ? {} : { metadata }) });
		if (!keepItem) {
			this.#journal.endText(open.itemId);
		}
	}

	#giveWay(): void {
		const revised = this.#revised;
		this.#revised = undefined;
		if (revised !== undefined) {
			this.#journal.revise?.(revised.texts, revised.position);
		}
	}

	#endContinued(): void {
		if (this.#continued !== undefined) {
			this.#journal.endText(this.#continued);
			this.#continued = undefined;
		}
	}

	#said(): AssistantPart[] {
		// A thought without its end has no signature, so no provider would take it back.
		return this.#parts.filter((part) => part.kind === 'text');
	}

	/** Some endpoints send none, or the same one twice. */
	#uniqueCallId(callId: string): string {
		const taken = new Set(this.#parts.map((part) => (part.kind === 'toolCall' ? part.callId : '')));
		let unique = callId === '' ? 'call' : callId;
		for (let n = 2; taken.has(unique); n += 1) {
			unique = `${callId === '' ? 'call' : callId}_${n}`;
		}
		return unique;
	}
}

/** Returns true when the answer has a text and calls nothing: the turn may end with it. */
function isRest(parts: readonly AssistantPart[]): boolean {
	return (
		parts.every(({ kind }) => kind !== 'toolCall') && parts.some((part) => part.kind === 'text' && part.text !== '')
	);
}

function isSaidPart({ kind }: AssistantPart): boolean {
	return kind !== 'thinking';
}

/** Words of an answer that is to be none (S2-23), in any case, with nothing else beside them. */
const SILENCE_WORDS = ['NO_REPLY', '[SILENT]'];

function isSilence(text: string): boolean {
	return SILENCE_WORDS.includes(text.trim().toUpperCase());
}

/** A text that comes piece by piece may still become one of the words. */
function mayBecomeSilence(text: string): boolean {
	const begun = text.trim().toUpperCase();
	return SILENCE_WORDS.some((word) => word.startsWith(begun));
}
