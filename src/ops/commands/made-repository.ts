/**
 * Finds the repository that `git init` would make. A sandbox lets no command make one, because Git runs what a
 * repository says; so making one is asked for as an act of its own, before the command fails half-way.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SimpleCommand } from '../../protocol/ops/commands/command-chain.ts';

const WITH_VALUE = new Set(['-b', '--initial-branch', '--template', '--object-format', '-c']);

/** Returns the paths of repositories that the commands make, relative to `cwd`, which is free of links. */
export function findMadeRepositories(commands: readonly SimpleCommand[], cwd: string): readonly string[] {
	return commands.flatMap(({ argv: [program, ...words] }) => {
		const bare = words.filter((word, at) => !word.startsWith('-') && !WITH_VALUE.has(words[at - 1] ?? ''));
		const [verb, folder = '.', ...more] = bare;
		const isElsewhere = words.some((word) => /^(?:-C|--git-dir|--work-tree|--bare|--separate-git-dir)/.test(word));
		if (program !== 'git' || verb !== 'init' || more.length > 0 || isElsewhere) {
			return [];
		}
		const path = join(folder, '.git');
		// A folder without `HEAD` stands for a repository that is not there.
		return existsSync(join(cwd, path, 'HEAD')) ? [] : [path];
	});
}
