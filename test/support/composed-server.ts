/** A real server at the far end of linked peers, which a host starts with its first need, and models behind it. */
import { credentialRequests, lmRequests, type ProviderConfig } from '../../src/protocol/turn/models.ts';
import type { Peer } from '../../src/protocol/rpc/peer.ts';
import { PROTOCOL_VERSION, serverNotifications, serverRequests } from '../../src/protocol/server.ts';
import { threadNotifications } from '../../src/protocol/thread/thread-requests.ts';
import { composeServer } from '../../src/server/compose.ts';
import type { TestHost } from './host-ports.ts';
import type { ModelServer } from './model-server.ts';

export interface ComposedServer {
	/** Starts it for this host; resolves with the host's end. */
	start(host: TestHost): Promise<Peer>;
	close(): Promise<void>;
}

export function composedServer(near: Peer, far: Peer): ComposedServer {
	const server = composeServer(far);
	return {
		async start({ home, ports }) {
			near.serve(credentialRequests, { get: async () => ({ key: 'test-key' }) });
			near.serve(lmRequests, {
				list: async () => ({ models: [] }),
				run: () => Promise.reject(new Error('there are no editor models here')),
			});
			near.on(serverNotifications, { log: () => {}, modelsChanged: () => {} });
			near.on(threadNotifications, { update: () => {} });
			const { folders, isTrusted } = ports.workspace;
			await near.call(
				serverRequests.start,
				{
					...{ protocolVersion: PROTOCOL_VERSION, host: 'cli', home },
					settings: ports.settings.current,
					workspace: { folders: [...folders], trusted: isTrusted, platform: process.platform },
				},
				new AbortController().signal,
			);
			return near;
		},
		close: () => server.close(),
	};
}

/** The provider `test` with the models `scripted` and `other`; none without a model server. */
export function providersOf(model: ModelServer | undefined): ProviderConfig[] {
	return model === undefined
		? []
		: [{ id: 'test', kind: 'openai-compatible', baseUrl: model.baseUrl, models: ['scripted', 'other'] }];
}
