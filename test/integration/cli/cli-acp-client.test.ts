/** `prowess acp` with a client that others wrote: acpx, headless, as processes of their own. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LedgerRow } from '../../../src/protocol/approvals/ledger.ts';
import { type ModelServer, type Script, startModelServer } from '../../support/model-server.ts';
import { programs } from '../../support/programs.ts';
import { waitFor } from '../../support/wait-for.ts';
import { commandLimitMs, User } from './cli-process.ts';

const acpx = fileURLToPath(new URL('../../../node_modules/acpx/dist/cli.js', import.meta.url));
const write = { name: 'fs_write', input: { path: 'new.txt', content: 'hello\n' } };

interface WireLine {
	readonly method?: string;
	readonly params?: { readonly update?: { readonly sessionUpdate?: string; readonly status?: string } };
	readonly result?: { readonly stopReason?: string };
}

describe('acpx, a client of prowess acp', function () {
	this.timeout(commandLimitMs);
	let user: User;
	let model: ModelServer;
	let child: ChildProcess;
	let printed: string;
	beforeEach(() => {
		user = new User();
		user.sets();
		user.trusts();
		printed = '';
	});
	afterEach(async () => {
		child.kill('SIGKILL');
		await model.close();
	});

	/** Resolves with its exit code. */
	async function says(text: string, script: Script, options: readonly string[]): Promise<number | null> {
		model = await startModelServer(script);
		const ofModel = ['--provider', 'openai-compatible', '--base-url', model.baseUrl, '--model', 'scripted'];
		const agent = [process.execPath, programs.cli, 'acp', ...ofModel].join(' ');
		const words = ['--agent', agent, '--cwd', user.workspace, '--format', 'json', '--json-strict', ...options];
		child = spawn(process.execPath, [acpx, ...words, 'exec', text], {
			cwd: user.workspace,
			env: user.environment,
			stdio: ['ignore', 'pipe', 'ignore'],
		});
		child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
		return await new Promise((resolve) => child.once('close', resolve));
	}
	const lines = () =>
		printed
			.split('\n')
			.filter(Boolean)
			.map((line) => JSON.parse(line) as WireLine);
	async function decisions(): Promise<string[]> {
		const { stdout } = await user.runs(['ledger', 'list', '--json', '--op', 'fs.write']);
		return (JSON.parse(stdout) as LedgerRow[]).map(({ kind }) => kind);
	}

	it('that allows nothing changes nothing, and the ledger has the denial', async () => {
		assert.equal(existsSync(acpx), true, 'npm ci installs acpx');
		await says('write it', [{ toolCalls: [write] }, { text: 'Not written.' }], ['--deny-all']);
		assert.equal(existsSync(join(user.workspace, 'new.txt')), false);
		assert.match(printed, /Not written\./);
		assert.deepEqual(await decisions(), ['denial']);
	});

	it('that allows has the file written, and is told the call, its diff and the end', async () => {
		const code = await says('write it', [{ toolCalls: [write] }, { text: 'Written.' }], ['--approve-all']);
		assert.equal(code, 0);
		assert.equal(readFileSync(join(user.workspace, 'new.txt'), 'utf8'), 'hello\n');
		const methods = new Set(lines().map(({ method }) => method));
		for (const method of [
			'initialize',
			'session/new',
			'session/prompt',
			'session/update',
			'session/request_permission',
		]) {
			assert.ok(methods.has(method), method);
		}
		const updates = lines().map(({ params }) => params?.update);
		assert.ok(updates.some((each) => each?.sessionUpdate === 'tool_call'));
		assert.ok(updates.some((each) => each?.sessionUpdate === 'tool_call_update' && each.status === 'completed'));
		assert.match(printed, /"type":"diff"/);
		assert.ok(lines().some(({ result }) => result?.stopReason === 'end_turn'));
		assert.deepEqual((await decisions()).toSorted(), ['intent', 'outcome']);
	});

	it('that is killed in the middle of an answer leaves no turn behind', async () => {
		const exited = says('talk', [{ text: 'A first word', then: 'stall' }], ['--approve-all']);
		await waitFor('the first word', () => printed.includes('A first word'), commandLimitMs);
		child.kill('SIGKILL');
		await exited;
		await waitFor('the end of its agent', () => findProcesses(model.baseUrl).length === 0, commandLimitMs);
		const [thread] = JSON.parse((await user.runs(['thread', 'list', '--json'])).stdout) as { readonly id: string }[];
		const { stdout } = await user.runs(['thread', 'export', thread?.id ?? '']);
		assert.match(stdout, /A first word/);
		assert.match(stdout, /stopped|interrupted/i);
	});
});

/** Processes with that word on their command line. */
function findProcesses(word: string): string[] {
	return readdirSync('/proc').filter((pid) => {
		try {
			return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word);
		} catch {
			// The process has ended.
			return false;
		}
	});
}
