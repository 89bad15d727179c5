/** Ops of each topic that tools of both kinds of workers ask for, by the real command line: what each gets, and what is recorded of it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { CapabilityExecutionResult } from '../../../src/protocol/execution/execution.ts';
import type { LedgerRow } from '../../../src/protocol/approvals/ledger.ts';
import { canonicalOp } from '../../../src/protocol/op-table/ops.ts';
import { httpSite } from '../../support/http-site.ts';
import { startModelServer } from '../../support/model-server.ts';
import { workerSkills } from '../../support/worker-skills.ts';
import { commandLimitMs, User } from '../cli/cli-process.ts';

const PLIST = '<?xml version="1.0"?><plist version="1.0"><dict><key>a</key><integer>1</integer></dict></plist>';
const JAVASCRIPT = `import { op, progress } from '@prowess/sdk';
export async function each({ asked }) {
	await progress.report('asking');
	const ended = [];
	for (const { op: name, params } of asked) {
		ended.push(await op(name, params).then(() => 'done', (failure) => failure.code));
	}
	return ended;
}
`;
const PYTHON = `from prowess import op, progress, OpFailure

async def each(asked: list) -> list:
    await progress.report("asking")
    ended = []
    for one in asked:
        try:
            await op(one["op"], one["params"])
            ended.append("done")
        except OpFailure as failure:
            ended.append(failure.code)
    return ended
`;
const PERMISSIONS = ['workspace.read', 'workspace.write', 'shell', 'http', 'database', 'llm', 'crypto', 'capabilities'];

for (const { runtime, file, lack } of workerSkills) {
	describe(`A tool of a ${runtime}`, function () {
		this.timeout(commandLimitMs);
		let user: User;

		before(function () {
			if (lack !== undefined) this.skip();
		});
		beforeEach(() => {
			user = new User();
			user.sets();
			user.writes('a.txt', 'one\n');
			user.writes('a.plist', PLIST);
			const database = new DatabaseSync(join(user.workspace, 'a.db'));
			database.exec('create table a (x)');
			database.close();
		});

		async function asks(permissions: readonly string[], asked: readonly object[], words: readonly string[] = []) {
			const folder = '.prowess/capabilities/skill/asking';
			const manifest = `name: asking\ntype: skill\nversion: 1.0.0\nruntime: ${runtime}\nlevel: RESTRICTED\n`;
			user.writes(`${folder}/capability.yaml`, `${manifest}permissions: [${permissions.join(', ')}]\n`);
			user.writes(`${folder}/${file}`, runtime === 'node-worker' ? JAVASCRIPT : PYTHON);
			const { stdout, stderr } = await user.runs([
				...['capability', 'run', 'asking', '--tool', 'each', '--params', JSON.stringify({ asked })],
				...['--trust', '--approve', 'full', '--json', ...words],
			]);
			const { result, error } = JSON.parse(stdout) as CapabilityExecutionResult;
			const list = await user.runs(['ledger', 'list', '--json', '--limit', '100']);
			const rows = (JSON.parse(list.stdout) as LedgerRow[]).filter(({ trigger }) =>
				trigger.startsWith('skill/asking:each:'),
			);
			return { ended: result as readonly string[], rows, why: `${error?.message ?? ''}${stderr}` };
		}

		const local = [
			{ op: 'fs.read', params: { path: 'a.txt' } },
			{ op: 'sql.query', params: { path: 'a.db', sql: 'select * from a' } },
			{ op: 'shell.run', params: { argv: ['true'] } },
			{ op: 'plist.parse', params: { path: 'a.plist' } },
			{ op: 'crypto.hash', params: { data: { text: 'a' } } },
			{ op: 'cookie.clear', params: {} },
			{ op: 'http.session_open', params: {} },
			{ op: 'llm.resolve_tools', params: { tools: ['fs.read', 'sql_query'] } },
			{ op: 'services.list_providers', params: { name: 'weather' } },
		];

		it('that has no permission is denied each op that needs one, and each denial is a row of its own (S4-12, S4-18)', async () => {
			const needing = local.filter(({ op }) => op !== 'crypto.hash');
			const { ended, rows, why } = await asks([], needing);
			assert.deepEqual(new Set(ended), new Set(['DENIED_BY_RULE']), why);
			assert.deepEqual(
				rows
					.filter(({ kind }) => kind === 'denial')
					.map(({ op }) => op)
					.sort(),
				needing.map(({ op }) => canonicalOp(op)).sort(),
			);
			// To tell of its progress, it needs none.
			assert.ok(rows.some(({ kind, op }) => kind === 'outcome' && op === 'progress.report'));
		});

		it('has each topic of the SDK, and each op is an intent and an outcome in its name (S4-15, S4-16, S4-18)', async () => {
			const [site, model] = [await httpSite(), await startModelServer(() => ({ text: 'Hello.' }))];
			try {
				const host = `127.0.0.1:${site.port}`;
				user.sets({ 'prowess.http.allowHosts': [host], 'prowess.approvals.allow': ['http.get *', 'llm.chat *'] });
				const asked = [
					...local,
					{ op: 'http.get', params: { url: `http://${host}/` } },
					{ op: 'llm.chat', params: { messages: [{ role: 'user', content: 'Hi' }] } },
				];
				const named = ['--provider', 'openai-compatible', '--base-url', model.baseUrl, '--model', 'scripted'];
				const { ended, rows, why } = await asks(PERMISSIONS, asked, named);
				assert.deepEqual(
					ended,
					asked.map(() => 'done'),
					why,
				);
				for (const { op } of asked) {
					const of = rows.filter((row) => row.op === canonicalOp(op));
					assert.deepEqual(of.map(({ kind }) => kind).sort(), ['intent', 'outcome'], op);
				}
			} finally {
				await Promise.all([site.close(), model.close()]);
			}
		});
	});
}
