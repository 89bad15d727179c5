/** Programs of the user before and after ops, from the settings of the command line to what the model reads. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LedgerRow } from '../../src/protocol/ledger.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { bubblewrap } from '../support/sandbox-scene.ts';
import { commandLimitMs, User } from './cli-process.ts';

describe('Hooks of the command line', function () {
	this.timeout(commandLimitMs);
	let user: User;
	let server: ModelServer;

	beforeEach(async () => {
		user = new User();
		mkdirSync(user.home);
		const write = { name: 'fs_write', input: { path: 'made.txt', content: 'made' } };
		server = await startModelServer([{ toolCalls: [write] }, { text: 'Well.' }]);
	});
	afterEach(async () => {
		await server.close();
	});

	function hook(when: string, ops: string, script: string, sandbox = false): object {
		const file = join(user.root, `${when}.mjs`);
		writeFileSync(file, `import { readFileSync, writeFileSync } from 'node:fs';\n${script}`);
		return { when, ops, run: [process.execPath, file], sandbox };
	}
	async function runsWith(...hooks: object[]): Promise<LedgerRow[]> {
		writeFileSync(
			join(user.home, 'settings.json'),
			JSON.stringify({ 'prowess.hooks': hooks, 'prowess.tools.bubblewrapPath': bubblewrap ?? '' }),
		);
		const { code, stderr } = await user.prompts(server.baseUrl, 'write', ['--approve', 'auto', '--json']).ended;
		assert.equal(code, 0, stderr);
		const { stdout } = await user.runs(['ledger', 'list', '--json', '--op', 'fs.write']);
		return JSON.parse(stdout) as LedgerRow[];
	}

	it('keep an op from being done, and the model reads why', async () => {
		const rows = await runsWith(hook('before', 'fs.*', 'console.error("the tree is frozen"); process.exit(2);'));
		assert.equal(existsSync(join(user.workspace, 'made.txt')), false);
		assert.match(server.requests[1]?.text ?? '', /a hook refuses fs\.write: the tree is frozen/);
		assert.deepEqual(
			rows.map(({ kind }) => kind),
			['denial'],
		);
	});

	it('read in a sandbox what they judge, and reach nothing else', async function () {
		if (bubblewrap === undefined) this.skip();
		const [own, workspace] = [join(user.home, 'settings.json'), join(user.workspace, 'planted.txt')];
		const script = `
			const { op } = JSON.parse(readFileSync(0, 'utf8'));
			const kept = (act) => { try { act(); return 'let'; } catch { return 'kept'; } };
			const reads = kept(() => readFileSync(${JSON.stringify(own)}));
			const writes = kept(() => writeFileSync(${JSON.stringify(workspace)}, ''));
			console.error([op, reads, writes, process.ppid].join(' '));
			process.exit(2);`;
		await runsWith(hook('before', 'fs.write', script, true));
		assert.match(server.requests[1]?.text ?? '', /a hook refuses fs\.write: fs\.write kept kept 1\b/);
		assert.equal(existsSync(workspace), false);
	});

	it('refuse what they cannot judge: a typing error in the settings lets nothing through', async () => {
		await runsWith({ when: 'befor', run: ['true'] });
		assert.equal(existsSync(join(user.workspace, 'made.txt')), false);
		assert.match(server.requests[1]?.text ?? '', /prowess\.hooks, entry 1/);
	});

	it('see what is done, and hear of its end before the command ends', async () => {
		const heard = join(user.root, 'heard.json');
		const script = `writeFileSync(${JSON.stringify(heard)}, readFileSync(0, 'utf8'));`;
		const rows = await runsWith(hook('before', '*', ''), hook('after', 'fs.write', script));
		assert.equal(readFileSync(join(user.workspace, 'made.txt'), 'utf8'), 'made');
		const told = JSON.parse(readFileSync(heard, 'utf8')) as { opId: string; op: string; status: string };
		assert.partialDeepStrictEqual(told, { op: 'fs.write', status: 'done', caller: { kind: 'agent' } });
		assert.deepEqual(
			rows.map(({ kind, opId }) => [kind, opId]),
			[
				['outcome', told.opId],
				['intent', told.opId],
			],
		);
	});
});
