/**
 * Wildcards in the words of commands, looked up in the folder that they run in before anybody is asked, and the home of the
 * user: the words that are shown and judged are those that are passed. Where nothing matches, the word stays for a program that only reads, as in a shell,
 * and for an `rm` that is told to remove what may not be there; any other is not run, as it would take the word for a name.
 */
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import { type CommandChain, listChainCommands, type SimpleCommand } from '../../protocol/ops/commands/command-chain.ts';
import {
	changesNothing,
	isHomeWord,
	unescapePattern,
	nameMatcher,
	removesAtMost,
} from '../../protocol/ops/commands/wildcards.ts';
import type { Located, WorkspacePaths } from '../../machine/paths/workspace-paths.ts';
import { MATCHES_OF_PATTERN, NAMES_OF_PATTERNS } from '../limits.ts';

interface PatternSearch {
	readonly cwd: Located;
	readonly paths: WorkspacePaths;
	/** Names that may still be looked at. */
	left: number;
}

/**
 * Without patterns. Rejects with NOT_FOUND where a program that may change files is named none, with INVALID_PARAMS when too many
 * names match, and where a link leads out of the workspace.
 */
export async function expandPatterns(
	chain: CommandChain,
	cwd: Located,
	paths: WorkspacePaths,
	home: string,
): Promise<CommandChain> {
	const search: PatternSearch = { cwd, paths, left: NAMES_OF_PATTERNS };
	const expanded: (SimpleCommand & { join: NonNullable<CommandChain['chain']>[number]['join'] | '' })[] = [];
	for (const { join: before, argv, redirects, patterns = [] } of listChainCommands(chain)) {
		const onlyReads = changesNothing(argv);
		const mayBeNone = onlyReads || removesAtMost(argv);
		const words: string[] = [];
		for (const [index, word] of argv.entries()) {
			if (!patterns.includes(index)) {
				words.push(word);
				continue;
			}
			if (isHomeWord(word.replaceAll(/\\./gs, ''))) {
				words.push(`${home}${unescapePattern(word).slice(1)}`);
				continue;
			}
			const found = await findPatternMatches(word, search);
			if (found.length === 0 && !mayBeNone) {
				throw nothingMatches(word, cwd);
			}
			// A name must not become a flag of a program that changes files.
			const named = onlyReads ? found : found.map((name) => (name.startsWith('-') ? `./${name}` : name));
			words.push(...(found.length === 0 ? [unescapePattern(word)] : named));
		}
		expanded.push({ join: before, argv: words, ...(redirects === undefined ? {} : { redirects }) });
	}
	const [{ join: _, ...first } = { join: '', argv: [] }, ...rest] = expanded;
	const following = rest.flatMap(({ join: before, ...command }) =>
		before === '' ? [] : [{ join: before, ...command }],
	);
	return following.length === 0 ? first : { ...first, chain: following };
}

function nothingMatches(pattern: string, { path }: Located): ProwessError {
	const where = path === '.' ? 'the workspace' : path;
	return new ProwessError('NOT_FOUND', `nothing in ${where} matches ${pattern}, so nothing was run`, { path: pattern });
}

async function findPatternMatches(pattern: string, search: PatternSearch): Promise<readonly string[]> {
	const parts = pattern.split('/');
	let found: readonly string[] = [''];
	for (const [index, part] of parts.entries()) {
		const slash = index === 0 ? '' : '/';
		const matcher = nameMatcher(part);
		if (matcher === undefined) {
			found = found.map((before) => `${before}${slash}${unescapePattern(part)}`);
			continue;
		}
		const next: string[] = [];
		for (const before of found) {
			const names = (await listSearchedNames(before, search)).filter((name) => matcher.test(name));
			next.push(...names.map((name) => `${before}${slash}${name}`));
		}
		found = next;
	}
	const there: string[] = [];
	for (const path of found) {
		if (await isNamePresent(join(search.cwd.realPath, path), path.endsWith('/'))) there.push(path);
	}
	if (there.length > MATCHES_OF_PATTERN) {
		const message = `${pattern} matches ${there.length} names, more than ${MATCHES_OF_PATTERN}: narrow it, or use a tool that searches`;
		throw new ProwessError('INVALID_PARAMS', message, { pattern });
	}
	return there.toSorted((a, b) => (a < b ? -1 : 1));
}

/** None where there is no such folder. Rejects with PATH_OUTSIDE_WORKSPACE when a link leads out. */
async function listSearchedNames(path: string, search: PatternSearch): Promise<readonly string[]> {
	const { cwd, paths } = search;
	let folder: Located;
	try {
		folder = await paths.locate(paths.resolveFound(join(cwd.absolutePath, path)));
	} catch (error) {
		if (isProwessError(error) && error.code === 'NOT_FOUND') {
			return [];
		}
		throw error;
	}
	if (folder.kind !== 'folder') {
		return [];
	}
	const names: string[] = [];
	for await (const { name } of await opendir(folder.realPath)) {
		if (--search.left < 0) {
			const message = `wildcards would look at more than ${NAMES_OF_PATTERNS} names: narrow them, or use a tool that searches`;
			throw new ProwessError('INVALID_PARAMS', message, {});
		}
		names.push(name);
	}
	return names;
}

async function isNamePresent(path: string, isFolder: boolean): Promise<boolean> {
	try {
		// A slash at the end follows a link, as in a shell.
		await lstat(isFolder ? `${path}/` : path);
		return true;
	} catch {
		return false;
	}
}
