/**
 * Asks for one answer: retries, lets other models take over, and shows less of the conversation when it turns out to be
 * too long.
 */
import { isProwessError } from '../../protocol/errors/errors.ts';
import { readErrorCode } from '../turn/stage-trace.ts';
import { withFailover } from '../models/failover/failover.ts';
import type { ModelPort } from '../models/model-port.ts';
import type { LoopConversation } from './conversation.ts';
import { contextParts } from './context-parts.ts';
import { failoverNotices } from './failover-notices.ts';
import type { Loop, LoopDeps } from './loop.ts';
import type { AnswerWriter, ModelAnswer } from './model-answer.ts';
import { tracedUsage } from './request-beside.ts';

export async function askForAnswer(
	loop: Loop,
	conversation: LoopConversation,
	writer: AnswerWriter,
	{ wait, skips, onFailover, beginStep }: Pick<LoopDeps, 'wait' | 'skips' | 'onFailover' | 'beginStep'>,
	signal: AbortSignal,
): Promise<ModelAnswer> {
	const attemptAnswer = async (model: ModelPort, onOutput: () => void): Promise<ModelAnswer> => {
		for (;;) {
			const shown = conversation.shown();
			const { system, effort, temperature } = loop;
			const said = {
				system,
				messages: shown.messages,
				tools: conversation.tools,
				effort,
				...(temperature === undefined ? {} : { temperature }),
			};
			const request = conversation.withOutput(shown, said);
			const ended = beginStep?.('Request', { model: model.id });
			await loop.journal.stored();
			try {
				const answer = await writer.write(model, request, onOutput, signal);
				ended?.(answer.cutBy === undefined ? 'ok' : readErrorCode(answer.cutBy), {
					...tracedUsage(answer.usage, model),
					...(answer.served !== undefined && { served: answer.served.by }),
				});
				conversation.measured(shown, request, answer);
				return answer.usage === undefined ? answer : { ...answer, contextParts: contextParts(request, answer.usage) };
			} catch (error) {
				ended?.(signal.aborted ? 'stopped' : readErrorCode(error));
				if (!isProwessError(error) || error.code !== 'CONTEXT_OVERFLOW' || !conversation.canShrink(shown)) {
					throw error;
				}
			}
		}
	};
	return withFailover(
		loop.models,
		attemptAnswer,
		{ wait, skips, ...failoverNotices(loop.journal), onSteps: (steps) => onFailover?.(steps) },
		signal,
	);
}
