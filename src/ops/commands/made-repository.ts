/**
 * Finds the repositories that Git commands would make. A sandbox lets no command make one, because Git runs what a
 * repository says; so making one is asked for as an act of its own, before the command fails half-way. Repositories
 * of a script that names their places by variables and the like are not found: they are taken away when it has ended.
 */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { SimpleCommand } from '../../protocol/ops/commands/command-chain.ts';
import { findShellScript, readScriptCommands } from '../../protocol/ops/commands/script-commands.ts';
import { countWrapperWords } from '../../protocol/ops/commands/wrapped-commands.ts';

/** Flags whose value may be a word of its own, by verb; those before any verb first. */
const WITH_VALUE: Readonly<Record<string, readonly string[]>> = {
	'': ['-c', '--namespace', '--config-env', '--attr-source', '--super-prefix'],
	init: ['-b', '--initial-branch', '--template', '--object-format', '--ref-format'],
	clone: `-b --branch -o --origin -u --upload-pack -c --config -j --jobs --template --reference --reference-if-able
		--depth --shallow-since --shallow-exclude --server-option --filter --bundle-uri --revision --ref-format`.split(
		/\s+/,
	),
	worktree: ['-b', '-B', '--reason'],
	submodule: ['-b', '--branch', '--name', '--reference', '--depth'],
};
/** Flags of what is made elsewhere, or in another shape. */
const ELSEWHERE = /^--(?:git-dir|work-tree|separate-git-dir|mirror)\b/;
/** Shells and wrappers in each other that are followed, and the length of a script that is read. */
const MOST_NESTED = 4;
const MAX_SCRIPT_CHARS = 20_000;

/**
 * Returns the paths that the commands write to make repositories, absolute. `cwd` is absolute and free of links.
 * `isOwn`: true for a path in a folder that is the command's own, where nobody is asked.
 */
export function findMadeRepositories(
	commands: readonly SimpleCommand[],
	cwd: string,
	isOwn: (path: string) => boolean,
): readonly string[] {
	const made = commands.flatMap(({ argv }) => listRepositoriesMade(argv, cwd, 0));
	return [...new Set(made)].filter((path) => !isOwn(path));
}

function listRepositoriesMade(argv: readonly string[], cwd: string, depth: number): readonly string[] {
	const [program = '', ...words] = argv;
	if (program === 'git') return findRepositoryData(words, cwd);
	if (depth >= MOST_NESTED) return [];
	const script = findShellScript(argv);
	if (script !== undefined) return listRepositoriesOfScript(script, cwd, depth + 1);
	const before = countWrapperWords(program, words);
	return before === undefined ? [] : listRepositoriesMade(words.slice(before), cwd, depth + 1);
}

/** Follows `cd` from command to command; no folder is known after one that goes where only the shell knows. */
function listRepositoriesOfScript(script: string, cwd: string, depth: number): readonly string[] {
	const folders = new Map<string, string | undefined>();
	return readScriptCommands(script.slice(0, MAX_SCRIPT_CHARS)).flatMap(({ words, subshells = [] }) => {
		const shells = ['', ...subshells.map((_, at) => subshells.slice(0, at + 1).join())];
		const known = shells.findLast((shell) => folders.has(shell));
		const folder = known === undefined ? cwd : folders.get(known);
		const [program = '', ...rest] = words.map(({ text }) => text);
		if (/^(?:cd|pushd|popd)$/.test(program)) {
			folders.set(shells.at(-1) ?? '', program === 'popd' ? undefined : findNextFolder(folder, rest));
			return [];
		}
		return folder === undefined ? [] : listRepositoriesMade([program, ...rest], folder, depth);
	});
}

function findNextFolder(folder: string | undefined, words: readonly string[]): string | undefined {
	const [to, ...others] = words.filter((word) => !/^-[A-Za-z@]+$|^--$/.test(word));
	const isKnown = to !== undefined && others.length === 0 && isLiteral(to) && to !== '-';
	return isKnown && (folder !== undefined || to.startsWith('/')) ? resolve(folder ?? '/', to) : undefined;
}

/** False for what a shell would replace. */
function isLiteral(word: string): boolean {
	return !/[$`*?[\]]|^~/.test(word);
}

function findRepositoryData(words: readonly string[], cwd: string): readonly string[] {
	let folder = cwd;
	let verb = '';
	let isBare = false;
	const named: string[] = [];
	for (let at = 0; at < words.length; at++) {
		const word = words[at] ?? '';
		if (verb === '' && word === '-C') folder = resolve(folder, words[(at += 1)] ?? '.');
		else if (word === '--' && verb !== '') {
			named.push(...words.slice(at + 1));
			break;
		} else if (ELSEWHERE.test(word)) return [];
		else if (word === '--bare') isBare = true;
		else if (word.startsWith('-')) at += hasItsValueNext(word, WITH_VALUE[verb] ?? []) ? 1 : 0;
		else if (verb === '') verb = word;
		else named.push(word);
	}
	const made = findRepositoryFolder(verb, named, isBare);
	if (made === undefined || !isLiteral(made) || !isLiteral(folder)) return [];
	const path = resolve(folder, made);
	const data = isBare ? join(path, 'HEAD') : join(path, '.git');
	// A folder without `HEAD` stands for a repository that is not there.
	if (existsSync(isBare ? data : join(data, 'HEAD'))) return [];
	return verb === 'submodule' ? [...listFilesAround(folder), data] : [data];
}

/** Returns where the repository that holds `folder` notes a submodule; empty where its data lie elsewhere. */
function listFilesAround(folder: string): readonly string[] {
	if (existsSync(join(folder, '.git/HEAD'))) return [join(folder, '.git'), join(folder, '.gitmodules')];
	return dirname(folder) === folder || existsSync(join(folder, '.git')) ? [] : listFilesAround(dirname(folder));
}

/** True for a flag whose value is the next word, also the last of several letters (`-qb main`) and the beginning of a name (`--bra`). */
function hasItsValueNext(word: string, withValue: readonly string[]): boolean {
	if (word.startsWith('--')) {
		return word.length > 2 && withValue.some((flag) => flag.startsWith(word));
	}
	const letters = [...word.slice(1)];
	return letters.findIndex((letter) => withValue.includes(`-${letter}`)) === letters.length - 1 && letters.length > 0;
}

function findRepositoryFolder(
	verb: string,
	[first, second, third]: readonly string[],
	isBare: boolean,
): string | undefined {
	switch (verb) {
		case 'init':
			return second === undefined ? (first ?? '.') : undefined;
		case 'clone':
			return first === undefined || third !== undefined ? undefined : (second ?? nameOfClone(first, isBare));
		case 'worktree':
			return first === 'add' ? second : undefined;
		case 'submodule':
			return first === 'add' && second !== undefined ? (third ?? nameOfClone(second, false)) : undefined;
		default:
			return undefined;
	}
}

/** Name of the folder that Git makes for a clone of an address or a path. */
function nameOfClone(from: string, isBare: boolean): string | undefined {
	const parts = /[:\\]$/.test(from) ? [] : from.split(/[/:\\]/).filter((part) => part !== '');
	const last = parts.at(-1) === '.git' ? parts.at(-2) : parts.at(-1);
	const name = last?.replace(/\.git$/, '');
	return name === undefined || !isBare ? name : `${name}.git`;
}
