/** Turns of random edits and commands in real processes, and ways back to random messages: each must give the very bytes of then. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type ScriptEntry, startModelServer } from '../../support/model-server.ts';
import { below, pick, seeded, shuffled } from '../../support/seeded.ts';
import { User } from './cli-process.ts';

const CALLS_AT_ONCE = 10;
const NAMES = ['a.txt', 'b.txt', 'src/c.ts', 'src/deep/d.ts', 'e.bin', 'docs/f.md', 'g'];

interface Call {
	readonly name: string;
	readonly input: Readonly<Record<string, unknown>>;
}

/** Ways back that were compared. Throws at the first that is not what it was. */
export async function changeAtRandom(seed: number, turns: number, changes: number): Promise<number> {
	const random = seeded(seed);
	const user = new User();
	let script: ScriptEntry[] = [];
	const server = await startModelServer(() => script.shift() ?? { text: 'Done.' });
	try {
		for (const name of NAMES) user.writes(name, `${name}\n`.repeat(5));
		const before: ReturnType<typeof treeOf>[] = [];
		let thread = '';
		const runs = async (...words: readonly string[]) => {
			const { code, stderr, stdout } = await user.runs(words);
			assert.equal(code, 0, `seed ${seed}: ${words.join(' ')}: ${stderr}`);
			return stdout;
		};
		for (let turn = 0; turn < turns; turn += 1) {
			before.push(treeOf(user.workspace));
			const calls = Array.from({ length: changes }, () => randomCall(random));
			script = [];
			while (calls.length > 0) script.push({ toolCalls: calls.splice(0, CALLS_AT_ONCE) });
			const words = ['--approve', 'full', ...(thread === '' ? [] : ['--thread', thread])];
			const { code, stderr } = await user.prompts(server.baseUrl, `Turn ${turn + 1}`, words).ended;
			assert.equal(code, 0, `seed ${seed}: turn ${turn + 1}: ${stderr}`);
			thread ||= (await runs('thread', 'list')).split(' ')[0] ?? '';
		}
		const last = treeOf(user.workspace);
		assert.ok(
			new Set(before.map((tree) => JSON.stringify(tree))).size > turns / 2,
			`seed ${seed}: hardly anything changed`,
		);
		const order = shuffled(random, [...before.keys()]);
		for (const index of order) {
			await runs('thread', 'restore', thread, String(index + 1), '--yes');
			assert.deepEqual(treeOf(user.workspace), before[index], `seed ${seed}: back to message ${index + 1}`);
			await runs('thread', 'redo', thread);
			assert.deepEqual(treeOf(user.workspace), last, `seed ${seed}: redo from message ${index + 1}`);
		}
		return order.length;
	} finally {
		await server.close();
		rmSync(user.root, { recursive: true, force: true });
	}
}

function randomCall(random: () => number): Call {
	const name = pick(random, NAMES);
	const other = pick(random, NAMES);
	const line = `line ${below(random, 1_000)}`;
	const shell = (text: string): Call => ({ name: 'shell_run', input: { argv: ['sh', '-c', text] } });
	// A call that fails changes nothing, and that must come back as well.
	return pick<() => Call>(random, [
		() => ({ name: 'fs_write', input: { path: name, content: `${line}\n`.repeat(1 + below(random, 9)) } }),
		() => ({ name: 'fs_read', input: { path: name } }),
		() => ({ name: 'fs_edit', input: { path: name, edits: [{ oldText: 'line', newText: `${line} of` }] } }),
		() => ({ name: 'fs_move', input: { from: name, to: other } }),
		() => ({ name: 'fs_delete', input: { path: name } }),
		() => shell(`mkdir -p src/deep docs; echo "${line}" >> ${name}`),
		() => shell(`printf '\\000\\377%s' "${line}" > ${name}`),
		() => shell(`rm -f ${name}`),
		() => shell(`mkdir -p src/deep docs; mv -f ${name} ${other}`),
		() => shell(`chmod ${pick(random, ['644', '755', '600'])} ${name}`),
		() => shell(`sed -i 's/line/word/' ${name}`),
	])();
}

/** Files with what they hold and their permissions. */
function treeOf(root: string): Record<string, string> {
	const tree: Record<string, string> = {};
	for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
		const path = join(entry.parentPath, entry.name);
		if (entry.isFile()) {
			tree[relative(root, path)] = `${(statSync(path).mode & 0o777).toString(8)} ${readFileSync(path, 'base64')}`;
		}
	}
	return tree;
}
