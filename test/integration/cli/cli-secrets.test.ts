import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { processTree } from '../../support/processes.ts';
import { commandLimitMs, eventsOf, User } from './cli-process.ts';

/** Looks like no key of a known family: it is recognised because it was registered, not by its form. */
const canary = 'Canary/7f3a+x9!qZ2mW8vB4nK6tY1rL5pD0sE?&u';

const encodings: Readonly<Record<string, string>> = {
	plain: canary,
	base64: Buffer.from(canary).toString('base64'),
	base64url: Buffer.from(canary).toString('base64url'),
	hex: Buffer.from(canary).toString('hex'),
	percent: encodeURIComponent(canary),
	form: new URLSearchParams([['', canary]]).toString().slice(1),
};

/** Prints what it finds of keys: its environment, and each encoding of the text it is given through a file. */
const leaky = `
	const text = require('node:fs').readFileSync('note.txt', 'utf8').trim();
	console.log(JSON.stringify(process.env));
	console.log(text, Buffer.from(text).toString('base64'), Buffer.from(text).toString('base64url'));
	console.log(Buffer.from(text).toString('hex'), encodeURIComponent(text));
	console.error(new URLSearchParams([['', text]]).toString(), Buffer.from('user:' + text).toString('base64'));
`;

/** Each encoding of the key in each of the places, as `encoding in place`. */
function findingsIn(places: Iterable<readonly [string, string]>): string[] {
	return [...places].flatMap(([place, text]) =>
		Object.entries(encodings)
			.filter(([, value]) => text.includes(value) || text.includes(JSON.stringify(value).slice(1, -1)))
			.map(([encoding]) => `${encoding} in ${place}`),
	);
}

function filesBelow(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true, recursive: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name));
}

describe('prowess: keys', function () {
	this.timeout(commandLimitMs);
	let server: ModelServer;
	afterEach(async () => {
		await server.close();
	});

	it('are sent to their provider and found nowhere else, in no encoding', async () => {
		const user = new User();
		user.writes('note.txt', `${canary}\n`);
		user.writes('leaky.cjs', leaky);
		server = await startModelServer([
			{
				toolCalls: [
					{ name: 'fs_read', input: { path: 'note.txt' } },
					{ name: 'shell_run', input: { argv: ['node', 'leaky.cjs'] } },
				],
			},
			{ toolCalls: [{ name: 'fs_write', input: { path: 'copy.txt', content: 'found it' } }] },
			{ text: 'I have not seen it.' },
		]);
		const result = await user.promptsApart(
			server.baseUrl,
			'find the key',
			['--approve', 'auto', '--json', '--verbose'],
			{
				env: { PROWESS_API_KEY: canary },
			},
		).ended;
		assert.equal(result.code, 0, result.stderr);
		assert.equal(server.requests[0]?.headers.authorization, `Bearer ${canary}`);

		const files = filesBelow(user.home).map((path) => [path, readFileSync(path).toString('latin1')] as const);
		const bodies = server.requests.map(({ text }, n) => [`the body of request ${n + 1}`, text] as const);
		const streams = [['standard output', result.stdout] as const, ['standard error', result.stderr] as const];
		assert.deepEqual(findingsIn([...streams, ...bodies, ...files]), []);
	});

	it('never leave with what the user says or a model calls, in no encoding, whatever the flags', async () => {
		const user = new User();
		const all = Object.values(encodings).join(' ');
		server = await startModelServer([
			{
				toolCalls: [
					{ name: 'fs_write', input: { path: 'copy.txt', content: `it is ${all}` } },
					{ name: 'shell_run', input: { argv: ['echo', canary] } },
					{ name: 'no_such_tool', input: { [canary]: canary } },
					{ name: 'fs_read', input: `{"path": "${all}` },
				],
			},
			{ text: 'I have not seen it.' },
		]);
		const options = {
			env: { PROWESS_API_KEY: canary },
			input: `the key is ${all}, JSON: ${JSON.stringify({ key: canary })}`,
		};
		const flags = ['--approve', 'auto', '--json', '--verbose', '--keep-secrets'];
		const result = await user.promptsApart(server.baseUrl, '-', flags, options).ended;
		assert.equal(result.code, 0, result.stderr);
		assert.match(
			result.stderr,
			/^prowess: \d+ stored keys were removed from the prompt\. Stored keys are never sent\.$/mu,
		);
		assert.equal(readFileSync(join(user.workspace, 'copy.txt'), 'utf8'), `it is ${all}`);

		const threadId = eventsOf(result).find((event) => event.type === 'thread.changed')?.info.id ?? '';
		const renamed = await user.runsApart(['thread', 'rename', threadId, `About ${canary}`], { env: options.env });
		assert.equal(renamed.code, 0, renamed.stderr);
		const exported = await user.runs(['thread', 'export', threadId, '--format', 'json']);
		assert.equal(exported.code, 0, exported.stderr);
		const files = filesBelow(user.home).map((path) => [path, readFileSync(path).toString('latin1')] as const);
		const bodies = server.requests.map(({ text }, n) => [`the body of request ${n + 1}`, text] as const);
		const places = [
			['standard output', result.stdout] as const,
			['standard error', result.stderr] as const,
			['the export', exported.stdout] as const,
		];
		assert.equal(bodies.length, 2);
		assert.deepEqual(findingsIn([...places, ...bodies, ...files]), []);
	});

	it('that only look like keys are removed from a prompt, which is said, unless the user wants them sent', async () => {
		const user = new User();
		const alike = `ghp_${'a1B2c3'.repeat(6)}`;
		server = await startModelServer([{ text: 'Hi.' }, { text: 'Hi.' }]);
		const removed = await user.prompts(server.baseUrl, `use ${alike} here`).ended;
		assert.deepEqual([removed.code, server.requests[0]?.text.includes(alike)], [0, false], removed.stderr);
		assert.match(server.requests[0]?.text ?? '', /use <redacted:[a-z-]+> here/u);
		const said = 'prowess: 1 key was removed from the prompt. To send the prompt as it is, add --keep-secrets.\n';
		assert.equal(removed.stderr, said);
		const kept = await user.prompts(server.baseUrl, `use ${alike} here`, ['--keep-secrets']).ended;
		assert.deepEqual([kept.code, kept.stderr, server.requests[1]?.text.includes(alike)], [0, '', true]);
	});

	it('are not shown or kept when the provider repeats them in its refusal', async () => {
		const user = new User();
		server = await startModelServer(() => ({ error: 401, message: `no such key: ${canary}` }));
		const env = { PROWESS_API_KEY: canary };
		const text = await user.promptsApart(server.baseUrl, 'x', ['--verbose'], { env }).ended;
		const json = await user.promptsApart(server.baseUrl, 'x', ['--json'], { env }).ended;
		const files = filesBelow(user.home).map((path) => [path, readFileSync(path).toString('latin1')] as const);
		assert.deepEqual([text.code, json.code], [1, 1]);
		assert.deepEqual(
			findingsIn([
				['standard error', text.stderr],
				['standard output', json.stdout],
				['standard error of --json', json.stderr],
				...files,
			]),
			[],
		);
	});

	it('are in the environment of no child: neither the server nor a command', async () => {
		const user = new User();
		const keys = Object.fromEntries(
			['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GOOGLE_API_KEY', 'PROWESS_API_KEY'].map((name) => [
				name,
				`${name}-${canary}`,
			]),
		);
		user.writes('env.cjs', "require('node:fs').writeFileSync('env.json', JSON.stringify(process.env))");
		server = await startModelServer([
			{ toolCalls: [{ name: 'shell_run', input: { argv: ['node', 'env.cjs'], needs: { noSandbox: true } } }] },
			{ chunks: ['Begun'], then: 'stall' },
		]);
		const cli = user.promptsApart(server.baseUrl, 'x', ['--approve', 'full'], { env: { ...keys, MY_TOKEN: canary } });
		await cli.hasPrinted('Begun');
		const children = processTree(cli.pid).filter(({ pid }) => pid !== cli.pid);
		const environments = children.map(({ pid }) => readFileSync(`/proc/${pid}/environ`, 'utf8'));
		cli.child.kill('SIGINT');
		await cli.ended;
		// The server, and the guard that ends commands.
		assert.equal(environments.length, 2);
		assert.ok(!environments.join().includes(canary));
		assert.ok(!readFileSync(join(user.workspace, 'env.json'), 'utf8').includes('API_KEY'));
	});

	it('go to no provider but their own', async () => {
		const user = new User();
		server = await startModelServer([{ text: 'Hi.' }]);
		const env = { OPENAI_API_KEY: canary, ANTHROPIC_API_KEY: canary, GOOGLE_API_KEY: canary };
		const result = await user.promptsApart(server.baseUrl, 'x', [], { env }).ended;
		assert.equal(result.code, 0, result.stderr);
		assert.equal(JSON.stringify(server.requests[0]?.headers).includes(canary), false);
	});

	it('are not taken from a .env of the workspace, nor is anything else', async () => {
		const user = new User();
		user.writes('.env', `PROWESS_API_KEY=${canary}\nPROWESS_HOME=./evil\nNODE_OPTIONS=--require=./evil.cjs\n`);
		user.writes('evil.cjs', "require('node:fs').writeFileSync('was-here', '')");
		server = await startModelServer([{ text: 'Hi.' }]);
		const result = await user.prompts(server.baseUrl, 'x').ended;
		assert.equal(result.code, 0, result.stderr);
		assert.equal(JSON.stringify(server.requests[0]?.headers).includes(canary), false);
		assert.deepEqual(readdirSync(user.workspace).sort(), ['.env', 'evil.cjs']);
	});
});
