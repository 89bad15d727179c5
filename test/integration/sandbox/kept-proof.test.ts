/**
 * Tests the proof of the sandbox that an earlier start has kept: the work it spares, and that no command runs on it.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CommandSandbox } from '../../../src/machine/sandbox/command-sandbox.ts';
import { whatItDependsOn } from '../../../src/machine/sandbox/proof/kept-proof.ts';
import { CommandRunner } from '../../../src/machine/shell/command-runner.ts';
import { inEnglish } from '../../../src/protocol/text/text.ts';
import { bubblewrap } from '../../support/sandbox-scene.ts';
import { tempDir } from '../../support/temp-dir.ts';

describe('A proof of the sandbox', function () {
	this.timeout(30_000);
	let home: string;
	let workspace: string;
	/** Bubblewrap, behind a script that writes a line for each of its starts. */
	let program: string;
	let started: string;
	const open: CommandSandbox[] = [];

	before(function () {
		if (bubblewrap === undefined) this.skip();
	});
	beforeEach(() => {
		[home, workspace] = [tempDir('home'), tempDir('workspace')];
		const folder = tempDir('counted');
		[program, started] = [join(folder, 'bwrap'), join(folder, 'started')];
		install(`exec ${bubblewrap} "$@"`);
	});
	afterEach(async () => {
		for (const sandbox of open.splice(0)) await sandbox.close();
	});

	function install(script: string): void {
		writeFileSync(program, `#!/bin/sh\necho x >> ${started}\n${script}\n`, { mode: 0o755 });
	}
	const kept = () => join(home, 'sandbox-proof.json');
	const starts = () => (existsSync(started) ? readFileSync(started, 'utf8').length / 2 : 0);

	/** A start of Prowess that is about to send a prompt: what it warned of so far, and how often bubblewrap was started for that. */
	async function start(folder = workspace) {
		const deps = { home, folders: () => [folder], bubblewrapCandidates: () => [program] };
		const sandbox = new CommandSandbox(deps);
		open.push(sandbox);
		const warned: string[] = [];
		const before = starts();
		await sandbox.warnUnsandboxed((why) => warned.push(inEnglish(why)));
		return { sandbox, warned, tries: starts() - before };
	}

	it('is made before the first prompt, kept for its user alone, and spares the next prompts the wait', async () => {
		const first = await start();
		assert.deepEqual([first.tries > 0, first.warned], [true, []]);
		assert.equal(statSync(kept()).mode & 0o777, 0o600);
		assert.deepEqual(
			readdirSync(home).filter((name) => name !== 'sandbox'),
			['sandbox-proof.json'],
		);
		for (const next of [await start(), await start()]) assert.deepEqual([next.tries, next.warned], [0, []]);
	});

	it('that is kept is made anew before the first command is judged', async () => {
		await start();
		const { sandbox, warned } = await start();
		const before = starts();
		assert.deepEqual(await sandbox.state(), { works: true });
		assert.ok(starts() > before);
		assert.deepEqual(warned, []);
	});

	it('counts no more once anything that it depends on is another', async () => {
		await start();
		const { on, ...found } = JSON.parse(readFileSync(kept(), 'utf8')) as { readonly on: string };
		const facts = JSON.parse(on) as Record<string, unknown>;
		const names = ['bubblewrap', 'machine', 'kernel', 'namespaces', 'user', 'prowess'];
		assert.deepEqual(Object.keys(facts), names);
		for (const name of names) {
			const others = JSON.stringify({ ...facts, [name]: 'another' });
			writeFileSync(kept(), JSON.stringify({ on: others, ...found }));
			assert.ok((await start()).tries > 0, name);
			assert.equal((await start()).tries, 0, `${name}: kept anew`);
		}
	});

	it('counts no more once bubblewrap is written again or exchanged', async () => {
		await start();
		install(`exec ${bubblewrap} "$@"`);
		assert.ok((await start()).tries > 0);
		assert.equal((await start()).tries, 0);
		const other = `${program}-other`;
		writeFileSync(other, readFileSync(program), { mode: 0o755 });
		renameSync(other, program);
		assert.ok((await start()).tries > 0);
	});

	it('is made anew where its file is damaged or not ours', async () => {
		const on = whatItDependsOn(program);
		const others = ['', '{', 'null', '[]', '"held"', '{"held":true}', '{"on":1,"held":true}'];
		const forged = [{ on }, { on, held: 'true' }, { on, held: 1 }, { on, held: false }, { on: [on], held: true }];
		for (const text of [...others, ...forged.map((each) => JSON.stringify(each))]) {
			writeFileSync(kept(), text);
			assert.ok((await start()).tries > 0, text);
			assert.equal(readFileSync(kept(), 'utf8'), `${JSON.stringify({ on, held: true })}\n`, text);
		}
		rmSync(kept());
		mkdirSync(kept());
		const { tries, warned } = await start();
		assert.deepEqual([tries > 0, warned], [true, []]);
	});

	/**
	 * Starts with a proof that an earlier start is said to have kept; returns the sandbox a command meets, and the
	 * warnings the user got by then.
	 */
	async function firstCommand() {
		writeFileSync(kept(), JSON.stringify({ on: whatItDependsOn(program), held: true }));
		const { sandbox, warned, tries } = await start();
		assert.deepEqual([tries, warned], [0, []]);
		return { sandbox, warned };
	}

	const failing: Readonly<Record<string, { readonly script: string; readonly why: RegExp }>> = {
		'does not start': { script: 'echo refused >&2; exit 1', why: /does not work here: refused$/ },
		// The script runs the program that it is given, and keeps nothing from it.
		'confines nothing': {
			script: 'while [ "$1" != -- ]; do shift; done; shift 5; exec "$@"',
			why: /can read files that it should not see/,
		},
	};
	for (const [how, { script, why }] of Object.entries(failing)) {
		it(`that is kept of a bubblewrap that ${how} lets no command run, and is dropped`, async () => {
			install(script);
			const { sandbox, warned } = await firstCommand();
			const use = await sandbox.state();
			assert.match(use.works ? '' : inEnglish(use.why), why);
			assert.deepEqual(warned, [use.works ? '' : inEnglish(use.why)]);
			assert.equal(existsSync(kept()), false);
			const commands = new CommandRunner({ PATH: process.env['PATH'] }, sandbox);
			const made = join(workspace, 'made');
			const argv = ['touch', made];
			const request = {
				steps: [{ join: ';' as const, programs: [{ argv, file: '/usr/bin/touch' }] }],
				cwd: workspace,
				timeoutMs: 10_000,
				threadId: null,
				isSandboxed: true,
				reach: { read: [], write: [] },
				mayWrite: true,
				onlyReads: false,
			};
			const run = commands.run(request, () => undefined, new AbortController().signal);
			await assert.rejects(run, /in a sandbox that does not work here/);
			assert.equal(existsSync(made), false);
			const next = await start();
			assert.deepEqual([next.tries > 0, next.warned], [true, warned]);
		});
	}

	it('that is kept does not hide that bubblewrap was removed, before the prompt or after it', async () => {
		const { sandbox, warned } = await firstCommand();
		rmSync(program);
		assert.equal((await sandbox.state()).works, false);
		assert.equal((await sandbox.state()).works, false);
		assert.deepEqual(warned, ['bubblewrap is not installed. Install the package "bubblewrap".']);
		assert.deepEqual((await start()).warned, warned);
	});

	it('that is kept does not hide that the workspace cannot be kept apart', async () => {
		await firstCommand();
		assert.match((await start(homedir())).warned.join(), /contains your home folder/);
	});
});
