/** Threads that a client begins, says something in and ends: the same for each door whose client sends requests by itself. */
import { promptingRequests } from '../../protocol/doors/rpc.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import type { RequestHandlers } from '../../protocol/rpc/peer.ts';
import type { Mode } from '../../protocol/thread/thread.ts';
import type { TrustedBase } from '../trusted-base.ts';
import type { Client } from './clients.ts';
import { cleanTitle, keepWithinLevel, prepareMessage, refuseSecrets, sendMessage } from './send-message.ts';
import type { ThreadServer } from './thread-follower.ts';

/** Carries out what a client that may send messages asks for; null: a thread that is yet to begin. */
export type ActOfClient = <R>(request: string, threadId: ThreadId | null, work: () => Promise<R>) => Promise<R>;

interface PromptingParts {
	readonly base: TrustedBase;
	readonly client: Client;
	/** Model of new threads that name none; null: the server chooses. */
	readonly modelId: string | null;
	/** Mode of new threads that name none. */
	readonly mode: Mode;
	server(): Promise<ThreadServer>;
	readonly act: ActOfClient;
	onPrompted?(threadId: ThreadId): void;
}

export function promptingAnswers(parts: PromptingParts): RequestHandlers<typeof promptingRequests> {
	const { base, client, modelId, mode: usualMode, server, onPrompted } = parts;
	const act: ActOfClient = async (request, threadId, work) => {
		client.check('prompt');
		return await parts.act(request, threadId, work);
	};
	const say =
		(how: 'prompt' | 'steer'): RequestHandlers<typeof promptingRequests>['prompt'] =>
		({ text: words, context, secrets, ...said }, within) =>
			act(promptingRequests[how].method, said.threadId, async () => {
				const { message, found } = await prepareMessage(base, { text: words, context }, secrets === 'keep');
				refuseSecrets(found, secrets);
				const started = await server();
				await keepWithinLevel(base, said.threadId, client, within);
				const hooked: TrustedBase['hooks']['prompted'] = (...asked) => base.hooks.prompted(...asked);
				const sent = { how, client, message: { ...said, ...message } };
				const begun = await sendMessage({ beginThread: base.beginThread, hooked }, started, sent, within);
				onPrompted?.(said.threadId);
				return begun;
			});
	return {
		create: (params, within) =>
			act(promptingRequests.create.method, null, async () => {
				const mode = params.mode ?? usualMode;
				const asked = { ...params, mode, modelId: params.modelId ?? modelId };
				const created = await (await server()).call(promptingRequests.create, asked, within);
				await base.modes.set(created.id, mode, within);
				return created;
			}),
		prompt: say('prompt'),
		steer: say('steer'),
		stop: (params, within) =>
			act(promptingRequests.stop.method, params.threadId, async () =>
				(await server()).call(promptingRequests.stop, params, within),
			),
		// No act yet: the message that names the picture is recorded.
		attach: async (params, within) => {
			client.check('prompt');
			return await (await server()).call(promptingRequests.attach, params, within);
		},
		update: (change, within) =>
			act(promptingRequests.update.method, change.threadId, async () => {
				const title = change.title === undefined ? {} : { title: cleanTitle(base, change.title) };
				if (change.mode !== undefined) await base.modes.set(change.threadId, change.mode, within);
				return await (await server()).call(promptingRequests.update, { ...change, ...title }, within);
			}),
		// A client that goes meanwhile does not take it back: before-images go with it.
		deleteThread: (params) =>
			act(promptingRequests.deleteThread.method, params.threadId, async () => {
				const never = new AbortController().signal;
				const deleted = await (await server()).call(promptingRequests.deleteThread, params, never);
				await base.endThread(params.threadId);
				return deleted;
			}),
	};
}
