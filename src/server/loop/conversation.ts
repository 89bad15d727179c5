/** Messages of a loop so far, and the part of them that the next request shows. */
import type { ItemId } from '../../protocol/rpc/ids.ts';
import { NOTICE_TEXTS } from '../../protocol/text/notice-texts.ts';
import type { Notice } from '../../protocol/thread/items.ts';
import type { MessageBudgets } from '../history/budget.ts';
import { formatConversation } from '../history/as-text.ts';
import { createExcerpt } from '../history/excerpt.ts';
import { type LeavingMessages, leavingUpTo, rulesChars } from '../history/pinned-head.ts';
import {
	type HistoryCut,
	cutResults,
	isDeeper,
	selectHistory,
	type Selection,
	UNCUT_HISTORY,
} from '../history/select.ts';
import { shortenedParts } from '../history/shortened-parts.ts';
import { joinUserMessages, resultWith, storedAt } from '../history/messages.ts';
import type { ModelLine } from '../models/failover/model-line.ts';
import type {
	AssistantPart,
	ModelMessage,
	ModelPort,
	ModelRequest,
	ModelUsage,
	ModelUserMessage,
	RaisedOutput,
	ToolDeclaration,
	ToolResultPart,
} from '../models/model-port.ts';
import { estimateTokens } from '../models/windows/token-estimate.ts';
import type { OfferedTools } from '../tools/tool-split.ts';
import type { LoopJournal } from '../turn/journal.ts';
import { loopLimits } from './limits.ts';
import type { Loop, SteeredMessage } from './loop.ts';
import type { ModelAnswer } from './model-answer.ts';

export class LoopConversation {
	readonly #journal: LoopJournal;
	readonly #models: ModelLine;
	readonly #budgets: MessageBudgets;
	readonly #fixedTokens: number;
	readonly #messages: ModelMessage[];
	#cut: HistoryCut;
	/** Returns the tools for the next request: an approved plan brings others. */
	readonly #offered: () => OfferedTools;
	/** Declared since the model looked for them. */
	#found: readonly ToolDeclaration[] = [];
	#foundTokens = 0;
	readonly #output = new OutputLimit();
	/** Place of the next message that is stored; undefined: unknown. */
	#stored: number | undefined;
	/** Place where the last answer begins. */
	#answerAt: number | undefined;
	/** Last message that the loop began with: the one that the loop is about. */
	readonly #begin: ModelMessage | undefined;

	constructor(loop: Loop, budgets: MessageBudgets) {
		const { journal, models, messages, cut, fixedTokens } = loop;
		this.#journal = journal;
		this.#models = models;
		this.#budgets = budgets;
		this.#fixedTokens = fixedTokens;
		this.#messages = [...messages];
		this.#begin = messages.at(-1);
		this.#cut = cut;
		this.#offered = () => loop.tools;
		this.#find();
	}

	/**
	 * Tools of the next request. Tools that the model looked for follow the others, so that the cached prefix stays up
	 * to them.
	 */
	get tools(): readonly ToolDeclaration[] {
		return [...this.#offered().declarations, ...this.#found];
	}

	/** Returns the place where it is stored. */
	say(message: ModelMessage, userItems?: readonly ItemId[]): number {
		const position = this.#journal.say(message, userItems);
		this.#stored = position + 1;
		this.#messages.push(storedAt(message, position));
		if (message.role === 'assistant') {
			this.#find();
		}
		return position;
	}

	/** `goesOn`: the answer before it was cut off, and goes on with this one. */
	sayAnswer(parts: readonly AssistantPart[], goesOn: boolean): void {
		const position = this.say({ role: 'assistant', parts });
		this.#answerAt = goesOn ? this.#answerAt : position;
	}

	/**
	 * Says something of ours, which only this loop reads: it leads nowhere in later turns (S1-04). `steered` comes with
	 * it, and stays.
	 */
	remind(ours: string, steered?: SteeredMessage): void {
		const reminder: ModelUserMessage = { role: 'user', text: ours, ownChars: 0 };
		if (steered === undefined) {
			// In a cut conversation it has the place of what follows it.
			this.#messages.push(storedAt(reminder, this.#stored));
			return;
		}
		const position = this.#journal.say(steered.message, steered.items);
		this.#stored = position + 1;
		this.#messages.push(storedAt(joinUserMessages(reminder, steered.message), position));
	}

	/** Where the last answer is stored, which the next one replaces: what is said until then has its place. */
	replaceAnswer(): number | undefined {
		this.#stored = this.#answerAt;
		return this.#answerAt;
	}

	/** The results of the last answer's calls, what is to be said of them, and the instructions for what they touched. */
	answerCalls(results: readonly ToolResultPart[], guidance: string, rules: string): void {
		const cut = cutResults(results, this.#models.current.contextWindow, this.#budgetTokens);
		const last = cut.at(-1);
		const told = createExcerpt(rules, rulesChars(this.#budgetTokens)).text;
		this.say({
			role: 'tool',
			results: last === undefined ? cut : [...cut.slice(0, -1), resultWith(last, last.text + guidance, told)],
		});
	}

	/** Returns what was asked for, done and said in this loop, in about `maxChars`. */
	workAsText(maxChars: number): string {
		const from = this.#messages.findLastIndex((message) => message === this.#begin);
		return formatConversation(this.#messages.slice(Math.max(0, from)), maxChars);
	}

	/** Whole messages that do not fit into the next request, even short; undefined: none has to leave. */
	leaving(): LeavingMessages | undefined {
		return leavingUpTo(this.#messages, this.#selected().cut.dropped);
	}

	/** They leave for good, and `standIn` comes in their place. */
	leave({ messages }: LeavingMessages, standIn: readonly ModelMessage[]): void {
		this.#messages.splice(0, messages.length, ...standIn);
		this.#find();
		this.#cut = UNCUT_HISTORY;
	}

	/** For the next request. The user is told when the model sees less than before. */
	shown(): Selection {
		const selected = this.#selected();
		if (isDeeper(selected.cut, this.#cut)) {
			this.#journal.notice({ level: 'info', text: NOTICE_TEXTS.shortened, actions: [], ...this.#told(selected.cut) });
		}
		this.#cut = selected.cut;
		return selected;
	}

	/**
	 * Records the provider's count of a request against our estimate. Ignores requests that are too small, and models
	 * without an endpoint.
	 */
	measured({ tokens }: Selection, request: ModelRequest, answer: ModelAnswer): void {
		if (this.#models.current.endpoint === undefined || tokens < loopLimits.measuredTokens) {
			return;
		}
		this.#budgets.measured(this.#models.current, tokens + frameTokens(request), answer);
	}

	/** The limit of output fell into a call of this answer. */
	cutOff({ usage }: ModelAnswer): void {
		this.#output.cutOff(this.#models.current, usage);
	}

	/** The same request, with more output where an answer of this model was cut off. */
	withOutput({ tokens }: Selection, request: ModelRequest): ModelRequest {
		const model = this.#models.current;
		const raised = this.#output.raisedFor(model, () =>
			Math.ceil((tokens + frameTokens(request)) * (model.tokenFactor ?? 1)),
		);
		return raised === undefined ? request : { ...request, raisedOutput: raised };
	}

	/** The provider refused as too long what was shown. True when less can be shown, also in the requests to come. */
	canShrink({ tokens }: Selection): boolean {
		return this.#budgets.refused(this.#models.current, tokens) && this.#selected().tokens < tokens;
	}

	#told(cut: HistoryCut): Pick<Notice, 'shortened'> {
		const findCallItem = (position: number, callId: string) => this.#journal.itemOfCall?.(position, callId);
		const shortened = shortenedParts(this.#messages, cut, this.#cut, this.#budgetTokens, findCallItem);
		return shortened === undefined ? {} : { shortened };
	}

	#find(): void {
		const found = this.#offered().rare?.foundIn(this.#messages) ?? [];
		if (found.length !== this.#found.length) {
			this.#foundTokens = estimateTokens(JSON.stringify(found));
		}
		this.#found = found;
	}

	#selected(): Selection {
		return selectHistory(this.#messages, this.#budgetTokens);
	}

	get #budgetTokens(): number {
		return this.#budgets.tokensOf(this.#models.current, this.#fixedTokens + this.#foundTokens);
	}
}

/** Estimates the tokens of the system prompt and the tools, which go before the messages. */
function frameTokens({ system, tools }: ModelRequest): number {
	return estimateTokens(system) + estimateTokens(JSON.stringify(tools));
}

interface CutAnswer {
	readonly model: ModelPort;
	readonly usage: ModelUsage;
	/** A raised limit that was kept to, and was too low. */
	readonly former: number | undefined;
}

/**
 * Raises the output limit after an answer that was cut off inside a call: to the model's own limit, or to twice the
 * length of that answer when the model's limit is unknown.
 */
class OutputLimit {
	#cut: CutAnswer | undefined;
	/** Limit that the last request asked for; undefined: none. */
	#raised: number | undefined;

	cutOff(model: ModelPort, usage: ModelUsage | undefined): void {
		if (usage === undefined) {
			return;
		}
		const before = this.#cut?.model === model ? this.#cut.former : undefined;
		const wasRaised = this.#raised !== undefined && usage.outputTokens >= this.#raised;
		this.#cut = { model, usage, former: wasRaised ? this.#raised : before };
	}

	/** For the next request; undefined: as it is. A model that takes over has a limit of its own. */
	raisedFor(model: ModelPort, promptTokens: () => number): RaisedOutput | undefined {
		this.#raised = undefined;
		if (this.#cut?.model !== model) {
			return undefined;
		}
		const { inputTokens, outputTokens, estimated } = this.#cut.usage;
		const room = model.contextWindow - Math.max(inputTokens, promptTokens());
		const former = this.#cut.former !== undefined && this.#cut.former <= room ? this.#cut.former : undefined;
		// An estimate may be so low that its double is below the limit.
		const most = Math.min(model.mostOutput ?? (estimated ? 0 : 2 * outputTokens), room);
		this.#raised = most > outputTokens ? most : former;
		return this.#raised === undefined ? undefined : { tokens: this.#raised, former };
	}
}
