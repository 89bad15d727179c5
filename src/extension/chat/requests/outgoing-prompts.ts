/**
 * Messages of the user on their way from the page to the server, which gets them without secrets. Text that only looks
 * like a secret is sent after the user has agreed, for this message. The title of a thread never holds secrets.
 */
import type { OutgoingMessage, WrittenUserMessage } from '../../../trust/record/redaction/outgoing-message.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import type { ThreadId } from '../../../protocol/rpc/ids.ts';
import type { ParamsOf, ResultOf } from '../../../protocol/rpc/message.ts';
import type { Peer, RequestHandlers } from '../../../protocol/rpc/peer.ts';
import { type MessageHost, refuseSecrets, sendMessage } from '../../../host/doors/send-message.ts';
import type { Mode } from '../../../protocol/thread/thread.ts';
import { type SecretsWish, threadRequests } from '../../../protocol/thread/thread-requests.ts';

const { prompt, steer, rerun, update } = threadRequests;
export const promptRequests = { prompt, steer, rerun, update } as const;

interface PromptPorts extends MessageHost {
	server(): Promise<Peer>;
	/** Path of a folder of the workspace that is no longer there; undefined: all are. */
	missingFolder(): Promise<string | undefined>;
	/** Keeps the mode of a thread in this host. */
	keepMode(threadId: ThreadId, mode: Mode, signal: AbortSignal): Promise<void>;
	/** Every key that the host keeps is known by then. */
	outgoingMessage(message: WrittenUserMessage, keepsLookalikes: boolean): Promise<OutgoingMessage>;
}

type Handlers = RequestHandlers<typeof promptRequests>;

export interface PromptHandlers extends Handlers {
	/** Does as `prompt`, and sends nothing where `unsent` has aborted before the server was asked. */
	promptUnless(
		params: Parameters<Handlers['prompt']>[0],
		unsent: AbortSignal,
		signal: AbortSignal,
	): ReturnType<Handlers['prompt']>;
}

export function createPromptRequests(ports: PromptPorts): PromptHandlers {
	async function cleanMessage(
		message: WrittenUserMessage,
		wish: SecretsWish = 'ask',
	): Promise<OutgoingMessage['message']> {
		const outgoing = await ports.outgoingMessage(message, wish === 'keep');
		refuseSecrets(outgoing.found, wish);
		return outgoing.message;
	}
	/** Where the folder is gone, each read of the turn would fail or ask about nothing. */
	async function refuseWithoutFolder(): Promise<void> {
		const path = await ports.missingFolder();
		if (path !== undefined) {
			throw new ProwessError('WORKSPACE_FOLDER_GONE', `the folder ${path} is not there`, { path });
		}
	}
	async function send(
		how: 'prompt' | 'steer',
		{ text, context, secrets, ...said }: Parameters<Handlers['prompt']>[0],
		unsent: AbortSignal,
		signal: AbortSignal,
	): Promise<ResultOf<typeof prompt>> {
		await refuseWithoutFolder();
		const message = { ...said, ...(await cleanMessage({ text, context }, secrets)) };
		return await sendMessage(ports, await ports.server(), { how, message, unsent }, signal);
	}

	return {
		prompt: (params, signal) => send('prompt', params, signal, signal),
		promptUnless: (params, unsent, signal) => send('prompt', params, unsent, signal),
		steer: (params, signal) => send('steer', params, signal, signal),
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
			ports.beginThread(threadId, again.text);
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
