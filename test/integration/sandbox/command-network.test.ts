/** Hosts that sandboxed commands reach, through the whole broker: real commands in real namespaces, and real sites. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Broker } from '../../../src/trust/broker/broker.ts';
import { findWork } from '../../../src/trust/broker/work-of.ts';
import type { Caller } from '../../../src/contract/ops/caller.ts';
import { PersonDesk } from '../../../src/trust/gate/approvals/desk.ts';
import { CommandSandbox } from '../../../src/machine/sandbox/command-sandbox.ts';
import { SandboxNetworks } from '../../../src/machine/sandbox/network/sandbox-networks.ts';
import { CommandRunner } from '../../../src/machine/shell/command-runner.ts';
import { CommandConnections } from '../../../src/ops/commands/command-connections.ts';
import { Redactor } from '../../../src/trust/record/redaction/redactor.ts';
import type { Approval, ApprovalAnswer } from '../../../src/protocol/approvals/approvals.ts';
import type { OpOutcome, OpProgress } from '../../../src/protocol/turn/broker.ts';
import { newId } from '../../../src/protocol/rpc/ids.ts';
import type { CommandState } from '../../../src/protocol/ops/definitions/commands/shell.ts';
import { testHost, type TestHostOptions } from '../../support/host-ports.ts';
import { type HttpSite, httpSite } from '../../support/http-site.ts';
import { MemoryLedger } from '../../support/memory-ledger.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { bubblewrap, networkListener } from '../../support/sandbox-scene.ts';
import { waitFor } from '../../support/wait-for.ts';
import { workspaceOnDisk } from '../../support/workspace-on-disk.ts';

const bwrap = bubblewrap ?? '';
const never = new AbortController().signal;

/** Packs the files like `npm pack` does. */
function packed(files: Readonly<Record<string, string>>): Buffer {
	const folder = tempDir('packed');
	mkdirSync(join(folder, 'package'));
	for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
	return execFileSync('tar', ['-czf', '-', '-C', folder, 'package']);
}

interface SceneOptions extends TestHostOptions {
	/** To what is asked, the command itself aside, which is always allowed. */
	readonly answer?: (approval: Approval) => Promise<ApprovalAnswer>;
}

describe('A sandboxed command that asks for a host', function () {
	this.timeout(60_000);
	const closing: (() => Promise<unknown>)[] = [];
	let site: HttpSite;

	before(function () {
		if (bubblewrap === undefined) this.skip();
	});
	beforeEach(async () => {
		site = await httpSite(({ path }, response) => response.end(`answer to ${path}`));
		closing.push(() => site.close());
	});
	afterEach(async () => {
		for (const close of closing.splice(0).toReversed()) await close();
	});

	async function start({ answer = () => Promise.resolve({ kind: 'once' }), ...options }: SceneOptions = {}) {
		const asked: Approval[] = [];
		const root = realpathSync(tempDir('workspace'));
		const host = testHost({
			person: {
				approve(approval) {
					if (approval.op === 'shell.run') return Promise.resolve({ kind: 'once' });
					asked.push(approval);
					return answer(approval);
				},
			},
			...options,
			settings: {
				'prowess.http.allowHosts': [`site.test:${site.port}`, `other.test:${site.port}`],
				'prowess.approvals.allow': ['shell.run *'],
				...options.settings,
			},
		});
		const redactor = new Redactor();
		const ledger = new MemoryLedger();
		const sandbox = new CommandSandbox({
			home: host.home,
			folders: () => [disk.root],
			bubblewrapCandidates: () => [bwrap],
			networks: new SandboxNetworks({ listener: networkListener, onUnusable: (error) => assert.fail(String(error)) }),
		});
		const commands = new CommandRunner({ PATH: process.env['PATH'], HOME: tempDir('user-home') }, sandbox);
		closing.push(() => commands.close());
		const disk = await workspaceOnDisk(
			{},
			{
				commands,
				connections: new CommandConnections((...call) => broker.perform(...call)),
				http: {
					allowedHosts: () => host.ports.settings.current['prowess.http.allowHosts'],
					resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
				},
			},
		);
		closing.push(() => disk.close());
		const desk = new PersonDesk({
			person: host.ports.person,
			timeoutMs: () => 20_000,
			isUnattended: () => host.ports.approvalMode !== 'ask',
			onPortFailure: () => {},
		});
		const broker = new Broker({
			workOf: (op) => findWork(disk.ops, op),
			ports: host.ports,
			ledger,
			redactor,
			desk,
		});
		closing.push(() => broker.close());
		const agent: Caller = { kind: 'agent', threadId: newId('thr'), turnId: newId('trn') };
		const progress: OpProgress[] = [];
		const perform = (params: object, caller: Caller = agent, signal = never): Promise<OpOutcome> =>
			broker.perform(
				{ opId: newId('op'), op: 'shell.run', params },
				{ caller, onProgress: (each) => void progress.push(each) },
				signal,
			);
		const run = async (...argv: readonly string[]) => stateOf(await perform({ argv }));
		return { asked, host, ledger, broker, desk, agent, progress, perform, run, root: disk.root, home: root };
	}

	function stateOf(outcome: OpOutcome): CommandState {
		assert.equal(outcome.status, 'done', JSON.stringify(outcome));
		return outcome.result as CommandState;
	}

	const url = (name = 'site.test', path = '/a') => `http://${name}:${site.port}${path}`;

	it('asks the person for it by name, once for all its connections, and records what went', async () => {
		const { run, asked, ledger, progress } = await start();
		const state = await run('curl', '-sS', url(), url());
		assert.equal(state.output, 'answer to /a'.repeat(2));
		const [approval, ...others] = asked;
		assert.deepEqual([approval?.op, others], ['net.connect', []]);
		assert.match(approval?.title ?? '', new RegExp(`^Connect to site\\.test:${site.port} \\(for curl -sS`));
		assert.equal(approval?.pattern, `net.connect site.test:${site.port}`);
		assert.ok(progress.some(({ kind }) => kind === 'waiting'));
		const ofConnection = () => ledger.rows.filter(({ op }) => op === 'net.connect');
		await waitFor('its outcome', () => ofConnection().length === 2);
		assert.match(ofConnection()[1]?.output ?? '', /^2 connections, \d+ bytes sent, \d+ received$/);
		assert.match(ofConnection()[0]?.decision ?? '', /^approved by the user once/);
	});

	it('asks nobody where a rule names the host', async () => {
		const settings = { 'prowess.approvals.allow': ['shell.run *', `net.connect *.test:${site.port}`] };
		const { run, asked } = await start({ settings });
		assert.equal((await run('curl', '-sS', url())).output, 'answer to /a');
		assert.deepEqual(asked, []);
	});

	it('asks once for the thread when the person says so', async () => {
		const { run, asked } = await start({ answer: () => Promise.resolve({ kind: 'thread' }) });
		await run('curl', '-sS', url());
		assert.equal((await run('curl', '-sS', url())).output, 'answer to /a');
		assert.equal(asked.length, 1);
	});

	it('is told when the person says no, with what to ask for', async () => {
		const { run } = await start({ answer: () => Promise.resolve({ kind: 'deny' }) });
		const { output, exitCode, kept } = await run('curl', '-sS', '--fail-with-body', url());
		assert.match(output, /said no/);
		assert.equal(exitCode, 22);
		const host = `site.test:${site.port}`;
		assert.deepEqual(kept, [
			`${host} was refused. To reach it, ask with needs.network ["${host}"], or allow "net.connect ${host}".`,
		]);
		assert.equal(site.received.length, 0);
	});

	it('is refused where nobody can be asked, with the rule that would allow it', async () => {
		const settings = { 'prowess.approvals.allow': [`shell.run curl -sS ${url()}`] };
		const { run } = await start({ approvalMode: 'never', settings });
		const { output } = await run('curl', '-sS', url());
		assert.match(output, new RegExp(`add the rule "net\\.connect site\\.test:${site.port}"`));
		assert.equal(site.received.length, 0);
	});

	it('is not asked about again when its hosts were approved with it, and a rule that denies them still holds', async () => {
		const host = `site.test:${site.port}`;
		const needing = { argv: ['curl', '-sS', url()], needs: { network: [host] } };
		const { perform, asked, ledger } = await start();
		assert.equal(stateOf(await perform(needing)).output, 'answer to /a');
		assert.deepEqual(asked, []);
		const { decision } = ledger.rows.find(({ op }) => op === 'net.connect') ?? {};
		assert.match(decision ?? '', /approved together with op_/);
		const strict = await start({ settings: { 'prowess.approvals.deny': [`net.connect ${host}`] } });
		assert.match(stateOf(await strict.perform(needing)).output, /The rule "net\.connect/);
		assert.equal(site.received.length, 1);
	});

	it('is asked about nothing in a session that approves everything', async () => {
		const { run, asked } = await start({ approvalMode: 'full' });
		assert.equal((await run('curl', '-sS', url())).output, 'answer to /a');
		assert.deepEqual(asked, []);
	});

	it('is told to use https where it would use SSH', async () => {
		const { run } = await start();
		const { kept = [] } = await run('git', 'clone', 'git@site.test:a/b.git');
		assert.match(kept.join('\n'), /site\.test, use https .*needs\.noSandbox/);
	});

	it('never reaches this machine or its network unless a setting of the user lists it, and nobody is asked', async () => {
		const { run, asked } = await start();
		for (const name of ['127.0.0.1', 'localhost', 'unlisted.test']) {
			assert.doesNotMatch((await run('curl', '-sS', '--noproxy', '', url(name))).output, /answer to/, name);
		}
		assert.deepEqual(
			asked.map(({ pattern }) => pattern),
			[`net.connect unlisted.test:${site.port}`],
		);
		assert.equal(site.received.length, 0);
	});

	it('reaches nothing for a capability without the permission for requests', async () => {
		const { perform, asked } = await start();
		const caller: Caller = {
			kind: 'execution',
			threadId: null,
			executionId: 'exe_1',
			capability: 'skill/test',
			permissions: new Set(['shell', 'workspace.read']),
			level: 'RESTRICTED',
		};
		const { output } = stateOf(await perform({ argv: ['curl', '-sS', url()] }, caller));
		assert.match(output, /needs the permission "http"/);
		assert.deepEqual([asked.length, site.received.length], [0, 0]);
	});

	it('has its time limit stand while the person thinks', async () => {
		// The limit is for the start of the sandbox and for the request, on a busy machine.
		const answer = () =>
			new Promise<ApprovalAnswer>((resolve) => {
				setTimeout(() => resolve({ kind: 'once' }), 6_000);
			});
		const { perform } = await start({ answer });
		const state = stateOf(await perform({ argv: ['curl', '-sS', url()], timeoutMs: 5_000 }));
		assert.deepEqual([state.output, state.timedOut], ['answer to /a', false]);
	});

	it('takes its question away when it is stopped', async () => {
		const { perform, desk, agent } = await start({ answer: () => new Promise(() => {}) });
		const stop = new AbortController();
		const outcome = perform({ argv: ['curl', '-sS', url()] }, agent, stop.signal);
		await waitFor('the question', () => desk.current.approvals.length === 1);
		stop.abort(new Error('stop'));
		assert.equal((await outcome).status, 'cancelled');
		await waitFor('its end', () => desk.current.approvals.length === 0);
	});

	it('asks in the background, too, when its own op is long over', async () => {
		const { perform, asked } = await start();
		stateOf(await perform({ argv: ['curl', '-sS', '-o', 'got.txt', url()], background: true }));
		await waitFor('the request', () => site.received.length === 1);
		assert.equal(asked.length, 1);
	});

	it('cannot be imitated: nobody else performs a connection', async () => {
		const { broker, agent, asked } = await start();
		const params = { host: `site.test:${site.port}`, for: 'npm install' };
		const outcome = await broker.perform(
			{ opId: newId('op'), op: 'net.connect', params },
			{ caller: agent, onProgress: () => {} },
			never,
		);
		assert.equal(outcome.status === 'failed' && outcome.error.code, 'INVALID_STATE');
		assert.deepEqual(asked, []);
	});

	it('installs a package with npm, whose registry is the only host it reaches', async () => {
		const tarball = packed({
			'package/package.json': JSON.stringify({ name: 'small', version: '1.0.0', main: 'index.js' }),
			'package/index.js': 'module.exports = 42;\n',
		});
		const registry = await httpSite(({ path }, response) => {
			if (path.endsWith('.tgz')) return response.end(tarball);
			const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
			const dist = { tarball: `http://site.test:${registry.port}/small/-/small-1.0.0.tgz`, integrity };
			response.setHeader('content-type', 'application/json');
			return response.end(
				JSON.stringify({
					name: 'small',
					'dist-tags': { latest: '1.0.0' },
					versions: { '1.0.0': { name: 'small', version: '1.0.0', dist } },
				}),
			);
		});
		closing.push(() => registry.close());
		const host = `site.test:${registry.port}`;
		const { run, asked, root } = await start({ settings: { 'prowess.http.allowHosts': [host] } });
		writeFileSync(join(root, 'package.json'), '{ "name": "app", "version": "1.0.0" }');
		const state = await run('npm', 'install', 'small', `--registry=http://${host}/`, '--no-audit', '--no-fund');
		assert.equal(state.exitCode, 0, state.output);
		assert.equal(readFileSync(join(root, 'node_modules/small/index.js'), 'utf8'), 'module.exports = 42;\n');
		assert.deepEqual(
			asked.map(({ pattern }) => pattern),
			[`net.connect ${host}`],
		);
	});

	it('clones a repository with Git over HTTP', async () => {
		const source = tempDir('source');
		const git = (...args: readonly string[]) => execFileSync('git', ['-C', source, ...args], { stdio: 'ignore' });
		git('init', '-q');
		writeFileSync(join(source, 'read.me'), 'cloned');
		git('add', '.');
		git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first');
		git('update-server-info');
		const served = await httpSite(({ path }, response) => {
			const file = join(source, '.git', decodeURIComponent(path.split('?', 1)[0] ?? '').replace('/repository.git', ''));
			if (!existsSync(file)) {
				response.statusCode = 404;
				return response.end();
			}
			return response.end(readFileSync(file));
		});
		closing.push(() => served.close());
		const host = `site.test:${served.port}`;
		const { run, asked, root } = await start({ settings: { 'prowess.http.allowHosts': [host] } });
		mkdirSync(join(root, 'into'));
		const state = await run('git', 'clone', '-q', `http://${host}/repository.git`, 'into/copy');
		assert.equal(state.exitCode, 0, state.output);
		assert.equal(readFileSync(join(root, 'into/copy/read.me'), 'utf8'), 'cloned');
		assert.equal(asked.length, 1);
	});
});
