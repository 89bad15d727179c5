/**
 * The parts of one answer, collected from the events of its stream. Blocks follow each other: a text ends when a thought
 * begins. Deltas that came together go on as one, so that a fast stream costs no more than a slow one.
 */
import { modelLimits } from '../limits.ts';
import type { ModelPart, ModelRequest, ProviderMetadata, StopReason, ToolCallPart } from '../model-port.ts';
import { estimateTokens } from '../windows/token-estimate.ts';
import { usageOr } from '../windows/usage.ts';
import { ThinkTags } from './think-tags.ts';

type Finish = Extract<ModelPart, { kind: 'finish' }>;

interface ReportedAnswerUsage {
	readonly input: unknown;
	readonly output: unknown;
	readonly cachedInput?: unknown;
	readonly cacheWrite?: unknown;
	/**
	 * Output tokens that came, or would have come, as parts of the answer. Set only for endpoints that pass on no call
	 * before the call is whole.
	 */
	readonly given?: unknown;
}

/**
 * Bounds that tell a hidden call from noise: the count includes the marks of a call and of an answer's end, and our own
 * figure is an estimate. A larger difference can only be a call.
 */
const LEAST_HIDDEN_TOKENS = 64;
const SUREST_ESTIMATE = 2;

/** Thrown while an answer is read, whose calls have more characters of arguments than are read. */
export class ArgumentsTooLong extends Error {}

export class AnswerParts {
	/** True when a part or a piece of a call has come since the last `taken`. */
	hasGoneOn = false;
	#parts: ModelPart[] = [];
	/** Delta at the end of the parts: what follows is added to it until they are taken. */
	#growing: { readonly kind: 'textDelta' | 'thinkingDelta'; text: string } | undefined;
	#open: 'text' | 'thinking' | undefined;
	#held: ToolCallPart[] = [];
	#finish: Finish | undefined;
	readonly #tags = new ThinkTags();
	readonly #callIds = new Set<string>();
	readonly #request: ModelRequest;
	/** For an estimate, should the endpoint not report usage. */
	#received = '';
	#endsWithCall = false;
	#cutTool: string | undefined;
	#ofThoughts: ProviderMetadata | undefined;
	/** Characters of arguments that have come, in pieces or in whole calls. */
	#argumentChars = 0;
	#wholeChars = 0;

	constructor(request: ModelRequest) {
		this.#request = request;
	}

	/** Tools that the model was offered. */
	get tools(): ModelRequest['tools'] {
		return this.#request.tools;
	}

	/** True when the answer is whole. */
	get isFinished(): boolean {
		return this.#finish !== undefined;
	}

	/**
	 * Takes the parts that have come since the last time. After the finish, the calls that were held back come before
	 * it.
	 */
	taken(): readonly ModelPart[] {
		const parts = this.#parts;
		if (this.#finish !== undefined) {
			parts.push(...this.#held, this.#finish);
			this.#held = [];
		}
		this.#parts = [];
		this.#growing = undefined;
		this.hasGoneOn = false;
		return parts;
	}

	/** Something came that is not a part yet: a piece of a call, with so many characters of its arguments. */
	goOn(chars: number): void {
		this.hasGoneOn = true;
		this.#argumentChars += chars;
		if (this.#argumentChars > modelLimits.maxArgumentChars) throw new ArgumentsTooLong();
	}

	/** A call that has begun and has no end, should the answer end at its limit. */
	callBegun(tool: string): void {
		this.#cutTool = tool;
	}

	/** Thoughts that end without a signature go back to their endpoint all the same, with this. */
	keepThoughts(metadata: ProviderMetadata): void {
		this.#ofThoughts = metadata;
	}

	/** Text of a vendor that says its thoughts otherwise: models behind its interface may write them between tags. */
	text(text: string): void {
		if (this.#tags.isOver) {
			this.delta('text', text);
			return;
		}
		for (const piece of this.#tags.split(text)) {
			this.delta(piece.kind, piece.text);
		}
	}

	delta(kind: 'text' | 'thinking', text: string): void {
		if (text === '') {
			return;
		}
		this.hasGoneOn = true;
		if (this.#open !== kind) {
			this.endBlock();
			this.#open = kind;
		}
		this.#received += text;
		this.#endsWithCall = false;
		const deltaKind = kind === 'text' ? 'textDelta' : 'thinkingDelta';
		if (this.#growing?.kind === deltaKind && this.#growing === this.#parts.at(-1)) {
			this.#growing.text += text;
		} else {
			this.#growing = { kind: deltaKind, text };
			this.#parts.push(this.#growing);
		}
	}

	/** Ends the open block, if there is one. A block without text counts only for what the provider wants back with it. */
	endBlock(kind: 'text' | 'thinking' | undefined = this.#open, metadata?: ProviderMetadata): void {
		this.#endTags();
		if (this.#open !== undefined && this.#open !== kind) {
			this.endBlock();
		}
		const kept = metadata ?? (this.#open === 'thinking' ? this.#ofThoughts : undefined);
		if (kind !== undefined && (this.#open !== undefined || kept !== undefined)) {
			this.hasGoneOn = true;
			const endKind = kind === 'text' ? 'textEnd' : 'thinkingEnd';
			this.#parts.push(kept === undefined ? { kind: endKind } : { kind: endKind, metadata: kept });
		}
		this.#open = undefined;
	}

	/** A whole call. Input that is no JSON may have been cut off, so such a call counts only when the answer is whole. */
	call(call: Omit<ToolCallPart, 'kind'>): void {
		this.endBlock();
		this.#wholeChars += call.inputText.length;
		// Pieces of it may have been counted as they came.
		this.goOn(Math.max(0, this.#wholeChars - this.#argumentChars));
		this.#received += call.tool + call.inputText;
		const whole: ToolCallPart = { kind: 'toolCall', ...call, callId: this.#uniqueId(call.callId) };
		(isJson(call.inputText) ? this.#parts : this.#held).push(whole);
		this.#endsWithCall = true;
		this.#cutTool = undefined;
	}

	/** A text that stopped at the token limit has no end: the next answer goes on with it. */
	finish(reason: StopReason, reported?: ReportedAnswerUsage): void {
		this.#endTags();
		const cutTool = reason === 'length' ? this.#toolCut(reported?.given) : undefined;
		if (reason !== 'length' || this.#open !== 'text' || cutTool !== undefined) {
			this.endBlock();
		}
		const usage = usageOr(reported, this.#request, this.#received);
		this.#finish = { kind: 'finish', reason, usage, ...(cutTool !== undefined && { cutTool }) };
	}

	/**
	 * Returns the tool of the call that was cut off; undefined: none. When the endpoint counted far more output than
	 * came, the difference is a call whose tool is unknown: the empty name.
	 */
	#toolCut(given: unknown): string | undefined {
		if (this.#cutTool !== undefined || this.#endsWithCall || this.#request.tools.length === 0) {
			return this.#cutTool;
		}
		const most = SUREST_ESTIMATE * estimateTokens(this.#received) + LEAST_HIDDEN_TOKENS;
		return typeof given === 'number' && given > most ? '' : undefined;
	}

	/** Gives out text that was held back as the possible beginning of a tag: the block ends, so the text is none. */
	#endTags(): void {
		for (const { kind, text } of this.#tags.rest()) {
			this.delta(kind, text);
		}
	}

	/** Results are matched by id, so two calls of one answer may not share theirs. */
	#uniqueId(wanted: string): string {
		const base = wanted === '' ? 'call' : wanted;
		let id = base;
		for (let count = 2; this.#callIds.has(id); count += 1) {
			id = `${base}_${count}`;
		}
		this.#callIds.add(id);
		return id;
	}
}

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}
