/**
 * An editor that drives a real `prowess acp` with the client of the protocol's own package. Every line that Prowess sends is
 * validated against the schema of that package.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import {
	client,
	type ClientCapabilities,
	type ClientConnection,
	type CreateElicitationRequest,
	type CreateElicitationResponse,
	methods,
	ndJsonStream,
	PROTOCOL_VERSION,
	type RequestPermissionRequest,
	type RequestPermissionResponse,
	type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { programs } from '../../support/programs.ts';
import { waitFor } from '../../support/wait-for.ts';
import { commandLimitMs, type User } from './cli-process.ts';

const schema = createRequire(import.meta.url)('@agentclientprotocol/sdk/schema/v1/schema.json') as {
	readonly $defs: Readonly<Record<string, { readonly 'x-method'?: string }>>;
};
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });
ajv.addSchema(schema, 'acp');

/** Throws for a message that the schema of the package does not allow. `methodOf`: method of an answered request. */
function checkAcpMessage(line: string, methodOf: (id: unknown) => string | undefined): void {
	const message = JSON.parse(line) as Record<string, unknown>;
	assert.equal(message['jsonrpc'], '2.0', line);
	if ('error' in message) {
		check('Error', message['error'], line);
		return;
	}
	const method = 'method' in message ? String(message['method']) : methodOf(message['id']);
	if (method === '$/cancel_request') return;
	const ending = !('method' in message) ? 'Response' : 'id' in message ? 'Request' : 'Notification';
	const def = Object.entries(schema.$defs).find(([name, each]) => each['x-method'] === method && name.endsWith(ending));
	assert.ok(def !== undefined, `no ${ending} of ${method ?? 'an unknown request'}: ${line}`);
	check(def[0], 'method' in message ? message['params'] : message['result'], line);
}

function check(def: string, value: unknown, line: string): void {
	const validate = ajv.getSchema(`acp#/$defs/${def}`);
	assert.ok(validate !== undefined, def);
	assert.ok(validate(value) === true, `${def}: ${ajv.errorsText(validate.errors)}: ${line}`);
}

interface EditorOptions {
	readonly capabilities?: ClientCapabilities;
	/** Id of the option that is chosen, or `cancelled`; `never` gives no answer. Default: `once`. */
	readonly allows?: (asked: RequestPermissionRequest) => string;
	readonly reads?: (path: string) => string;
	readonly writes?: (path: string, content: string) => void;
	readonly answers?: (asked: CreateElicitationRequest) => CreateElicitationResponse;
	readonly env?: Readonly<Record<string, string>>;
}

export class AcpEditor {
	readonly child: ChildProcess;
	readonly updates: SessionUpdate[] = [];
	readonly asked: RequestPermissionRequest[] = [];
	/** Lines of Prowess, each valid. */
	readonly lines: string[] = [];
	readonly faults: unknown[] = [];
	readonly connection: ClientConnection;
	readonly ended: Promise<number | null>;
	stderr = '';

	constructor(user: User, words: readonly string[], options: EditorOptions = {}) {
		const env = { ...user.environment, ...options.env };
		this.child = spawn(process.execPath, [programs.cli, 'acp', ...words], {
			cwd: user.root,
			env,
			stdio: ['pipe', 'pipe', 'pipe'],
		});
		const { stdin, stdout, stderr } = this.child;
		assert.ok(stdin !== null && stdout !== null && stderr !== null);
		stderr.setEncoding('utf8').on('data', (chunk: string) => (this.stderr += chunk));
		stdin.on('error', () => {});
		this.ended = new Promise((resolve) => this.child.once('close', resolve));
		const sent = new Map<unknown, string>();
		const output = new WritableStream<Uint8Array>({
			write: async (bytes) => {
				for (const line of Buffer.from(bytes).toString('utf8').split('\n').filter(Boolean)) {
					const message = JSON.parse(line) as { id?: unknown; method?: string };
					if (message.method !== undefined && message.id !== undefined) sent.set(message.id, message.method);
				}
				await new Promise<void>((resolve) => stdin.write(bytes, () => resolve()));
			},
		});
		let rest = '';
		const seen = new TransformStream<Uint8Array, Uint8Array>({
			transform: (bytes, controller) => {
				rest += Buffer.from(bytes).toString('latin1');
				const lines = rest.split('\n');
				rest = lines.pop() ?? '';
				for (const latin of lines) {
					const line = Buffer.from(latin, 'latin1').toString('utf8');
					this.lines.push(line);
					try {
						checkAcpMessage(line, (id) => sent.get(id));
					} catch (error) {
						this.faults.push(error);
					}
				}
				controller.enqueue(bytes);
			},
		});
		const input = (Readable.toWeb(stdout) as ReadableStream<Uint8Array>).pipeThrough(seen);
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
			.connect(ndJsonStream(output, input));
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

	async has(what: string, isThere: () => boolean): Promise<void> {
		await waitFor(`${what}; standard error: ${this.stderr}`, isThere, commandLimitMs);
	}

	/** The editor is closed, as one that ends properly. */
	async leaves(): Promise<void> {
		this.child.stdin?.end();
		assert.equal(await this.ended, 0, this.stderr);
		assert.deepEqual(this.faults, []);
	}
}
