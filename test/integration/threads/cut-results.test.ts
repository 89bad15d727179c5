/** Results that were cut are read on, and rare tools are looked for, through the CLI and real processes. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
	type ModelServer,
	type RecordedRequest,
	type ScriptEntry,
	startModelServer,
} from '../../support/model-server.ts';
import { commandLimitMs, User } from '../cli/cli-process.ts';

interface Message {
	readonly role: string;
	readonly content: string;
}

const MARK = /; result_read with id ([0-9a-f]{8}) and offset (\d+) reads on …\]/;
const call = (name: string, input: unknown): ScriptEntry => ({ toolCalls: [{ name, input }] });
const messagesOf = ({ body }: RecordedRequest) => body['messages'] as readonly Message[];
const lastOf = (request: RecordedRequest | undefined) =>
	request === undefined ? '' : (messagesOf(request).at(-1)?.content ?? '');
const toolsOf = ({ body }: RecordedRequest) =>
	(body['tools'] as readonly { readonly function: { readonly name: string } }[]).map((tool) => tool.function.name);
const threadIn = (stdout: string) => /"id":"(thr_[^"]+)"/.exec(stdout)?.[1] ?? '';

describe('prowess run', function () {
	this.timeout(commandLimitMs);
	let server: ModelServer | undefined;
	afterEach(async () => {
		await server?.close();
		server = undefined;
	});

	const lines = Array.from(
		{ length: 1_900 },
		(_, n) => `line ${n} of a file ${'that is longer than one result may be '.repeat(3)}`,
	);
	const secret = `ghp_${'a1B2'.repeat(9)}`;

	async function cutInAThread(user: User): Promise<{ thread: string; id: string; offset: number }> {
		user.writes('big.txt', [...lines.slice(0, 900), `token = ${secret}`, ...lines.slice(900)].join('\n'));
		server = await startModelServer([call('fs_read', { path: 'big.txt' }), { text: 'Read.' }]);
		const { stdout } = await user.prompts(server.baseUrl, 'Read it', ['--json']).ended;
		const [, id = '', offset = ''] = MARK.exec(lastOf(server.requests[1])) ?? [];
		assert.match(id, /^[0-9a-f]{8}$/, lastOf(server.requests[1]).slice(0, 300));
		await server.close();
		return { thread: threadIn(stdout), id, offset: Number(offset) };
	}

	async function readOn(user: User, id: string, offset: number, words: readonly string[]): Promise<string> {
		server = await startModelServer([call('result_read', { id, offset }), { text: 'Done.' }]);
		const { code, stderr } = await user.prompts(server.baseUrl, 'Go on', ['--json', ...words]).ended;
		assert.equal(code, 0, stderr);
		return lastOf(server.requests[1]);
	}

	it('reads on in no result of another thread', async () => {
		const user = new User();
		const { id } = await cutInAThread(user);
		assert.match(await readOn(user, id, 0, []), /^NOT_FOUND: this conversation has no result "/);
	});

	it('reads on where a result was cut, in a later process, and without the secrets in it', async () => {
		const user = new User();
		const { thread, id, offset } = await cutInAThread(user);
		const more = await readOn(user, id, offset, ['--thread', thread]);
		const [first = ''] = more.split('\n').slice(1);
		const number = Number(/\tline (\d+) /.exec(first)?.[1]);
		assert.ok(number > 10, first);
		assert.ok(more.includes(`\t${lines[number + 1]}\n`), 'the next line follows');
		let whole = more;
		for (let next = /goes on at offset (\d+)/.exec(more)?.[1]; next !== undefined && !whole.includes('token = ');) {
			await server?.close();
			const part = await readOn(user, id, Number(next), ['--thread', thread]);
			next = /goes on at offset (\d+)/.exec(part)?.[1];
			whole += part;
		}
		assert.match(whole, /token = <redacted/);
		assert.ok(!whole.includes(secret));
	});

	it('declares a rare tool once the model has looked for it, in later turns too, and runs it behind the gate', async () => {
		const user = new User();
		const database = new DatabaseSync(join(user.workspace, 'shop.db'));
		database.exec(`CREATE TABLE tea (name TEXT, price REAL); INSERT INTO tea VALUES ('Assam', 3.5)`);
		database.close();
		const change = { path: 'shop.db', statements: [{ sql: 'DELETE FROM tea' }] };
		server = await startModelServer([
			call('tool_search', { query: 'query a database' }),
			call('sql_query', { path: 'shop.db', sql: 'SELECT * FROM tea' }),
			call('sql_execute', change),
			{ text: 'Assam is 3.5.' },
			{ text: 'Nothing more.' },
			{ text: 'Another thread.' },
		]);
		const { stdout } = await user.prompts(server.baseUrl, 'What is there?', ['--json']).ended;
		const { requests } = server;
		const names = requests.map(toolsOf);
		assert.ok(!names[0]?.includes('sql_query'));
		assert.match(JSON.stringify(requests[0]?.body['tools']), /Look for a tool[^"]*sql_query/);
		assert.match(lastOf(requests[1]), /^You can call these now:\n- sql_query: /);
		// Declared tools stay in place: only the tools asked for are new, at the end.
		assert.deepEqual(names[1]?.slice(0, names[0]?.length), names[0]);
		assert.deepEqual(names[1]?.slice(names[0]?.length), ['sql_query', 'sql_execute']);
		assert.deepEqual([names[2], names[3]], [names[1], names[1]]);
		assert.equal(lastOf(requests[2]), 'name\tprice\nAssam\t3.5');
		assert.match(lastOf(requests[3]), /^(?:APPROVAL|DENIED)/, 'nobody was there to agree');
		await user.prompts(server.baseUrl, 'And?', ['--thread', threadIn(stdout)]).ended;
		assert.deepEqual(requests.slice(4).map(toolsOf), [names[1]]);
		await user.prompts(server.baseUrl, 'Hello there, who are you?', []).ended;
		assert.deepEqual(requests.slice(5).map(toolsOf), [names[0]]);
	});
});
