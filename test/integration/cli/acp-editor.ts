/** An editor that drives a real `prowess acp` with the client of the protocol's own package. */
import {
	client,
	type ClientCapabilities,
	type ClientConnection,
	type CreateElicitationRequest,
	type CreateElicitationResponse,
	methods,
	PROTOCOL_VERSION,
	type RequestPermissionRequest,
	type RequestPermissionResponse,
	type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { AcpProcess } from './acp-process.ts';
import type { User } from './cli-process.ts';

interface EditorOptions {
	readonly capabilities?: ClientCapabilities;
	/** Id of the option that is chosen, or `cancelled`; `never` gives no answer. Default: `once`. */
	readonly allows?: (asked: RequestPermissionRequest) => string;
	readonly reads?: (path: string) => string;
	readonly writes?: (path: string, content: string) => void;
	readonly answers?: (asked: CreateElicitationRequest) => CreateElicitationResponse;
	readonly env?: Readonly<Record<string, string>>;
}

export class AcpEditor extends AcpProcess {
	readonly updates: SessionUpdate[] = [];
	readonly asked: RequestPermissionRequest[] = [];
	readonly connection: ClientConnection;

	constructor(user: User, words: readonly string[], options: EditorOptions = {}) {
		super(user, words, options.env);
		this.connection = client({ name: 'spec' })
			.onNotification(methods.client.session.update, ({ params }) => void this.updates.push(params.update))
			.onRequest(methods.client.session.requestPermission, async ({ params }): Promise<RequestPermissionResponse> => {
				this.asked.push(params);
				const chosen = options.allows?.(params) ?? 'once';
				if (chosen === 'never') return await new Promise(() => {});
				if (chosen === 'cancelled') return { outcome: { outcome: 'cancelled' } };
				return { outcome: { outcome: 'selected', optionId: chosen } };
			})
			.onRequest(methods.client.fs.readTextFile, ({ params }) => ({ content: options.reads?.(params.path) ?? '' }))
			.onRequest(methods.client.fs.writeTextFile, ({ params }) => {
				options.writes?.(params.path, params.content);
				return {};
			})
			.onRequest(methods.client.elicitation.create, ({ params }) => options.answers?.(params) ?? { action: 'cancel' })
			.connect(this.stream);
	}

	get agent() {
		return this.connection.agent;
	}

	async initialize(clientCapabilities: ClientCapabilities = {}) {
		return await this.agent.request(methods.agent.initialize, {
			protocolVersion: PROTOCOL_VERSION,
			clientCapabilities,
		});
	}

	async opens(cwd: string) {
		return await this.agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
	}

	async says(sessionId: string, text: string, about?: Readonly<Record<string, unknown>>) {
		const prompt = [{ type: 'text', text }] as const;
		const asked = { sessionId, prompt: [...prompt], ...(about && { _meta: { ...about } }) };
		return await this.agent.request(methods.agent.session.prompt, asked);
	}

	/** Words of the agent so far. */
	get text(): string {
		return this.updates
			.map((each) =>
				each.sessionUpdate === 'agent_message_chunk' && each.content.type === 'text' ? each.content.text : '',
			)
			.join('');
	}

	of<K extends SessionUpdate['sessionUpdate']>(kind: K): Extract<SessionUpdate, { sessionUpdate: K }>[] {
		return this.updates.filter(
			(each): each is Extract<SessionUpdate, { sessionUpdate: K }> => each.sessionUpdate === kind,
		);
	}

	/** Last state of each call, in order; an update that follows at once may be part of the call itself. */
	get calls(): { readonly id: string; readonly status: string | undefined }[] {
		const calls = new Map<string, string | undefined>();
		for (const each of this.updates) {
			if (each.sessionUpdate === 'tool_call' || each.sessionUpdate === 'tool_call_update') {
				calls.set(each.toolCallId, each.status ?? calls.get(each.toolCallId));
			}
		}
		return [...calls].map(([id, status]) => ({ id, status }));
	}
}
