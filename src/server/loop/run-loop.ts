/**
 * Asks the model, runs what it calls, gives it the results, until it calls nothing more. What was said and done is in the
 * journal before the next step, so a turn that dies here has lost nothing and repeats nothing.
 */
import { toolCalls } from '../history/repair.ts';
import type { AssistantPart } from '../models/model-port.ts';
import { positionOf } from '../history/stored-position.ts';
import { ask } from './ask.ts';
import { compact } from './compact.ts';
import { Conversation } from './conversation.ts';
import type { Loop, LoopDeps, LoopEnd } from './loop.ts';
import { LoopGuard } from './loop-guard.ts';
import { AnswerWriter, type ModelAnswer } from './model-answer.ts';
import { readCalls } from './read-call.ts';
import { endOf, judgeRounds, type Round } from './round-policies.ts';
import { runCalls } from './run-calls.ts';
import { touchedBy } from './touched-paths.ts';
import { totalUsage } from './total-usage.ts';
import { withoutSecrets } from './without-secrets.ts';

export async function runLoop(loop: Loop, deps: LoopDeps, signal: AbortSignal): Promise<LoopEnd> {
	const conversation = new Conversation(loop, deps.budgets);
	const writer = new AnswerWriter(loop.journal);
	const judge = judgeRounds();
	const guard = new LoopGuard(loop.maxIterations);
	try {
		for (let requests = 1; requests <= loop.maxIterations; requests += 1) {
			await compactWhenFull(loop, conversation, deps, signal);
			const answer = await ask(loop, conversation, writer, deps, signal);
			const round = await runRound(answer, loop, conversation, guard, deps, signal);
			const verdict = judge(round);
			const end = endOf(verdict, requests) ?? stuckIn(guard, requests);
			if (end !== undefined) {
				return end;
			}
			if (verdict.kind === 'again') {
				goOn(verdict, loop, conversation);
			}
		}
		return { kind: 'iterationLimit', requests: loop.maxIterations };
	} catch (error) {
		if (signal.aborted) {
			keepPartialAnswer(writer, loop);
		}
		throw error;
	} finally {
		writer.close();
	}
}

async function compactWhenFull(
	{ models, journal, fixedTokens }: Loop,
	conversation: Conversation,
	{ budgets, host, wait, skips }: LoopDeps,
	signal: AbortSignal,
): Promise<void> {
	const leaving = conversation.leaving();
	const keptFrom = leaving?.first === undefined ? undefined : positionOf(leaving.first);
	if (leaving !== undefined && keptFrom !== undefined) {
		const compacting = { models, journal, budgets, host, wait, skips, fixedTokens };
		conversation.leave(leaving, await compact(leaving, keptFrom, compacting, signal));
	}
}

function stuckIn({ circle }: LoopGuard, requests: number): LoopEnd | undefined {
	return circle === undefined ? undefined : { kind: 'stuck', requests, circle };
}

function goOn(
	{ saying, notice }: { readonly saying?: string; readonly notice?: string },
	{ journal }: Loop,
	conversation: Conversation,
): void {
	if (notice !== undefined) {
		journal.notice({ level: 'info', text: notice, actions: [] });
	}
	if (saying !== undefined) {
		conversation.say({ role: 'user', text: saying, ownChars: 0 });
	}
}

/** Keeps an answer, then runs its calls and keeps their results. */
async function runRound(
	answer: ModelAnswer,
	loop: Loop,
	conversation: Conversation,
	guard: LoopGuard,
	deps: LoopDeps,
	signal: AbortSignal,
): Promise<Round> {
	const { journal } = loop;
	const cut = cutCallOf(answer);
	const whole = cut === undefined ? answer.parts : answer.parts.slice(0, -1);
	const said = { parts: whole, calls: readCalls(toolCalls(whole), loop.tools) };
	const { parts, calls } = await withoutSecrets(said, loop.tools, deps.host, signal);
	const hasText = parts.some((part) => part.kind === 'text' && part.text !== '');
	journal.together('process', () => {
		if (answer.usage !== undefined) {
			journal.setUsage(totalUsage(journal.usage, answer.usage, loop.models.current));
		}
		if (calls.length > 0 || hasText) {
			conversation.say({ role: 'assistant', parts });
		}
	});
	if (calls.length > 0) {
		const results = await runCalls(calls, loop, guard, deps, signal);
		conversation.answerCalls(results, (await loop.instructions?.followedBy(touchedBy(calls), signal)) ?? '');
	}
	return { answer, calls, cutTool: cut?.tool, hasText };
}

/** The call in which the token limit fell: not whole, even if it can be read. */
function cutCallOf({ parts, stopReason }: ModelAnswer): ToolCallPart | undefined {
	const last = parts.at(-1);
	return stopReason === 'length' && last?.kind === 'toolCall' ? last : undefined;
}

type ToolCallPart = Extract<AssistantPart, { kind: 'toolCall' }>;

/** What a stopped answer had said belongs to the conversation. */
function keepPartialAnswer(writer: AnswerWriter, { journal }: Loop): void {
	const said = writer.said();
	if (said.length > 0) {
		journal.say({ role: 'assistant', parts: said });
	}
}
