/** Puts one question to the connected model for the user, as the user's own act: it passes the gate and is recorded. */
import { cutText } from '../../base/text/one-line.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { subTurnRequests } from '../../protocol/turn/sub-turn.ts';
import { newId } from '../../protocol/rpc/ids.ts';
import { defineOp } from '../../protocol/ops/define-op.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import * as z from '../../protocol/text/zod.ts';
import type { AskForUser } from '../../contract/ask-for-user.ts';
import { type PerformForUser, requireOpResult } from '../../contract/ops/perform-op.ts';
import { askServer } from './ask-server.ts';
import { USER_QUESTION_MS } from './limits.ts';
import { joinTexts } from '../../protocol/text/text.ts';

interface AskForUserDeps {
	readonly server: () => Promise<Peer>;
	readonly performForUser: PerformForUser;
}

export function askForUser({ server, performForUser }: AskForUserDeps): AskForUser {
	const ask = askServer(server);
	return async (question, signal) => {
		const def = defineOp({
			params: z.strictObject({ prompt: z.string() }),
			result: z.object({ text: z.string(), model: z.string() }),
			risk: 'MONITORED',
			permission: 'llm',
			effect: 'read',
			timeoutMs: 0,
			limitMs: () => USER_QUESTION_MS,
			title: () => joinTexts(question.title),
			present: ({ model, text }) => `${model}: ${text.length} characters`,
		});
		const answerPrompt = async (prompt: string, until: AbortSignal) => {
			const asked = {
				subTurnId: newId('sub'),
				threadId: null,
				model: null,
				timeMs: USER_QUESTION_MS,
				system: question.system,
				messages: [{ role: 'user' as const, content: prompt }],
				maxTokens: question.maxTokens,
			};
			const { text, model } = await ask((peer) => peer.call(subTurnRequests.complete, asked, until), until);
			const clean = cutText(question.clean(text), question.maxChars);
			if (clean === '') {
				throw new ProwessError('PROVIDER_ERROR', `${model} answered without a word`, { model });
			}
			return { text: clean, model };
		};
		const work = {
			op: question.op,
			def,
			prepare: (raw: unknown) => {
				const { prompt } = def.params.parse(raw);
				return Promise.resolve({
					targets: [],
					detail: { kind: 'text' as const, text: question.title },
					run: async (context: { readonly signal: AbortSignal }) => await answerPrompt(prompt, context.signal),
				});
			},
		};
		const asked = { opId: newId('op'), params: { prompt: question.prompt } };
		return def.result.parse(requireOpResult(await performForUser(work, asked, null, signal), question.op)).text;
	};
}
