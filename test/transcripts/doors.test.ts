/** Conversations with the doors for programs and agents, as they are written and read, from the greeting to the end. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { User } from '../integration/cli/cli-process.ts';
import { LinesHere } from '../support/lines-here.ts';
import { startModelServer } from '../support/model-server.ts';
import { waitFor } from '../support/wait-for.ts';

interface Message {
	readonly id?: string | number;
	readonly method?: string;
	readonly params?: Readonly<Record<string, unknown>>;
	readonly result?: Readonly<Record<string, unknown>>;
}

/** A conversation of which each request is answered before the next. */
class Conversation {
	readonly heard: Message[] = [];
	readonly #lines: LinesHere;
	readonly #written: string[] = [];
	readonly #user: User;
	#last = 0;

	constructor(user: User, words: readonly string[]) {
		this.#user = user;
		this.#lines = new LinesHere(user.startsHere(words, { isProgram: true }));
		this.#lines.onmessage = (message: never) => void this.heard.push(message);
		void this.#lines.start();
	}

	async send(message: object): Promise<void> {
		this.note('→', message);
		await this.#lines.send({ jsonrpc: '2.0', ...message });
	}

	/** Resolves with the answer, once it is written down as `shown` shows it. */
	async ask(method: string, params: object, shown = (answer: Message): unknown => answer): Promise<Message> {
		const id = (this.#last += 1);
		await this.send({ id, method, params });
		const answer = await this.hears(`an answer to ${method}`, (each) => each.id === id && each.method === undefined);
		this.note('←', shown(answer));
		return answer;
	}

	async hears(what: string, isIt: (message: Message) => boolean): Promise<Message> {
		return await waitFor(what, () => this.heard.find(isIt));
	}

	note(arrow: string, message: unknown): void {
		this.#written.push(`${arrow} ${JSON.stringify(message)}`);
	}

	/** Compares all that was written with the file, which is made where there is none. */
	async matches(name: string): Promise<void> {
		await this.#lines.close();
		const names = new Map<string, string>();
		const found = `${this.#written.join('\n')}\n`
			.replaceAll(this.#user.workspace, 'FOLDER')
			.replaceAll(/\b(thr|trn|op|itm|apr|ask)_[\w-]{8,}/g, (id: string, kind: string) => {
				const known = names.get(id) ?? `${kind}_${names.size + 1}`;
				names.set(id, known);
				return known;
			})
			.replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
			.replaceAll(/"(version|prowess)":"\d+\.\d+\.\d+[^"]*"/g, '"$1":"VERSION"');
		const file = join(import.meta.dirname, `${name}.txt`);
		if (!existsSync(file)) writeFileSync(file, found);
		assert.equal(found, readFileSync(file, 'utf8'));
	}
}

const write = { path: 'new.txt', content: 'hello\n' };

describe('The words of a door', () => {
	let user: User;
	beforeEach(() => {
		user = new User();
		user.sets();
		user.trusts();
		user.writes('a.txt', 'one\n');
	});

	it('for MCP clients list tools, ask by a form and give results', async () => {
		const agent = new Conversation(user, ['mcp', 'serve', '--workspace', user.workspace]);
		await agent.ask('initialize', {
			protocolVersion: '2025-11-25',
			capabilities: { elicitation: { form: {} } },
			clientInfo: { name: 'spec', version: '1' },
		});
		await agent.send({ method: 'notifications/initialized' });
		await agent.ask('tools/list', {}, ({ result }) => ((result?.['tools'] ?? []) as { name: string }[]).map(({ name }) => name));
		await agent.ask('tools/call', { name: 'fs_read', arguments: { path: 'a.txt' } });
		await agent.ask('tools/call', { name: 'fs_read', arguments: { path: '../b.txt' } });
		const written = agent.ask('tools/call', { name: 'fs_write', arguments: write });
		const form = await agent.hears('a form', ({ method }) => method === 'elicitation/create');
		agent.note('←', form);
		await agent.send({ id: form.id, result: { action: 'accept', content: { answer: 'once' } } });
		await written;
		await agent.matches('door-mcp');
	});

	it('for programs greet, begin a thread, ask, and tell how a turn went', async () => {
		const model = await startModelServer([{ toolCalls: [{ name: 'fs_write', input: write }] }, { text: 'Written.' }]);
		try {
			const words = ['--provider', 'openai-compatible', '--base-url', model.baseUrl, '--model', 'scripted'];
			const program = new Conversation(user, ['rpc', ...words, '--workspace', user.workspace]);
			await program.ask('thread/list', {});
			await program.ask('rpc/hello', { version: 1, client: { name: 'spec' } });
			const { result } = await program.ask('thread/create', {});
			const threadId = result?.['id'];
			await program.ask('level/of', { threadId });
			await program.ask('thread/prompt', { threadId, text: 'write it' });
			const approvalsIn = ({ params }: Message) => (params?.['approvals'] ?? []) as { readonly id: string }[];
			const asked = await program.hears('a question', (each) => approvalsIn(each).length > 0);
			program.note('←', { method: asked.method, params: asked.params });
			await program.ask('desk/approve', { id: approvalsIn(asked)[0]?.id, answer: { kind: 'once' } });
			program.note('←', await program.hears('its end', ({ method }) => method === 'desk/closed'));
			const events = () =>
				program.heard.flatMap(({ method, params }) =>
					method === 'thread/update' ? (params?.['events'] as { readonly type: string }[]) : [],
				);
			await waitFor('the end of the turn', () => events().some(({ type }) => type === 'turn.end'));
			const types = events().map(({ type }) => type);
			program.note('events', [...new Set(types)].toSorted());
			program.note('last', types.at(-1));
			await program.matches('door-rpc');
		} finally {
			await model.close();
		}
	});

	it('for editors greet, begin a session, tell a turn, and ask for permission', async () => {
		const model = await startModelServer([{ toolCalls: [{ name: 'fs_write', input: write }] }, { text: 'Written.' }]);
		try {
			const words = ['--provider', 'openai-compatible', '--base-url', model.baseUrl, '--model', 'scripted'];
			const editor = new Conversation(user, ['acp', ...words]);
			await editor.ask('session/prompt', { sessionId: 'none', prompt: [] });
			await editor.ask('initialize', { protocolVersion: 1, clientCapabilities: {} });
			const { result } = await editor.ask('session/new', { cwd: user.workspace, mcpServers: [] });
			const { sessionId } = result ?? {};
			const prompt = [{ type: 'text', text: 'write it' }];
			const ended = editor.ask('session/prompt', { sessionId, prompt });
			const asked = await editor.hears('a question', ({ method }) => method === 'session/request_permission');
			editor.note('←', asked);
			await editor.send({ id: asked.id, result: { outcome: { outcome: 'selected', optionId: 'once' } } });
			await ended;
			const updates = editor.heard.flatMap(({ method, params }) =>
				method === 'session/update' ? [params?.['update'] as { readonly sessionUpdate: string }] : [],
			);
			editor.note('updates', [...new Set(updates.map(({ sessionUpdate }) => sessionUpdate))].toSorted());
			editor.note(
				'call',
				updates.filter(({ sessionUpdate }) => sessionUpdate.startsWith('tool_call')).at(-1),
			);
			await editor.matches('door-acp');
		} finally {
			await model.close();
		}
	});
});
