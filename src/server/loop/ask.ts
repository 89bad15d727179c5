/** One answer: with its retries, with the models that take over, and with less to read when the conversation is too long after all. */
import { isProwessError } from '../../protocol/errors.ts';
import { causeForUser } from '../../protocol/errors/error-text.ts';
import { shownSteps } from '../models/failover/failover-machine.ts';
import { withFailover } from '../models/failover/failover.ts';
import type { ModelPort } from '../models/model-port.ts';
import type { Conversation } from './conversation.ts';
import type { Loop, LoopDeps } from './loop.ts';
import type { AnswerWriter, ModelAnswer } from './model-answer.ts';
import { asOpError } from './perform-call.ts';
import type { Notice } from '../../protocol/thread.ts';

export async function ask(
	loop: Loop,
	conversation: Conversation,
	writer: AnswerWriter,
	{ wait, skips, onFailover }: Pick<LoopDeps, 'wait' | 'skips' | 'onFailover'>,
	signal: AbortSignal,
): Promise<ModelAnswer> {
	const say = (text: string, attempt?: Notice['attempt']) =>
		loop.journal.notice({ level: 'info', text, actions: [], ...(attempt === undefined ? {} : { attempt }) });
	const attempt = async (model: ModelPort, onOutput: () => void): Promise<ModelAnswer> => {
		for (;;) {
			const shown = conversation.shown();
			const request = { system: loop.system, messages: shown.messages, tools: loop.tools.declarations };
			try {
				const answer = await writer.write(model, request, onOutput, signal);
				conversation.measured(shown, request, answer);
				return answer;
			} catch (error) {
				if (!isProwessError(error) || error.code !== 'CONTEXT_OVERFLOW' || !conversation.canShrink(shown)) {
					throw error;
				}
			}
		}
	};
	return withFailover(
		loop.models,
		attempt,
		{
			wait,
			skips,
			onWait: ({ error, waitMs, next }) =>
				say(`${reasonOf(error)} Trying again in ${Math.ceil(waitMs / 1000)} s.`, {
					error: asOpError(error),
					waitMs,
					...(next !== undefined && { next }),
				}),
			onNext: ({ failed, error, next }) =>
				say(`${failed.id}: ${reasonOf(error)} ${next.id} answers now.`, {
					error: asOpError(error),
					failed: failed.id,
					next: next.id,
				}),
			onUnusable: (error) => say(reasonOf(error)),
			onSteps: (steps) => onFailover?.(shownSteps(steps)),
		},
		signal,
	);
}

function reasonOf(error: unknown): string {
	return causeForUser(asOpError(error), (template) => template);
}
