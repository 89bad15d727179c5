/** One answer of the model: with its retries, and with less to read when the conversation is too long after all. */
import { isProwessError } from '../../protocol/errors.ts';
import { withRetry } from '../models/retry.ts';
import type { Conversation } from './conversation.ts';
import type { Loop, LoopDeps } from './loop.ts';
import type { AnswerWriter, ModelAnswer } from './model-answer.ts';

export async function ask(
	loop: Loop,
	conversation: Conversation,
	writer: AnswerWriter,
	{ wait }: Pick<LoopDeps, 'wait'>,
	signal: AbortSignal,
): Promise<ModelAnswer> {
	const onWait = ({ error, waitMs }: { readonly error: unknown; readonly waitMs: number }) => {
		const seconds = Math.ceil(waitMs / 1000);
		loop.journal.notice({ level: 'info', text: `${reasonOf(error)}. Trying again in ${seconds} s.`, actions: [] });
	};
	for (;;) {
		const shown = conversation.shown();
		const request = { system: loop.system, messages: shown.messages, tools: loop.tools.declarations };
		try {
			return await withRetry(
				(onOutput) => writer.write(loop.model, request, onOutput, signal),
				{ onWait, ...(wait === undefined ? {} : { wait }) },
				signal,
			);
		} catch (error) {
			if (!isProwessError(error) || error.code !== 'CONTEXT_OVERFLOW' || !conversation.canShrink(shown)) {
				throw error;
			}
		}
	}
}

function reasonOf(error: unknown): string {
	const message = error instanceof Error ? error.message : String(error);
	return message.charAt(0).toUpperCase() + message.slice(1);
}
