/**
 * Messages of the user on their way from the page to the server: the server gets them without secrets. What only looks like
 * a secret is sent after the user has said so, for this message. The title of a thread never has any.
 */
import type { OutgoingMessage, UserMessage } from '../../capability-host/record/redaction/outgoing-message.ts';
import { ProwessError } from '../../protocol/errors.ts';
import type { ParamsOf } from '../../protocol/rpc/message.ts';
import type { Peer, RequestHandlers } from '../../protocol/rpc/peer.ts';
import { type SecretsWish, threadRequests } from '../../protocol/thread.ts';

const { prompt, rerun, update } = threadRequests;
export const promptRequests = { prompt, rerun, update } as const;

interface PromptPorts {
	server(): Promise<Peer>;
	/** Every key that the host keeps is known by then. */
	outgoingMessage(message: UserMessage, keepsLookalikes: boolean): Promise<OutgoingMessage>;
}

export function createPromptRequests(ports: PromptPorts): RequestHandlers<typeof promptRequests> {
	async function clean(message: UserMessage, wish: SecretsWish = 'ask'): Promise<OutgoingMessage['message']> {
		const outgoing = await ports.outgoingMessage(message, wish === 'keep');
		const { known, lookalikes } = outgoing.found;
		if (wish === 'ask' && known + lookalikes > 0) {
			const found = `${known} known secrets and ${lookalikes} that look like one`;
			throw new ProwessError('SECRETS_IN_MESSAGE', `the message contains ${found}`, { known, lookalikes });
		}
		return outgoing.message;
	}
	return {
		prompt: async ({ threadId, text, context, secrets }, signal) => {
			const message = await clean({ text, context }, secrets);
			return await (await ports.server()).call(prompt, { threadId, ...message }, signal);
		},
		rerun: async ({ threadId, turnId, text, secrets }, signal) => {
			const again: ParamsOf<typeof rerun> = { threadId, turnId };
			if (text !== undefined) {
				again.text = (await clean({ text, context: [] }, secrets)).text;
			}
			return await (await ports.server()).call(rerun, again, signal);
		},
		update: async (change, signal) => {
			// A title is not worth a question.
			const title =
				change.title === undefined ? {} : { title: (await clean({ text: change.title, context: [] }, 'remove')).text };
			return await (await ports.server()).call(update, { ...change, ...title }, signal);
		},
	};
}
