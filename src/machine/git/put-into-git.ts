/**
 * Finds files that steer other programs and that a command has put into a commit, a stash or the index of a repository: Git
 * writes them into the folder when somebody checks them out. Judged by the table of names that guards the folder itself.
 */
import { join } from 'node:path';
import type { SteeringChange, GitLook, GitState, PutIntoGit } from '../sandbox/left/git-state.ts';
import { hashAsGit } from '../sandbox/left/held-in-git.ts';
import { runGit } from './run-git.ts';
import { isReadOnlyInSandbox, steersByName } from '../paths/names/protected-names.ts';
import { isToolFolderName } from '../paths/names/name-rules.ts';
import { findProgram } from '../shell/find-program.ts';
import { gitEnvironment, gitFlags } from '../shell/git-settings.ts';
import {
	GIT_FILES_NAMED,
	GIT_LOOK_BYTES,
	GIT_LOOK_MS,
	GIT_LOOK_TIPS,
	GIT_LOOK_TREES,
	GIT_LOOKS_MS,
} from '../sandbox/limits.ts';

/** Tree without files, of which Git knows without having it. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
/** Hash in the place of none, as in the first line of a log. */
const NO_OBJECT = /^0+$/;
/** Mode of a link. */
const LINK = '120000';
const RAW = ['--raw', '-z', '--no-renames', '--no-abbrev'];
const LOG = ['log', '--format=', ...RAW, '-r', '--root', '--full-history', '--ignore-missing'];
/** Flags that take a repository as it is on the disk: no other object in its place, no parents but its own, nothing that was computed earlier. */
const PLAIN = ['--no-replace-objects', '--literal-pathspecs', '-c', 'core.commitGraph=false'];

/** Looks into the repositories that were there `before` a command, and stand elsewhere now. Never rejects for what lies in them. */
export async function findPutIntoGit(
	before: readonly GitState[],
	after: readonly GitState[],
	look: GitLook,
): Promise<readonly PutIntoGit[]> {
	const found: PutIntoGit[] = [];
	const signal = AbortSignal.timeout(GIT_LOOKS_MS);
	for (const now of after) {
		const then = before.find(({ repository }) => repository === now.repository);
		if (then === undefined) continue;
		const tips = [...now.tips].filter((tip) => !then.tips.has(tip));
		const folders = [...now.indexes].filter(([folder, version]) => then.indexes.get(folder) !== version);
		const isKnown = now.isWhole && now.replaced.every((each) => then.replaced.includes(each));
		const hasOtherGraph = now.graphs !== '' && now.graphs !== then.graphs;
		if (tips.length === 0 && folders.length === 0 && isKnown && !hasOtherGraph) continue;
		try {
			const put = await lookInto(
				then,
				tips,
				folders.map(([folder]) => folder),
				now,
				{ ...look, hasOtherGraph },
				signal,
			);
			const isWhole = isKnown && tips.length <= GIT_LOOK_TIPS && put.length <= GIT_FILES_NAMED;
			if (put.length > 0 || !isWhole) found.push({ ...now, files: put, isWhole });
		} catch {
			found.push({ ...now, files: [], isWhole: false });
		}
	}
	return found;
}

async function lookInto(
	then: GitState,
	tips: readonly string[],
	folders: readonly string[],
	{ repository, trees }: GitState,
	{ environment, isOwn, hasOtherGraph }: GitLook & { readonly hasOtherGraph: boolean },
	signal: AbortSignal,
): Promise<readonly SteeringChange[]> {
	const program = await findProgram('git', repository, environment);
	const askGitIn = async (folder: string, args: readonly string[]) => {
		const limits = { outputBytes: GIT_LOOK_BYTES, timeoutMs: GIT_LOOK_MS };
		const words = [...gitFlags([]), ...PLAIN, `--git-dir=${folder}`, ...args];
		const output = await runGit(program, words, folder, gitEnvironment(environment), limits, signal);
		if (output.truncated || output.exitCode !== 0) throw new Error(`git ${args[0] ?? ''}: ${output.stderr}`);
		return output.stdout.toString('utf8');
	};
	if (hasOtherGraph)
		await askGitIn(repository, ['-c', 'core.commitGraph=true', 'commit-graph', 'verify', '--no-progress']);
	const askGit = async (folder: string, args: readonly string[]) => readRawChanges(await askGitIn(folder, args));
	/** Compares with what is checked out; where nothing is yet, with nothing. */
	const compareWithHead = async (folder: string, words: (head: string) => readonly string[]) =>
		await askGit(folder, words('HEAD')).catch(() => askGit(folder, words(EMPTY_TREE)));
	const known = [...then.tips].slice(0, GIT_LOOK_TIPS);
	const old = known.map((tip) => `^${tip}`);
	const changed: SteeringChange[] = [];
	if (tips.length > 0) {
		// A merge shows only what none of its sides has.
		changed.push(...(await askGit(repository, [...LOG, '-c', ...tips.slice(0, GIT_LOOK_TIPS), ...old, '--'])));
	}
	for (const tree of await listTrees(tips.slice(0, GIT_LOOK_TIPS), (args) => askGitIn(repository, args))) {
		changed.push(...(await compareWithHead(repository, (head) => ['diff-tree', '-r', ...RAW, head, tree, '--'])));
	}
	for (const folder of folders) {
		changed.push(...(await compareWithHead(folder, (head) => ['diff-index', '--cached', ...RAW, head, '--'])));
	}
	const once = new Map(changed.map((each) => [toKey(each), each]));
	const steering = [...once.values()].filter(({ path, oid }) => {
		const isInTree = (tree: string) => hashAsGit(join(tree, path), oid) === oid && isOwn(join(tree, path));
		return !trees.some(isInTree);
	});
	if (steering.length === 0 || known.length === 0) return steering;
	const paths = [...new Set(steering.map(({ path }) => path))].slice(0, GIT_FILES_NAMED);
	// Text that Git had at that path already was not put there by the command: a rebase, a merge, a commit that is changed.
	const had = new Set((await askGit(repository, [...LOG, '-m', ...known, '--', ...paths])).map(toKey));
	return steering.filter((each) => !had.has(toKey(each)));
}

/**
 * Trees that a reference names by themselves: `git log` says nothing of them. Rejects where there are too many that are no
 * commits, and where Git does not have one: a later command could make it, and its name would be known by then.
 */
async function listTrees(
	tips: readonly string[],
	ask: (args: readonly string[]) => Promise<string>,
): Promise<readonly string[]> {
	if (tips.length === 0) return [];
	const commits = await ask(['log', '--no-walk=unsorted', '--ignore-missing', '--format=%H', ...tips, '--']);
	const known = new Set(commits.split('\n'));
	const unlisted = tips.filter((tip) => !known.has(tip) && !NO_OBJECT.test(tip));
	const others = unlisted.length === 0 ? [] : await leaveOutTags(unlisted, ask);
	if (others.length > GIT_LOOK_TREES) throw new Error(`${others.length} references to no commit`);
	const kinds = await Promise.all(others.map((tip) => ask(['cat-file', '-t', `${tip}^{}`])));
	return others.flatMap((tip, at) => (kinds[at]?.trim() === 'tree' ? `${tip}^{tree}` : []));
}

/** Leaves out tags of commits: `git log` lists the commits themselves. */
async function leaveOutTags(tips: readonly string[], ask: (args: readonly string[]) => Promise<string>) {
	const format = '--format=%(objectname) %(objecttype) %(*objecttype)';
	const references = await ask(['for-each-ref', format]).catch(() => '');
	const tags = new Set([...references.matchAll(/^(\w+) tag commit$/gm)].map(([, tag]) => tag));
	return tips.filter((tip) => !tags.has(tip));
}

function toKey({ path, oid }: SteeringChange): string {
	return `${oid} ${path}`;
}

/** Changes of files that steer other programs, as `--raw -z` tells of them; those that remove one are left out. */
function readRawChanges(output: string): SteeringChange[] {
	const parts = output.split('\0');
	return parts.flatMap((part, at) => {
		const [, colons = '', fields = ''] = /^\n*(:+)(\d{6} .*)$/.exec(part) ?? [];
		const parents = colons.length;
		const words = fields.split(' ');
		const path = parts[at + 1] ?? '';
		const [mode = '', oid = '', status = ''] = [words[parents], words[2 * parents + 1], words[2 * parents + 2]];
		return parents > 0 && !/^D+$/.test(status) && isSteering(path, mode) ? [{ path, oid }] : [];
	});
}

function isSteering(path: string, mode: string): boolean {
	const segments = path.split('/');
	if (segments.some(isToolFolderName)) return false;
	return mode === LINK ? steersByName(segments) : isReadOnlyInSandbox(segments);
}
