/**
 * Finds the repositories that Git commands would make. A sandbox lets no command make one, because Git runs what a
 * repository says; so making one is asked for as an act of its own, before the command fails half-way.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { SimpleCommand } from '../../protocol/ops/commands/command-chain.ts';

/** Flags whose value is a word of its own, by verb; those before any verb first. */
const WITH_VALUE: Readonly<Record<string, readonly string[]>> = {
	'': ['-c'],
	init: ['-b', '--initial-branch', '--template', '--object-format'],
	clone: '-b --branch -o --origin -u --upload-pack --template --reference --depth --filter -c --config -j --jobs'.split(
		' ',
	),
	worktree: ['-b', '-B', '--reason'],
};
/** Flags of what is made elsewhere, or in another shape. */
const ELSEWHERE = /^--(?:git-dir|work-tree|separate-git-dir|mirror)\b/;

/** Returns the paths of repositories that the commands make, absolute. `cwd` is absolute and free of links. */
export function findMadeRepositories(commands: readonly SimpleCommand[], cwd: string): readonly string[] {
	return commands.flatMap(({ argv: [program, ...words] }) => (program === 'git' ? findRepositoryData(words, cwd) : []));
}

function findRepositoryData(words: readonly string[], cwd: string): readonly string[] {
	let folder = cwd;
	let verb = '';
	const named: string[] = [];
	for (let at = 0; at < words.length; at++) {
		const word = words[at] ?? '';
		if (verb === '' && word === '-C') folder = resolve(folder, words[(at += 1)] ?? '.');
		else if (WITH_VALUE[verb]?.includes(word) === true) at += 1;
		else if (ELSEWHERE.test(word)) return [];
		else if (word.startsWith('-')) continue;
		else if (verb === '') verb = word;
		else named.push(word);
	}
	const isBare = words.includes('--bare');
	const made = findRepositoryFolder(verb, named, isBare);
	if (made === undefined) return [];
	const path = resolve(folder, made);
	const data = isBare ? join(path, 'HEAD') : join(path, '.git');
	// A folder without `HEAD` stands for a repository that is not there.
	return existsSync(isBare ? data : join(data, 'HEAD')) ? [] : [data];
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
