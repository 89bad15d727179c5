/**
 * Stages 2 and 3: the conversation before, and the user's message with all that belongs to it, with proof that the
 * model's window can hold them.
 */
import { ProwessError } from '../../protocol/errors/errors.ts';
import { type ImageRef, MAX_IMAGES } from '../../protocol/ops/images.ts';
import { type ContextRef, listContextImages } from '../../protocol/thread/context.ts';
import { answerReserve, messageBudget } from '../history/budget.ts';
import { limitEarlier, withoutDetails, withoutSilentTurns } from '../history/earlier-messages.ts';
import { historyLimits } from '../history/limits.ts';
import { repairHistory } from '../history/repair.ts';
import { type HistoryCut, selectHistory, type Selection, UNCUT_HISTORY } from '../history/select.ts';
import { messageTokens, readThreadRules, storedAt, userMessage } from '../history/messages.ts';
import type { ModelMessage, ModelPort, ModelUserMessage } from '../models/model-port.ts';
import { estimateTokens } from '../models/windows/token-estimate.ts';
import { readChangedFiles } from '../prompt/changed-files.ts';
import { readEnvironment } from '../prompt/environment.ts';
import { ThreadInstructions } from '../prompt/instructions.ts';
import { readMemories } from '../prompt/memories.ts';
import { commentsNote, strategyNote, wentBackNote } from '../prompt/notes.ts';
import { listRefPaths, readCapabilities, readContext } from '../prompt/user-message.ts';
import type { TurnJournal } from '../turn/journal.ts';
import type { Turn, TurnDeps } from '../turn/turn.ts';

export interface GuardedContext {
	/** The conversation with the new message, whole. */
	readonly messages: readonly ModelMessage[];
	/** Earlier messages that limits keep out of the turn, whatever the window. */
	readonly leftOut: number;
	/** Cut with which the model saw the conversation before. */
	readonly cut: HistoryCut;
	/** Tokens that the messages may take together. */
	readonly budgetTokens: number;
	/** Tokens of the messages that fit. */
	readonly tokens: number;
	/** Parts that fill the window, for the trace. */
	readonly parts: GuardedContextParts;
	/** Instructions of the workspace for the files that the turn works on. */
	readonly instructions: ThreadInstructions;
	/** Text that came with the new message and holds for the whole thread. */
	readonly rules: string;
}

/** Tokens by what they are for, by our estimate. All but `windowTokens` are within it. */
interface GuardedContextParts {
	readonly windowTokens: number;
	/** Left free for the answer. */
	readonly reserveTokens: number;
	/** The system prompt and the tools, at most. */
	readonly fixedTokens: number;
	/** Tokens of the earlier messages. */
	readonly historyTokens: number;
	/** The new message with what was attached to it. */
	readonly messageTokens: number;
	/** The instructions and the list of capabilities that came with it. */
	readonly rulesTokens: number;
}

interface SanitizedHistory {
	/** Whole: what of it fits is decided once the new message is known. */
	readonly messages: readonly ModelMessage[];
	/** Tokens of the part of the conversation that fits. */
	readonly tokens: number;
	readonly cut: HistoryCut;
	/** Earlier messages that limits keep out of the turn, whatever the window. */
	readonly leftOut: number;
}

/** Stage 2: what was said before, as a conversation every provider accepts, and how much of it the model could see. */
export function historySanitize(turn: Turn, model: ModelPort, deps: TurnDeps): SanitizedHistory {
	const { before, lastModelId, agent, hidesDetails } = turn;
	const heard = withoutSilentTurns(repairHistory(before));
	const limits = { ...deps.settings()['prowess.agent.limits'], ...agent?.options };
	const limited = limitEarlier(hidesDetails === true ? withoutDetails(heard) : heard, limits);
	const messages = repairHistory(limited);
	const { tokens, cut } = selectHistory(messages, deps.budgets.tokensOf(model));
	// Another model saw it with its own window; whatever this one does not see is news.
	const hasNewModel = lastModelId !== undefined && lastModelId !== model.id;
	// Neither silent turns nor messages that the repair joins: in those nothing was done.
	const leftOut = heard.length - limited.length;
	return { messages, tokens, cut: hasNewModel ? UNCUT_HISTORY : cut, leftOut };
}

/** A message that does not fit stays out of what the model reads, or every later one would not fit either. */
export function forgetWords({ journal, messageAt }: Pick<Turn, 'journal' | 'messageAt'>, rules: string): void {
	journal.sayAgain(messageAt, userMessage('', '', rules));
}

/** Stage 3. Throws CONTEXT_OVERFLOW, and IMAGES_NOT_TAKEN. */
export async function contextGuard(
	turn: Turn,
	history: SanitizedHistory,
	model: ModelPort,
	deps: TurnDeps,
	signal: AbortSignal,
): Promise<GuardedContext> {
	refuseImages(turn.context, model);
	const asker = { host: deps.host, threadId: turn.threadId, turnId: turn.turnId };
	const show = turn.journal.instructions.bind(turn.journal);
	const instructions = new ThreadInstructions({ asker, before: history.messages, show });
	const attached = listRefPaths(turn.context);
	const recall = { asker, before: history.messages, show: turn.journal.memories.bind(turn.journal) };
	const [context, environment, changed, ofFiles, capabilities, memories] = await Promise.all([
		readContext(turn.context, { ...asker, threads: deps.threads, said: turn.text }, signal),
		readEnvironment(history.messages, turn.context, asker, signal),
		readChangedFiles(history.messages, asker, signal),
		turn.hasInstructions ? instructions.since(attached, signal) : instructions.ofThread(attached, signal),
		turn.hasInstructions
			? ''
			: readCapabilities(
					asker,
					{ text: turn.text, paths: attached, freeTokens: freeTokens(history.tokens, turn.text, model, deps) },
					model.contextWindow,
					signal,
				),
		deps.settings()['prowess.memory.enabled'] ? readMemories(turn.text, recall, signal) : '',
	]);
	const rules = ofFiles + capabilities + memories;
	const images = attachedImages(turn.context, context, turn.journal);
	const added =
		context.text +
		environment +
		changed +
		wentBackNote(turn) +
		strategyNote(turn) +
		commentsNote(turn.context, deps.hasEditor);
	const message = storedAt(userMessage(turn.text, added, rules, images), turn.messageAt);
	turn.journal.together('process', () => {
		if (message.text !== turn.text || images.length > 0) {
			turn.journal.sayAgain(turn.messageAt, message);
		}
		if (!turn.hasInstructions) {
			turn.journal.instructionsRead();
		}
	});
	try {
		checkSize(message, model);
	} catch (error) {
		forgetWords(turn, rules);
		throw error;
	}
	const messages = repairHistory([...history.messages, message]);
	const budgetTokens = deps.budgets.tokensOf(model);
	const selected = selectHistory(messages, budgetTokens);
	const { tokens } = selected;
	const parts = measureContextParts(selected, model);
	return { messages, leftOut: history.leftOut, cut: history.cut, budgetTokens, tokens, parts, instructions, rules };
}

/** Tokens that system prompt, history, message and the room for the answer leave of the window; never below 0 (S1-08). */
function freeTokens(historyTokens: number, said: string, model: ModelPort, { budgets }: TurnDeps): number {
	return Math.max(0, budgets.tokensOf(model) - historyTokens - estimateTokens(said));
}

function measureContextParts({ messages, tokens }: Selection, { contextWindow }: ModelPort): GuardedContextParts {
	const last = messages.at(-1);
	const newest = last === undefined ? 0 : messageTokens(last);
	const rulesTokens = last?.role === 'user' ? estimateTokens(readThreadRules(last)) : 0;
	return {
		windowTokens: contextWindow,
		reserveTokens: answerReserve(contextWindow),
		fixedTokens: historyLimits.fixedTokens,
		historyTokens: tokens - newest,
		messageTokens: newest - rulesTokens,
		rulesTokens,
	};
}

/** Attachments can be shortened; the user's own words and the rules of the thread are not. */
function checkSize(message: ModelUserMessage, model: ModelPort): void {
	const limit = messageBudget(model.contextWindow);
	const { tokens } = selectHistory([message], limit);
	if (tokens > limit) {
		throw new ProwessError(
			'CONTEXT_OVERFLOW',
			`the message takes about ${tokens} tokens, ${limit} fit into ${model.id}`,
			{ tokens, limit },
		);
	}
}

/**
 * Pictures that go with a message of the user: those given with it, and those of files that were added to it. Files
 * beyond the number of pictures that a message takes stay out; the user is told which the model is not shown.
 */
export function attachedImages(
	context: readonly ContextRef[],
	{ pictures, refused }: Attached,
	journal: TurnJournal,
): ImageRef[] {
	const given = listContextImages(context);
	const room = Math.max(0, MAX_IMAGES - given.length);
	for (const error of refused) {
		journal.notice({ level: 'warning', text: error.message, actions: [], error });
	}
	if (pictures.length > room) {
		const count = given.length + pictures.length;
		const message = `the message has ${count} pictures, ${MAX_IMAGES} are allowed; the last were left out`;
		const error = { code: 'TOO_MANY_IMAGES' as const, message, facts: { count, limit: MAX_IMAGES } };
		journal.notice({ level: 'warning', text: message, actions: [], error });
	}
	const kept = pictures
		.slice(0, room)
		.flatMap(({ data, name }) => journal.keepImage(Buffer.from(data, 'base64'), name) ?? []);
	return [...given, ...kept];
}

type Attached = Pick<Awaited<ReturnType<typeof readContext>>, 'pictures' | 'refused'>;

/** Throws IMAGES_NOT_TAKEN for pictures of the user where the model is known to take none: they would be the point of the message. */
function refuseImages(context: readonly ContextRef[], { id, takesImages }: ModelPort): void {
	if (takesImages === false && listContextImages(context).length > 0) {
		throw new ProwessError('IMAGES_NOT_TAKEN', `the model ${id} does not accept pictures`, { model: id });
	}
}
