/** Agents that edit at random in worktrees at the same time: each sees its own edits only, and all of them come home byte for byte. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type ModelServer, type ScriptEntry, startModelServer } from '../../support/model-server.ts';
import { below, pick, seeded } from '../../support/seeded.ts';
import { User } from '../cli/cli-process.ts';

const AGENTS = ['one', 'two', 'three', 'four'] as const;
const CALLS_AT_ONCE = 10;
const EDITS_IN_TURN = 50;
const NAMES = ['a.txt', 'b.txt', 'src/c.ts', 'src/deep/d.ts', 'e.csv', 'docs/f.md', 'g'];

/** Edits that were brought home. Throws at the first byte that is not what it was. */
export async function editInParallel(
	seed: number,
	editsOfEach: number,
	agentCount: number = AGENTS.length,
): Promise<number> {
	const random = seeded(seed);
	const agents = AGENTS.slice(0, agentCount);
	const user = new User();
	const git = (...args: string[]) => execFileSync('git', args, { cwd: user.workspace, env: user.environment });
	const servers: ModelServer[] = [];
	try {
		user.sets();
		for (const name of NAMES) user.writes(name, `${name}\n`.repeat(5));
		git('init', '--quiet');
		git('add', '-A');
		git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '-m', 'first');
		const first = treeOf(user.workspace);
		const wanted = new Map<string, Map<string, string>>();
		const runs = agents.map(async (agent) => {
			const edits = Array.from({ length: editsOfEach }, (_, index) => {
				// Some files of all, which conflict; most of its own. Each has one kind of line ends, which a write by a model keeps.
				const own = below(random, 40);
				const path = below(random, 5) === 0 ? pick(random, NAMES) : `${agent}/${own}.txt`;
				const end = NAMES.includes(path) || own % 2 === 0 ? '\n' : '\r\n';
				return { path, content: `${agent} ${index}${end}${'x'.repeat(below(random, 50))}${pick(random, [end, ''])}` };
			});
			wanted.set(agent, new Map([...first, ...edits.map(({ path, content }) => [path, content] as const)]));
			const calls = edits.map((input) => ({ name: 'fs_write', input }));
			const script: ScriptEntry[] = [];
			const server = await startModelServer(() => script.shift() ?? { text: 'Done.' });
			servers.push(server);
			const words = ['--worktree', agent, '--approve', 'full', '--rounds', '500'];
			// Several threads, because one that makes hundreds of calls is taken to go in circles. Each reads what it replaces.
			const there = new Set(NAMES);
			while (calls.length > 0) {
				const ofTurn = calls.splice(0, EDITS_IN_TURN);
				const paths = [...new Set(ofTurn.map(({ input }) => input.path))];
				const replaced = paths.filter((path) => there.has(path));
				const reads = replaced.map((path) => ({ name: 'fs_read', input: { path } }));
				for (const path of paths) there.add(path);
				for (const each of [reads, ofTurn]) {
					while (each.length > 0) script.push({ toolCalls: each.splice(0, CALLS_AT_ONCE) });
				}
				const { code, stderr } = await user.promptsApart(server.baseUrl, 'Edit', words).ended;
				assert.equal(code, 0, `seed ${seed}: ${agent}: ${stderr}`);
			}
		});
		await Promise.all(runs);
		assert.deepEqual(treeOf(user.workspace), first, `seed ${seed}: the folder changed`);
		for (const agent of agents) {
			const folder = (await user.runs(['worktree', 'show', agent, '--path'])).stdout.trim();
			assert.deepEqual(treeOf(folder), sorted(wanted.get(agent)), `seed ${seed}: the worktree of ${agent}`);
		}
		const expected = new Map(first);
		for (const agent of agents) {
			const { stdout } = await user.runs(['worktree', 'apply', agent, '--json']);
			const { conflicts } = JSON.parse(stdout) as { readonly conflicts: readonly string[] };
			for (const [path, content] of wanted.get(agent) ?? []) {
				if (content === first.get(path)) continue;
				const isFree = [first.get(path), content].includes(expected.get(path));
				assert.equal(conflicts.includes(path), !isFree, `seed ${seed}: ${agent}: ${path}`);
				if (isFree) expected.set(path, content);
			}
			assert.deepEqual(treeOf(user.workspace), sorted(expected), `seed ${seed}: after ${agent} was applied`);
		}
		return editsOfEach * agents.length;
	} finally {
		await Promise.all(servers.map((server) => server.close()));
		rmSync(user.root, { recursive: true, force: true });
	}
}

function treeOf(folder: string): Map<string, string> {
	assert.ok(existsSync(folder));
	const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
		(path) => !/^\.(?:git|prowess|vscode)(?:\/|$)/.test(path) && statSync(join(folder, path)).isFile(),
	);
	return sorted(new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')])));
}

function sorted(files: ReadonlyMap<string, string> = new Map()): Map<string, string> {
	return new Map([...files].sort(([one], [other]) => (one < other ? -1 : 1)));
}
