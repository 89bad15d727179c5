/** Skills with tools by the real command line: the examples in examples/skills, and what becomes of a killed host. */
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { CapabilityExecutionResult } from '../../../src/protocol/execution/execution.ts';
import { httpSite } from '../../support/http-site.ts';
import { LateBubblewrap } from '../../support/late-bubblewrap.ts';
import { startModelServer } from '../../support/model-server.ts';
import { processTree, waitUntilGone } from '../../support/processes.ts';
import { waitFor } from '../../support/wait-for.ts';
import { workerSandbox, workerSkills } from '../../support/worker-skills.ts';
import { commandLimitMs, User } from '../cli/cli-process.ts';

const examples = join(import.meta.dirname, '../../../examples/skills');
const python = workerSkills.find(({ runtime }) => runtime === 'python-worker');

describe('A skill with tools', function () {
	this.timeout(commandLimitMs);
	let user: User;
	const run = (name: string, tool: string, params: unknown, words: readonly string[] = []) =>
		user.runs([
			...['capability', 'run', name, '--tool', tool, '--params', JSON.stringify(params)],
			...['--trust', '--approve', 'full', '--json', ...words],
		]);
	const resultOf = ({ stdout }: { stdout: string }) => JSON.parse(stdout) as CapabilityExecutionResult;
	const needsPython = (context: Mocha.Context) => {
		if (python?.lack !== undefined) context.skip();
	};
	beforeEach(() => {
		user = new User();
		user.sets();
		cpSync(examples, join(user.workspace, '.prowess/capabilities/skill'), { recursive: true });
	});

	const isWorker = ({ commandLine }: { commandLine: string }) => /worker(\.mjs|\.py|\/main\.ts)/.test(commandLine);
	const workersOf = (host: { pid: number }) =>
		waitFor(
			'the worker',
			() => {
				const found = processTree(host.pid).filter(isWorker);
				return found.length > 0 && found;
			},
			commandLimitMs,
		);
	/** Makes the skill of `runtime`, and starts a host that runs one of its tools. */
	const starts = ({ runtime, file, text }: (typeof workerSkills)[number], tool: string) => {
		const folder = `.prowess/capabilities/skill/${runtime}`;
		user.writes(`${folder}/capability.yaml`, `name: ${runtime}\ntype: skill\nversion: 1.0.0\nruntime: ${runtime}\n`);
		user.writes(`${folder}/${file}`, text);
		return user.starts(['capability', 'run', runtime, '--tool', tool, '--trust', '--approve', 'full']);
	};

	it('is ended with its host, also when that is killed and the tool never looks up', async function () {
		for (const skill of workerSkills.filter(({ lack }) => lack === undefined)) {
			// Where nothing ends it with its parent, it has to notice the end of its input.
			const host = starts(skill, workerSandbox.bwrap === undefined ? 'waits' : 'spins');
			const workers = await workersOf(host);
			process.kill(host.pid, 'SIGKILL');
			await host.ended;
			await waitUntilGone(workers.map(({ pid }) => pid));
		}
	});

	it('runs no tool where its host is killed while its sandbox is being made', async function () {
		const { bwrap } = workerSandbox;
		if (bwrap === undefined) this.skip();
		const late = new LateBubblewrap(user.home, bwrap.file, ['*worker.mjs*', '*worker.py*', '*worker/main.ts*']);
		user.sets({ 'prowess.tools.bubblewrapPath': late.file });
		try {
			for (const skill of workerSkills.filter(({ lack }) => lack === undefined)) {
				const host = starts(skill, 'spins');
				const pids = await late.waiting(host.pid, commandLimitMs);
				process.kill(host.pid, 'SIGKILL');
				await host.ended;
				late.release();
				await waitUntilGone(pids);
				assert.ok(late.hasPassed);
			}
		} finally {
			late.dispose();
		}
	});

	it('is listed with its tools when it is validated and shown', async () => {
		const { stdout, code } = await user.runs(['capability', 'validate', join(examples, 'link-check')]);
		assert.equal(code, 0, stdout);
		assert.match(stdout, /^ {2}checkFile\(path: string\) {2}Checks the links of a Markdown file\.$/m);
		const shown = await user.runs(['capability', 'show', 'table-report', '--trust']);
		assert.match(shown.stdout, /run by +python-worker/);
		assert.match(shown.stdout, /tool +sample\(path: string, table: string, rows\?: number\) {2}Shows the first rows/);
	});

	it('is told which tools there are when none is named, and that others have none', async () => {
		const unnamed = await user.runs(['capability', 'run', 'link-check', '--trust', '--approve', 'full']);
		assert.match(unnamed.stderr, /say which tool is to run; it has: checkFile, check/);
		const other = await run('todo-report', 'x', {});
		assert.match(resultOf(other).error?.message ?? '', /todo-report has no tools/);
	});

	it('checks links over http, as link-check does', async () => {
		const site = await httpSite();
		try {
			const host = `127.0.0.1:${site.port}`;
			user.sets({ 'prowess.http.allowHosts': [host], 'prowess.approvals.allow': ['http.get *'] });
			user.writes('README.md', `[one](http://${host}/) [two](http://a.invalid/)\n`);
			const ended = await run('link-check', 'checkFile', { path: 'README.md' });
			const { result } = resultOf(ended) as { result: { checked: number; broken: { url: string }[] } };
			assert.equal(result.checked, 2, ended.stderr);
			assert.deepEqual(
				result.broken.map(({ url }) => url),
				['http://a.invalid/'],
				ended.stdout,
			);
			const { stdout: recorded } = await user.runs(['ledger', 'list']);
			assert.match(recorded, /Run skill link-check: checkFile as cap_/);
			assert.match(recorded, /Read README\.md {2}by skill\/link-check: checkFile {2}/);
		} finally {
			await site.close();
		}
	});

	it('counts rows with sql, as table-report does', async function () {
		needsPython(this);
		const database = new DatabaseSync(join(user.workspace, 'shop.db'));
		database.exec(`create table a (x); create table "b ""c" (y); insert into a values (1), (2)`);
		database.close();
		const counts = resultOf(await run('table-report', 'tables', { path: 'shop.db' }));
		assert.deepEqual(counts.result, { a: 2, 'b "c': 0 }, counts.error?.message);
		const sample = resultOf(await run('table-report', 'sample', { path: 'shop.db', table: 'a', rows: 1 }));
		assert.deepEqual(sample.result, [{ x: 1 }]);
	});

	it('runs as AgentOS has it, with a readme.md and a module alone, and its key never leaves the host but to its site', async function () {
		needsPython(this);
		const folder = '.prowess/capabilities/skill/exa';
		const front = '---\nid: exa\nname: Exa\ndescription: Searches\ncapabilities: [http, crypto]\n---\n';
		const site = await httpSite((_request, response) => {
			response.setHeader('content-type', 'application/json').end('{"results":[{"title":"One"}]}');
		});
		const host = `127.0.0.1:${site.port}`;
		user.writes(`${folder}/readme.md`, front);
		user.writes(
			`${folder}/exa-search.py`,
			`from agentos import client, connection, crypto, returns, secrets, timeout, web_search, provides, OpFailure

BASE = "http://${host}"
connection('api', base_url=BASE, auth={'type': 'api_key', 'header': {'x-api-key': '.auth.key'}})

@returns("result[]")
@provides(web_search)
@connection("api")
@timeout(60)
async def search(*, query: str, limit: int = 5, **params):
    """Searches the web."""
    key = params.get("auth", {}).get("key", "")
    answer = await client.post(BASE + "/search", json={"q": query, "n": limit}, headers={"x-api-key": key})
    return [each["title"] for each in answer["json"]["results"]]

async def digest(text: str):
    """Hashes a text."""
    return (await crypto.hash(data={"text": text}))["hex"]

async def key():
    try:
        return await secrets.get("k")
    except OpFailure as failure:
        return failure.code
`,
		);
		user.writes('.prowess/capabilities/notes/readme.md', '---\nid: notes\n---\n');
		try {
			user.sets({
				'prowess.http.allowHosts': [host],
				'prowess.approvals.allow': [`http.request ${host}`, `http.request exa-api@${host}`],
			});
			await user.runs(['secrets', 'set', 'exa-api'], { input: 'k-0123456789' });
			const found = await run('exa', 'search', { query: 'a' });
			assert.deepEqual(resultOf(found).result, ['One'], found.stdout);
			const [request, second] = site.received;
			assert.equal(second, undefined);
			assert.deepEqual([request?.headers['x-api-key'], request?.body], ['k-0123456789', '{"q": "a", "n": 5}']);
			const rows = await user.runs(['ledger', 'list', '--json', '--limit', '100']);
			assert.match(rows.stdout, /skill\/exa:search:http\.request/);
			assert.doesNotMatch(rows.stdout, /k-0123456789/);
		} finally {
			await site.close();
		}
		const { stdout: shown } = await user.runs(['capability', 'show', 'exa', '--trust']);
		assert.match(
			shown,
			/search\(query: string, limit\?: number, …\) +Searches the web\. Returns result\[\]\. Provides web_search\./,
		);
		assert.match(shown, /the connection api needs a key: store it as the secret exa-api/);
		const hashed = resultOf(await run('exa', 'digest', { text: 'a' }));
		assert.match(JSON.stringify(hashed.result ?? hashed.error), /^"[0-9a-f]{64}"$/);
		const refused = resultOf(await run('exa', 'key', {}));
		assert.match(JSON.stringify(refused.result ?? refused.error), /^"DENIED/);
		const { stdout } = await user.runs(['capability', 'list', '--trust']);
		assert.match(stdout, /^skill +exa +project .*Searches$/m);
		assert.doesNotMatch(stdout, /^\w+ +notes /m);
	});

	it('asks the model, as release-notes does', async function () {
		needsPython(this);
		user.writes('CHANGELOG.md', '# Changes\n\n## 2.0.0\n\n- Faster\n\n## 1.0.0\n\n- First\n');
		const alone = resultOf(await run('release-notes', 'title', {}));
		assert.equal(alone.result, '2.0.0', alone.error?.message);
		const model = await startModelServer([{ text: 'It is faster.' }]);
		try {
			const named = ['--provider', 'openai-compatible', '--base-url', model.baseUrl, '--model', 'scripted'];
			const { result, error } = resultOf(await run('release-notes', 'notes', {}, named));
			assert.equal((result as { notes?: string } | undefined)?.notes, 'It is faster.', error?.message);
			assert.doesNotMatch(JSON.stringify(model.requests), /First/);
		} finally {
			await model.close();
		}
	});
});
