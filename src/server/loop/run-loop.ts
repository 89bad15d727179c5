/**
 * Asks the model, runs what it calls, gives it the results, until it calls nothing more. What was said and done
 * is in the journal before the next step, so a turn that dies here has lost nothing and repeats nothing.
 */
import type { ProwessError } from '../../protocol/errors.ts';
import { cutResults, historyTokens, keepNewestTurns, messageBudget, shortenResults } from '../history/select.ts';
import { repairHistory, toolCalls } from '../history/repair.ts';
import { limits } from './limits.ts';
import type { AssistantPart, ModelMessage, ModelPort, ModelUsage } from '../models/model-port.ts';
import { withRetry } from '../models/retry.ts';
import { AnswerWriter, type ModelAnswer } from './model-answer.ts';
import { readCalls } from './read-call.ts';
import { runCalls } from './run-calls.ts';
import type { OfferedTools } from './offered-tools.ts';
import type { Loop, LoopEnd, LoopPorts } from '../turn/loop.ts';

const CONTINUE =
	'Your answer was cut off at the token limit. Go on exactly where it stopped, without repeating anything.';

export async function runLoop(
	loop: Loop,
	context: { readonly messages: readonly ModelMessage[] },
	tools: OfferedTools,
	model: ModelPort,
	ports: LoopPorts,
	signal: AbortSignal,
): Promise<LoopEnd> {
	const { journal, maxIterations } = loop;
	const writer = new AnswerWriter(journal);
	let messages = context.messages;
	let continuations = 0;
	let emptyAnswers = 0;
	let badRounds = 0;

	const say = (message: ModelMessage) => {
		journal.say(message);
		messages = [...messages, message];
	};

	try {
		for (let requests = 1; requests <= maxIterations; requests += 1) {
			const asked = await ask(writer, loop, messages, tools, model, ports, signal);
			messages = asked.messages;
			const { answer } = asked;
			const parts = withoutCutCall(answer);
			const calls = toolCalls(parts);
			const hasText = parts.some((part) => part.kind === 'text' && part.text !== '');
			journal.together('process', () => {
				if (answer.usage !== undefined) {
					journal.setUsage(totalUsage(loop, answer.usage, model));
				}
				if (calls.length > 0 || hasText) {
					say({ role: 'assistant', parts });
				}
			});
			if (answer.cutBy !== undefined) {
				return { kind: 'cut', requests, error: answer.cutBy };
			}
			if (calls.length > 0) {
				const read = readCalls(calls, tools);
				badRounds = read.every((call) => call.kind === 'bad') ? badRounds + 1 : 0;
				const results = await runCalls(read, loop, ports, signal);
				const left = messageBudget(model.contextWindow) - historyTokens(messages);
				say({ role: 'tool', results: cutResults(results, model.contextWindow, left) });
				if (badRounds >= limits.badRounds) {
					return { kind: 'badCalls', requests };
				}
				continuations = 0;
				emptyAnswers = 0;
				continue;
			}
			if (answer.truncated) {
				continuations += 1;
				if (continuations > limits.continuations) {
					return { kind: 'tooLong', requests };
				}
				if (hasText) {
					say({ role: 'user', text: CONTINUE });
				}
				continue;
			}
			if (!hasText) {
				emptyAnswers += 1;
				if (emptyAnswers > limits.emptyAnswers) {
					return { kind: 'empty', requests };
				}
				continue;
			}
			return { kind: 'done', requests };
		}
		return { kind: 'iterationLimit', requests: maxIterations };
	} catch (error) {
		if (signal.aborted) {
			keepPartialAnswer(writer, loop);
		}
		throw error;
	} finally {
		writer.close();
	}
}

/** One request with its retries. A history that is too long after all is halved once. */
async function ask(
	writer: AnswerWriter,
	loop: Loop,
	before: readonly ModelMessage[],
	tools: OfferedTools,
	model: ModelPort,
	ports: LoopPorts,
	signal: AbortSignal,
): Promise<{ answer: ModelAnswer; messages: readonly ModelMessage[] }> {
	const budget = messageBudget(model.contextWindow);
	let messages = fitted(before, budget);
	const once = () =>
		withRetry(
			(onOutput) => {
				const request = { system: loop.system, messages, tools: tools.declarations };
				return writer.write(model, request, onOutput, signal);
			},
			{
				onWait: ({ error, waitMs }) => {
					const seconds = Math.ceil(waitMs / 1000);
					loop.journal.notice({
						level: 'info',
						text: `${reasonOf(error)}. Trying again in ${seconds} s.`,
						actions: [],
					});
				},
				...(ports.wait === undefined ? {} : { wait: ports.wait }),
			},
			signal,
		);
	try {
		return { answer: await once(), messages };
	} catch (error) {
		if ((error as ProwessError).code !== 'CONTEXT_OVERFLOW') {
			throw error;
		}
		const smaller = fitted(messages, Math.floor(Math.min(budget, historyTokens(messages)) / 2));
		if (historyTokens(smaller) >= historyTokens(messages)) {
			throw error;
		}
		messages = smaller;
		return { answer: await once(), messages };
	}
}

function fitted(messages: readonly ModelMessage[], tokens: number): readonly ModelMessage[] {
	if (historyTokens(messages) <= tokens) {
		return messages;
	}
	return shortenResults(repairHistory(keepNewestTurns(messages, tokens)), tokens);
}

/** A call in which the token limit fell is not whole, even if it can be read. */
function withoutCutCall({ parts, truncated }: ModelAnswer): readonly AssistantPart[] {
	return truncated && parts.at(-1)?.kind === 'toolCall' ? parts.slice(0, -1) : parts;
}

/** What a stopped answer had said belongs to the conversation. */
function keepPartialAnswer(writer: AnswerWriter, { journal }: Loop): void {
	const said = writer.said();
	if (said.length > 0) {
		journal.say({ role: 'assistant', parts: said });
	}
}

function totalUsage({ journal }: Loop, usage: ModelUsage, model: ModelPort) {
	const before = journal.usage;
	return {
		inputTokens: (before?.inputTokens ?? 0) + usage.inputTokens,
		outputTokens: (before?.outputTokens ?? 0) + usage.outputTokens,
		cachedInputTokens: (before?.cachedInputTokens ?? 0) + usage.cachedInputTokens,
		contextTokens: usage.inputTokens + usage.outputTokens,
		contextWindow: model.contextWindow,
		estimated: usage.estimated || (before?.estimated ?? false),
	};
}

function reasonOf(error: unknown): string {
	const message = error instanceof Error ? error.message : String(error);
	return message.charAt(0).toUpperCase() + message.slice(1);
}
