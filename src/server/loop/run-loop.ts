/**
 * Asks the model, runs its calls and gives it the results, until it calls nothing more. Each step is in the journal
 * before the next one, so a turn that dies here has lost nothing and repeats nothing.
 */
import { ProwessError } from '../../protocol/errors/errors.ts';
import { cutText } from '../../base/text/one-line.ts';
import { toolCalls } from '../history/repair.ts';
import { skillSections } from '../history/told-sections.ts';
import type { AssistantPart, ToolCallPart } from '../models/model-port.ts';
import { findStoredPosition } from '../history/messages.ts';
import { askForAnswer } from './ask.ts';
import { claimPolicies, createUnprovenNotice } from './guards/claim-policies.ts';
import { compactMessages } from './compact.ts';
import { LoopConversation } from './conversation.ts';
import { DoneCheck, HookedRest, LastCall } from './before-rest.ts';
import { loopLimits } from './limits.ts';
import type { Loop, LoopDeps, LoopEnd, SteeredMessage } from './loop.ts';
import { LoopGuard } from './guards/loop-guard.ts';
import { readAskedRepeats } from './guards/progress.ts';
import { AnswerWriter, type ModelAnswer } from './model-answer.ts';
import { type ReadCall, readCalls } from './calls/read-call.ts';
import { Receipts } from './guards/receipts.ts';
import { toLoopEnd, judgeRounds, type Round, type RoundVerdict } from './guards/round-policies.ts';
import { type CallWatch, guidanceAfter, runCalls } from './calls/run-calls.ts';
import { totalUsage } from './total-usage.ts';
import { withoutSecrets } from './without-secrets.ts';

export async function runLoop(loop: Loop, deps: LoopDeps, signal: AbortSignal): Promise<LoopEnd> {
	const conversation = new LoopConversation(loop, deps.budgets);
	const writer = new AnswerWriter(loop.journal);
	const asked = readAskedRepeats(loop.request ?? '');
	const watch = {
		guard: new LoopGuard(loop.maxIterations, asked),
		receipts: new Receipts(loop.messages, loop.isPastCut),
		asked,
	};
	const judge = judgeRounds(loop.request === undefined ? [] : claimPolicies(loop.request, watch.receipts));
	const rest = new HookedRest(loop);
	const last = new LastCall(loop);
	const check = new DoneCheck(loop, { conversation, receipts: watch.receipts }, deps);
	loop.steering?.open();
	let rounds = 0;
	try {
		for (let requests = 1; requests <= loop.maxIterations; requests += 1) {
			if (await isOverCost(loop, signal))
				return { kind: 'costLimit', requests: requests - 1, maxCost: loop.maxCost ?? 0 };
			await compactWhenFull(loop, conversation, deps, signal);
			const answer = await askForAnswer(loop, conversation, writer, deps, signal);
			const isOverRounds = rounds === (loop.maxRounds ?? Infinity);
			const round = await runRound(answer, loop, conversation, { ...watch, last, isOverRounds }, deps, signal);
			const verdict = judge(round);
			if (round.calls.length > 0 && loop.maxRounds !== undefined) {
				if (isOverRounds) return { kind: 'iterationLimit', requests, maxRounds: loop.maxRounds };
				rounds += 1;
			}
			const end = toLoopEnd(verdict, requests) ?? stuckIn(watch.guard, requests);
			// An answer to a message that waits is the turn's to give; an end in need is said first.
			if (end !== undefined && !(end.kind === 'done' && loop.steering?.isWaiting === true)) {
				const reason =
					end.kind === 'done'
						? ((await rest.reasonToGoOn(round.text, signal)) ??
							(await check.reasonToGoOn(signal)) ??
							last.reasonToGoOn())
						: undefined;
				if (reason === undefined) {
					return end;
				}
				continueConversation(reason, round.text, undefined, { loop, conversation, writer }, deps);
				continue;
			}
			const steered = await loop.steering?.read(signal);
			continueConversation(verdict, round.text, steered, { loop, conversation, writer }, deps);
		}
		return { kind: 'iterationLimit', requests: loop.maxIterations };
	} catch (error) {
		if (signal.aborted) {
			keepPartialAnswer(writer, loop);
		}
		throw error;
	} finally {
		loop.steering?.close();
		writer.close();
		// The answer that was to take its place has not come.
		if (writer.doubted !== undefined) loop.journal.notice(createUnprovenNotice(writer.doubted));
	}
}

/** Throws for a model whose price nobody knows: its cost cannot be limited. */
async function isOverCost(
	{ maxCost, spent, models: { current }, journal }: Loop,
	signal: AbortSignal,
): Promise<boolean> {
	if (maxCost === undefined || current.isScripted === true) {
		return false;
	}
	if (current.price === undefined) {
		throw new ProwessError(
			'PRICE_UNKNOWN',
			`the price of "${current.id}" is not known, so its cost cannot be limited`,
			{
				model: current.id,
			},
		);
	}
	return (journal.usage?.turnCost ?? 0) >= maxCost || ((await spent?.(signal)) ?? 0) >= maxCost;
}

async function compactWhenFull(
	{ models, journal, fixedTokens, beforeCompact }: Loop,
	conversation: LoopConversation,
	{ budgets, host, wait, skips, beginStep }: LoopDeps,
	signal: AbortSignal,
): Promise<void> {
	const leaving = conversation.leaving();
	const keptFrom = leaving?.first === undefined ? undefined : findStoredPosition(leaving.first);
	if (leaving !== undefined && keptFrom !== undefined) {
		await beforeCompact?.(signal);
		const compacting = { models, journal, budgets, host, wait, skips, fixedTokens, beginStep };
		conversation.leave(leaving, await compactMessages(leaving, keptFrom, compacting, signal));
	}
}

function stuckIn({ circle }: LoopGuard, requests: number): LoopEnd | undefined {
	return circle === undefined ? undefined : { kind: 'stuck', requests, circle };
}

function continueConversation(
	verdict: RoundVerdict,
	answered: string,
	steered: SteeredMessage | undefined,
	{
		loop: { journal },
		conversation,
		writer,
	}: { readonly loop: Loop; readonly conversation: LoopConversation; readonly writer: AnswerWriter },
	{ beginStep }: Pick<LoopDeps, 'beginStep'>,
): void {
	const { saying, notice, leftToDo, doubted } = verdict.kind === 'again' ? verdict : {};
	if (notice !== undefined) {
		journal.notice({ level: 'info', text: notice, actions: [], ...(leftToDo === undefined ? {} : { leftToDo }) });
	}
	// A message that the user sent meanwhile is answered beside it, not in its place.
	const position = doubted === undefined || steered !== undefined ? undefined : conversation.replaceAnswer();
	if (doubted !== undefined && position !== undefined) {
		writer.reviseLast(position, doubted);
		beginStep?.('Revision', { answer: cutText(answered, loopLimits.tracedAnswerChars) })('ok');
	}
	if (saying !== undefined) {
		conversation.remind(saying, steered);
	} else if (steered !== undefined) {
		conversation.say(steered.message, steered.items);
	}
}

/** Keeps an answer, then runs its calls and keeps their results. */
async function runRound(
	answer: ModelAnswer,
	loop: Loop,
	conversation: LoopConversation,
	watch: CallWatch & { readonly last: LastCall; readonly isOverRounds: boolean },
	deps: LoopDeps,
	signal: AbortSignal,
): Promise<Round> {
	const { journal } = loop;
	const cut = findCutCall(answer);
	const cutTool = answer.cutTool ?? cut?.tool;
	if (cutTool !== undefined) {
		conversation.cutOff(answer);
	}
	const whole = cut === undefined ? answer.parts : answer.parts.slice(0, -1);
	const said = { parts: whole, calls: readCalls(toolCalls(whole), loop.tools, watch.asked.times) };
	const { parts, calls: wanted } = await withoutSecrets(said, loop.tools, deps.host, signal);
	const calls = watch.isOverRounds ? wanted.map((call) => refuseRound(call, loop.maxRounds ?? 0)) : wanted;
	const text = joinTextParts(parts);
	const hasText = text !== '';
	if (answer.usage !== undefined) {
		journal.setUsage(totalUsage(journal.usage, answer.usage, loop.models.current, answer.contextParts));
	}
	if (calls.length > 0 || hasText) {
		conversation.sayAnswer(parts, answer.goesOn === true);
	}
	if (calls.length > 0) {
		loop.models.current.prepare?.(signal);
		const settled = await runCalls(calls, loop, watch, deps, signal);
		loop.models.current.prepare?.(signal);
		watch.guard.roundEnded();
		watch.last.note(
			calls,
			settled.map(({ result }) => result),
		);
		const rules = (await loop.instructions?.followedBy(touchedBy(calls), signal)) ?? '';
		conversation.answerCalls(
			settled.map(({ result }) => result),
			guidanceAfter(settled),
			rules + skillSections(settled.flatMap(({ instructions }) => instructions ?? [])),
		);
	}
	return { answer, calls, cutTool, hasText, text };
}

/** A call of a round beyond the limit of the message (S1-16) is not run, and says so in place of a result. */
function refuseRound(read: ReadCall, maxRounds: number): ReadCall {
	if (read.kind === 'repeated') {
		return read;
	}
	const message = `not run: this message may take ${maxRounds} rounds of tool calls, and they are used up`;
	return { kind: 'bad', call: read.call, input: read.input, title: read.title, code: 'ITERATION_LIMIT', message };
}

function joinTextParts(parts: readonly AssistantPart[]): string {
	return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}

/** The call in which the token limit fell, if it came at all: not whole, even if it can be read. */
function findCutCall({ parts, stopReason, cutTool }: ModelAnswer): ToolCallPart | undefined {
	const last = parts.at(-1);
	return stopReason === 'length' && cutTool === undefined && last?.kind === 'toolCall' ? last : undefined;
}

/** Keeps the text of a stopped answer, which belongs to the conversation. */
function keepPartialAnswer(writer: AnswerWriter, { journal }: Loop): void {
	const said = writer.said();
	if (said.length > 0) {
		journal.say({ role: 'assistant', parts: said });
	}
}

/** Ops whose `path` names one file or folder. */
const ON_ONE_PLACE = ['fs.read', 'fs.list', 'fs.edit', 'fs.write', 'fs.delete', 'editor.diagnostics', 'git.diff'];

/** Finds the paths that the calls of an answer work on, so that the instructions beside them can be loaded. */
function touchedBy(calls: readonly ReadCall[]): string[] {
	return calls.flatMap((call) => {
		if (call.kind !== 'op' || !ON_ONE_PLACE.includes(call.op)) {
			return [];
		}
		const { path } = call.params as { readonly path?: string };
		return path === undefined || path === '.' ? [] : [path];
	});
}
