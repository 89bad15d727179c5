/**
 * Messages of the user on their way from the page to the server, which gets them without secrets. Text that only looks
 * like a secret is sent after the user has agreed, for this message. The title of a thread never holds secrets.
 */
import type { OutgoingMessage, WrittenUserMessage } from '../../../trust/record/redaction/outgoing-message.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import type { ThreadId } from '../../../protocol/rpc/ids.ts';
import type { ParamsOf, ResultOf } from '../../../protocol/rpc/message.ts';
import type { Peer, RequestHandlers } from '../../../protocol/rpc/peer.ts';
import type { ContextRef } from '../../../protocol/thread/context.ts';
import type { Mode } from '../../../protocol/thread/thread.ts';
import { type SecretsWish, threadRequests } from '../../../protocol/thread/thread-requests.ts';

const { prompt, steer, rerun, update } = threadRequests;
export const promptRequests = { prompt, steer, rerun, update } as const;

interface PromptPorts {
	server(): Promise<Peer>;
	/** Path of a folder of the workspace that is no longer there; undefined: all are. */
	missingFolder(): Promise<string | undefined>;
	/** Keeps the mode of a thread in this host. */
	keepMode(threadId: ThreadId, mode: Mode, signal: AbortSignal): Promise<void>;
	/** From now on the thread's agent may ask this host for ops. `isSteering`: the message is for a turn that runs. */
	beginThread(threadId: ThreadId, text: string, isSteering: boolean): void;
	/** Returns the context that hooks add to a message. Rejects with DENIED_BY_RULE when a hook refuses it. */
	hooked(threadId: ThreadId, text: string, signal: AbortSignal): Promise<readonly ContextRef[]>;
	/** Every key that the host keeps is known by then. */
	outgoingMessage(message: WrittenUserMessage, keepsLookalikes: boolean): Promise<OutgoingMessage>;
}

export function createPromptRequests(ports: PromptPorts): RequestHandlers<typeof promptRequests> {
	async function cleanMessage(
		message: WrittenUserMessage,
		wish: SecretsWish = 'ask',
	): Promise<OutgoingMessage['message']> {
		const outgoing = await ports.outgoingMessage(message, wish === 'keep');
		const { known, lookalikes } = outgoing.found;
		if (wish === 'ask' && known + lookalikes > 0) {
			const found = `${known} known secrets and ${lookalikes} that look like one`;
			throw new ProwessError('SECRETS_IN_MESSAGE', `the message contains ${found}`, { known, lookalikes });
		}
		return outgoing.message;
	}
	/** Where the folder is gone, each read of the turn would fail or ask about nothing. */
	async function refuseWithoutFolder(): Promise<void> {
		const path = await ports.missingFolder();
		if (path !== undefined) {
			throw new ProwessError('WORKSPACE_FOLDER_GONE', `the folder ${path} is not there`, { path });
		}
	}
	async function sendMessage(
		request: typeof prompt | typeof steer,
		{
			threadId,
			text,
			context,
			secrets,
			messageId,
			strategy,
			options,
		}: Parameters<RequestHandlers<typeof promptRequests>['prompt']>[0],
		signal: AbortSignal,
	): Promise<ResultOf<typeof prompt>> {
		await refuseWithoutFolder();
		const message = await cleanMessage({ text, context }, secrets);
		const id = messageId === undefined ? {} : { messageId };
		const how = { ...(strategy === undefined ? {} : { strategy }), ...(options === undefined ? {} : { options }) };
		const server = await ports.server();
		ports.beginThread(threadId, message.text, request === steer);
		const told = await ports.hooked(threadId, message.text, signal);
		const sent = { ...message, context: [...message.context, ...told] };
		return await server.call(request, { threadId, ...sent, ...id, ...how }, signal);
	}

	return {
		prompt: (params, signal) => sendMessage(prompt, params, signal),
		steer: (params, signal) => sendMessage(steer, params, signal),
		rerun: async ({ threadId, turnId, text, secrets, strategy }, signal) => {
			await refuseWithoutFolder();
			const again: ParamsOf<typeof rerun> = { threadId, turnId };
			if (strategy !== undefined) {
				again.strategy = strategy;
			}
			if (text !== undefined) {
				again.text = (await cleanMessage({ text, context: [] }, secrets)).text;
			}
			const server = await ports.server();
			ports.beginThread(threadId, again.text ?? '', false);
			return await server.call(rerun, again, signal);
		},
		update: async (change, signal) => {
			// A title is not worth a question.
			const title =
				change.title === undefined
					? {}
					: { title: (await cleanMessage({ text: change.title, context: [] }, 'remove')).text };
			const server = await ports.server();
			if (change.mode !== undefined) {
				await ports.keepMode(change.threadId, change.mode, signal);
			}
			return await server.call(update, { ...change, ...title }, signal);
		},
	};
}
