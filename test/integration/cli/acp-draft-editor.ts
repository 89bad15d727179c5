/** An editor that drives a real `prowess acp --protocol 2` with the client of the protocol's own package for version 2, a draft. */
import {
	client,
	type ClientCapabilities,
	type ClientConnection,
	type CreateElicitationResponse,
	methods,
	type RequestPermissionRequest,
	type RequestPermissionResponse,
	type SessionUpdate,
} from '@agentclientprotocol/sdk/experimental/v2';
import { AcpProcess } from './acp-process.ts';
import type { User } from './cli-process.ts';

type OfKind<K> = Extract<SessionUpdate, { readonly sessionUpdate: K }>;

export class AcpDraftEditor extends AcpProcess {
	readonly updates: SessionUpdate[] = [];
	readonly asked: RequestPermissionRequest[] = [];
	readonly connection: ClientConnection;

	/** `answer`: id of the option that is chosen; `never` gives no answer. */
	constructor(user: User, words: readonly string[], answer = 'once') {
		super(user, [...words, '--protocol', '2'], {}, 2);
		this.connection = client({ name: 'spec' })
			.onNotification(methods.client.session.update, ({ params }) => void this.updates.push(params.update))
			.onRequest(methods.client.session.requestPermission, async ({ params }): Promise<RequestPermissionResponse> => {
				this.asked.push(params);
				if (answer === 'never') return await new Promise(() => {});
				return { outcome: { outcome: 'selected', optionId: answer } };
			})
			.onRequest(methods.client.elicitation.create, (): CreateElicitationResponse => ({
				action: 'accept',
				content: { answer: 'red' },
			}))
			.connect(this.stream);
	}

	get agent() {
		return this.connection.agent;
	}

	async initialize(capabilities: ClientCapabilities = {}) {
		const info = { name: 'spec', version: '1' };
		return await this.agent.request(methods.agent.initialize, { protocolVersion: 2, info, capabilities });
	}

	async opens(cwd: string) {
		return await this.agent.request(methods.agent.session.new, { cwd });
	}

	async says(sessionId: string, text: string) {
		return await this.agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] });
	}

	of<K extends string>(kind: K): OfKind<K>[] {
		return this.updates.filter((each): each is OfKind<K> => each.sessionUpdate === kind);
	}

	/** States in order, with the reason of an end. */
	get states(): string[] {
		return this.updates.flatMap((each) => {
			if (each.sessionUpdate !== 'state_update') return [];
			const { state, stopReason } = each as { readonly state: string; readonly stopReason?: string };
			return stopReason === undefined ? state : `${state} ${stopReason}`;
		});
	}

	/** Resolves once the session has stopped to work that many times. */
	async stops(times: number): Promise<void> {
		await this.has(`stop ${times}`, () => this.states.filter((each) => each.startsWith('idle ')).length === times);
	}
}
