/** Sub-agents for the page of the chat: those of the thread on the screen, as they are and as they change. */
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { LogPort } from '../../../contract/ports/ports.ts';
import type { TrustedBase } from '../../../host/trusted-base.ts';
import { agentNotifications, type agentRequests } from '../../../protocol/agents/agent-view.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import type { ThreadId } from '../../../protocol/rpc/ids.ts';
import type { Peer, RequestHandlers } from '../../../protocol/rpc/peer.ts';
import { text } from '../../../protocol/text/text.ts';
import type { Mode } from '../../../protocol/thread/thread.ts';
import { threadRequests } from '../../../protocol/thread/thread-requests.ts';
import type { ChatView, Insertion } from '../chat-view.ts';
import type { CurrentThread } from '../../shown/current-thread.ts';

interface AgentRequestPorts {
	readonly current: CurrentThread;
	server(): Promise<Peer>;
	/** Undefined: nothing has run here yet. */
	base(): Pick<TrustedBase, 'agents'> | undefined;
	/** Mode of new threads. */
	mode(): Mode;
	/** Shows a thread with a text in its composer, or sends it there. */
	showWith(threadId: ThreadId, insertion: Insertion): Promise<void>;
}

export function createAgentRequests({
	current,
	server,
	base,
	mode,
	showWith,
}: AgentRequestPorts): RequestHandlers<typeof agentRequests> {
	return {
		handOffs: async ({ threadId }) => ({ handOffs: [...((await base()?.agents.handOffs(threadId)) ?? [])] }),
		async handOff({ threadId, at }, signal) {
			const agents = base()?.agents;
			const handOff = threadId === current.id ? (await agents?.handOffs(threadId))?.[at] : undefined;
			if (agents === undefined || handOff === undefined) {
				throw new ProwessError('NOT_FOUND', 'the agent of the thread on the screen offers no such hand-off', {
					at,
					said: text('This hand-off is not offered any more. Its file has changed, or another thread is shown.'),
				});
			}
			const { agent, prompt, send } = handOff;
			const next = await agents.begin(agent, mode(), null, signal);
			const peer = await server();
			const { info } = await peer.call(threadRequests.open, { threadId, items: 1 }, signal);
			// The other agent works on the conversation so far, so its thread refers to this one.
			const earlier = { kind: 'thread', threadId, title: info.title.slice(0, 200) } as const;
			await showWith(next, { refs: [earlier], text: prompt, send });
			return {};
		},
		list: async ({ threadId }) => ({ agents: (await base()?.agents.of(threadId)) ?? [] }),
		async stop({ id }, signal) {
			const agents = base()?.agents;
			const shown = current.id;
			// The page shows what a model wrote: it ends only what its thread has to do with.
			if (agents === undefined || shown === null || !agents.worksFor(id, shown)) {
				throw new ProwessError('NOT_FOUND', `there is no sub-agent ${id} of the thread on the screen`, {
					id,
					said: text('This thread has no such sub-agent.'),
				});
			}
			await agents.stop(id, signal);
			return {};
		},
	};
}

/** Tells the page of the sub-agents of its thread, when they change and when it shows another one. */
export function followAgents(
	{ agents }: Pick<TrustedBase, 'agents'>,
	{ current, chat, log }: { readonly current: CurrentThread; readonly chat: ChatView; readonly log: LogPort },
): Disposable {
	const store = new DisposableStore();
	const tellAgents = async () => {
		const threadId = current.id;
		if (threadId !== null) {
			chat.notify(agentNotifications.changed, { threadId, agents: await agents.of(threadId) });
		}
	};
	const tellSoon = () => {
		tellAgents().catch((error: unknown) => log.warn('the page was not told of sub-agents', { error: String(error) }));
	};
	store.add(
		agents.onDidChange((root) => {
			if (current.id !== null && agents.rootOf(current.id) === root) tellSoon();
		}),
	);
	store.add(current.onDidChange(tellSoon));
	return store;
}
