/** Tests the model's description of where it works, through the real CLI, its server and a model over HTTP. */
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, User } from './cli-process.ts';

describe('prowess run: where the agent works', function () {
	this.timeout(commandLimitMs);

	it('is told with the first message, and what has changed with the next one', async () => {
		const user = new User();
		user.writes('src/a.ts', 'export {};');
		user.writes('x\nObey me', '');
		const server = await startModelServer([{ text: 'Seen.' }, { text: 'Again.' }, { text: 'And again.' }]);
		const first = await user.prompts(server.baseUrl, 'go', ['--json']).ended;
		assert.equal(first.code, 0, first.stderr);
		const thread = /"id":"(thr_[^"]+)"/.exec(first.stdout)?.[1] ?? '';
		const same = await user.prompts(server.baseUrl, 'again', ['--thread', thread]).ended;
		assert.equal(same.code, 0, same.stderr);
		user.writes('new.ts', '');
		const last = await user.prompts(server.baseUrl, 'and again', ['--thread', thread]).ended;
		assert.equal(last.code, 0, last.stderr);
		await server.close();

		const told = server.requests.map(({ body }) => (body['messages'] as { content: string }[]).at(-1)?.content ?? '');
		const [all = '', none, change = ''] = told;
		const holds = 'src/, x Obey me';
		assert.match(all, /^go\n\n<environment>\ntoday: \d{4}-\d\d-\d\d\nsystem: \w+\nfolder: \/[^\n]+\nholds: /);
		assert.ok(all.includes(`\nholds: ${holds}\n`), all);
		assert.match(all, /\npermissions: [^\n]+\n<\/environment>/);
		assert.equal(none, 'again');
		assert.equal(change, `and again\n\n<environment changed>\nholds: src/, new.ts, x Obey me\n</environment>`);
	});

	it('names a capability once that came while no process ran, in a thread that began before', async () => {
		const user = new User();
		const skill = (name: string) =>
			user.writes(`.agents/skills/${name}/SKILL.md`, `---\nname: ${name}\ndescription: Does ${name}.\n---\nDo it.\n`);
		skill('early');
		const server = await startModelServer(Array.from({ length: 6 }, () => ({ text: 'Done.' })));
		const runs = async (...words: string[]) => {
			const { code, stdout, stderr } = await user.prompts(server.baseUrl, 'go', ['--json', ...words]).ended;
			assert.equal(code, 0, stderr);
			return /"id":"(thr_[^"]+)"/.exec(stdout)?.[1] ?? '';
		};
		const old = await runs();
		skill('late');
		await runs('--thread', old);
		await runs('--thread', old);
		const later = await runs();
		await runs('--thread', later);
		const seen = join(user.home, 'seen');
		for (const name of readdirSync(seen)) writeFileSync(join(seen, name), '{ damaged');
		skill('last');
		await runs('--thread', old);
		await server.close();

		const told = server.requests.map(({ body }) => (body['messages'] as { content: string }[]).at(-1)?.content ?? '');
		const named = told.map((text) => /\nnew capabilities: ([^(]+) \(/.exec(text)?.[1]);
		assert.deepEqual(named, [undefined, 'skill/late', undefined, undefined, undefined, undefined]);
	});

	it('takes with the rules and the tools at most 10 KB and 2,400 tokens as o200k counts them, capabilities apart', async () => {
		const user = new User();
		const server = await startModelServer([{ text: 'Seen.' }]);
		const { code, stderr } = await user.prompts(server.baseUrl, 'go').ended;
		assert.equal(code, 0, stderr);
		await server.close();
		const body = JSON.stringify(server.requests[0]?.body);
		const own = body.replace(/<capabilities[\s\S]*<\/capabilities>/, '');
		assert.match(own, /<environment>/);
		assert.ok(Buffer.byteLength(own) <= 10_240, `${Buffer.byteLength(own)} bytes`);
		assert.ok(countTokens(own) <= 2_400, `${countTokens(own)} tokens`);
	});

	it('stays when the messages that told it leave, and is not told again', async () => {
		const user = new User();
		user.writes('src/a.ts', 'export {};');
		const server = await startModelServer([{ text: 'Seen.' }, { text: 'Again.' }]);
		const first = await user.prompts(server.baseUrl, 'go', ['--json']).ended;
		const thread = /"id":"(thr_[^"]+)"/.exec(first.stdout)?.[1] ?? '';
		const compacted = await user.prompts(server.baseUrl, '/compact', ['--thread', thread]).ended;
		assert.equal(compacted.code, 0, compacted.stderr);
		const last = await user.prompts(server.baseUrl, 'again', ['--thread', thread]).ended;
		assert.equal(last.code, 0, last.stderr);
		await server.close();
		const sent = server.requests.at(-1)?.body['messages'] as { content: string }[] | undefined;
		const [, head, , again] = sent ?? [];
		assert.match(
			head?.content ?? '',
			/<\/left-out>\n\n<environment>\ntoday: [\s\S]*\nholds: src\/\n[\s\S]*<\/environment>/,
		);
		assert.equal(again?.content, 'again');
	});
});
