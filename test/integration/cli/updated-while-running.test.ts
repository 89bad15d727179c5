/**
 * Updates in the middle of a turn, by other processes: of a skill that the agent follows, of a capability that runs, and of
 * Prowess itself, replaced where it lies as npm does it. The turn ends on the version with which it began.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ModelServer, type Script, startModelServer } from '../../support/model-server.ts';
import { capabilityFiles, writeFiles } from '../../support/marketplace-scene.ts';
import { programs } from '../../support/programs.ts';
import { commandLimitMs, User } from './cli-process.ts';

const root = join(import.meta.dirname, '../../..');
const auto = ['--approve', 'auto'];

describe('An update while a turn runs', function () {
	this.timeout(6 * commandLimitMs);
	let user: User;
	let model: ModelServer;
	beforeEach(() => {
		user = new User();
		user.sets();
	});
	afterEach(() => model.close());

	/** Runs a marketplace command synchronously: this process does nothing else meanwhile, so the turn waits for it. */
	const market = (...words: readonly string[]) => {
		const { status, stdout, stderr } = spawnSync(process.execPath, [programs.cli, 'marketplace', ...words], {
			cwd: user.workspace,
			env: user.environment,
			encoding: 'utf8',
		});
		assert.equal(status, 0, stderr);
		return stdout;
	};
	const turn = async (script: Script, prompt: string, words = auto, program = programs.cli) => {
		model = await startModelServer(script);
		const ended = await user.promptsApart(model.baseUrl, prompt, words, { program }).ended;
		assert.equal(ended.code, 0, ended.stderr);
		return ended;
	};
	const messagesOf = (n: number) => JSON.stringify(model.requests[n]?.body['messages'] ?? []);

	it('leaves the skill that the agent follows as it was, and the next turn has the new one', async () => {
		const from = ['--from', join(user.root, 'public')];
		const publish = (version: string) => {
			const files = {
				'SKILL.md': `---\nname: forms\ndescription: Fills forms.\n---\nFill them by version ${version}.\n`,
				'more.md': `The fields of version ${version}.\n`,
				'check.js': `console.log('checked by version ${version}');\n`,
			};
			const yaml = `name: forms\ntype: skill\nversion: "${version}"\ndescription: Fills forms.\ninstructions: thread\n`;
			writeFiles(join(user.root, 'forms'), { ...files, 'capability.yaml': yaml });
			market('pack', join(user.root, 'forms'), '--out', join(user.root, 'public'));
			market('index', join(user.root, 'public'), '--name', 'ours');
		};
		const start = { name: 'capability_start', input: { name: 'forms' } };
		publish('1.0.0');
		market('install', 'forms', ...from);
		market('enable', 'forms');
		await turn((n, { text }) => {
			const folder = /Its files lie in ([^,]+), which/.exec(text)?.[1] ?? '';
			if (n === 1) {
				publish('2.0.0');
				assert.match(market('update', ...from), /1\.0\.0 -> 2\.0\.0/);
			}
			return (
				[
					{ toolCalls: [start] },
					{ toolCalls: [{ name: 'fs_read', input: { path: `${folder}/more.md` } }] },
					{ toolCalls: [{ name: 'shell_run', input: { argv: ['node', `${folder}/check.js`] } }] },
				][n] ?? { text: 'Filled.' }
			);
		}, 'Fill the form');
		assert.match(messagesOf(1), /Fill them by version 1\.0\.0/);
		assert.match(messagesOf(2), /The fields of version 1\.0\.0/);
		assert.match(messagesOf(3), /checked by version 1\.0\.0/);
		assert.doesNotMatch(messagesOf(3), /version 2\.0\.0/);
		await model.close();
		await turn([{ toolCalls: [start] }, { text: 'Filled.' }], 'Fill the next form');
		assert.match(messagesOf(1), /Fill them by version 2\.0\.0/);
	});

	it('leaves the capability that runs as it was, also what it has not loaded yet', async () => {
		const files = (version: string) =>
			capabilityFiles({
				version,
				permissions: ['llm'],
				files: {
					'index.js': [
						'export async function execute(_params, { host }) {',
						"	await host.llm.oneshot({ prompt: 'Wait' });",
						"	return { success: true, result: (await import('./late.js')).version };",
						'}',
					].join('\n'),
					'late.js': `export const version = 'loaded late of ${version}';\n`,
				},
			});
		const folder = join(user.home, 'capabilities/skill/greet');
		mkdirSync(folder, { recursive: true });
		writeFiles(folder, files('1.0.0'));
		await turn((n) => {
			if (n === 1) writeFiles(folder, files('2.0.0'));
			return [{ toolCalls: [{ name: 'capability_start', input: { name: 'greet' } }] }][n] ?? { text: 'Done.' };
		}, 'Greet me');
		assert.equal(model.requests.length, 3);
		assert.match(messagesOf(2), /loaded late of 1\.0\.0/);
	});

	it('of Prowess itself loses and repeats nothing, and the new version has the thread whole', async function () {
		// The sources of this repository are not replaced.
		if (!programs.cli.startsWith(join(root, 'dist'))) this.skip();
		const place = join(user.root, 'installed');
		const install = (to: string) => {
			for (const name of ['dist', 'capabilities', 'package.json']) {
				cpSync(join(root, name), join(to, name), { recursive: true });
			}
		};
		install(place);
		user.writes('a.txt', 'needle\n');
		const program = join(place, 'dist/cli.mjs');
		const write = (path: string) => ({ name: 'fs_write', input: { path, content: `${path}\n` } });
		const ended = await turn(
			(n) => {
				if (n === 1) {
					// Another version, whose code is not that of the running one.
					const next = join(user.root, 'next');
					install(next);
					for (const name of readdirSync(join(next, 'dist')).filter((each) => /\.m?js$/.test(each))) {
						appendFileSync(join(next, 'dist', name), '\n// Another version\n');
					}
					renameSync(place, `${place}-old`);
					renameSync(next, place);
					rmSync(`${place}-old`, { recursive: true });
				}
				return (
					[
						{ toolCalls: [write('one.txt')] },
						{ toolCalls: [write('two.txt'), { name: 'search_text', input: { query: 'needle' } }] },
						{ toolCalls: [{ name: 'shell_run', input: { argv: ['node', '-p', '20 + 3'] } }] },
						{ toolCalls: [{ name: 'capability_start', input: { name: 'todo-report' } }] },
					][n] ?? { text: 'All done.' }
				);
			},
			'Work',
			[...auto, '--json'],
			program,
		);
		assert.match(messagesOf(2), /a\.txt:1.*needle/);
		assert.match(messagesOf(3), /\b23\b/);
		assert.deepEqual(
			['one.txt', 'two.txt'].map((name) => readFileSync(join(user.workspace, name), 'utf8')),
			['one.txt\n', 'two.txt\n'],
		);
		const thread = /"id":"(thr_[^"]+)"/.exec(ended.stdout)?.[1] ?? '';
		await model.close();
		await turn([{ text: 'Still here.' }], 'Go on', ['--thread', thread], program);
		const before = messagesOf(0);
		for (const said of ['Work', 'one.txt', 'two.txt', 'needle', 'All done.']) assert.ok(before.includes(said), said);
		const { code, stdout } = await user.runsApart(['ledger', 'verify'], { program });
		assert.equal(code, 0, stdout);
		assert.ok(existsSync(dirname(program)));
	});
});
