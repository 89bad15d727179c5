/**
 * A pseudo-terminal for a program in a sandbox, without a native module: `script` of util-linux makes one, sends what the
 * program writes to its own output, and ends as the program ends. In the sandbox all of its processes end with it.
 */
import { existsSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';

/** Folders of the system only: the program runs beside every command, so no folder of the user names it. */
const TERMINAL_PROGRAMS = ['/usr/bin/script', '/bin/script', '/run/current-system/sw/bin/script'];

const TERMINAL_ROWS = 40;
const TERMINAL_COLUMNS = 120;

/** Finds the program that makes terminals. The one of busybox does not tell how the program ended. */
export function findTerminalProgram(places: readonly string[] = TERMINAL_PROGRAMS): string | undefined {
	return places.find((path) => existsSync(path) && basename(realpathSync(path)) === 'script');
}

/**
 * Returns the words that run `file` in a terminal of `maker`, which gives them to `/bin/sh`. Input is at its end from
 * the start, and the program finds the terminal and the `SHELL` of its environment.
 */
export function wrapInTerminal(
	maker: string,
	{
		file,
		args,
		shell,
	}: { readonly file: string; readonly args: readonly string[]; readonly shell: string | undefined },
): { readonly file: string; readonly args: readonly string[] } {
	const own = shell === undefined ? 'unset SHELL' : `export SHELL=${quoteForShell(shell)}`;
	const size = `stty rows ${TERMINAL_ROWS} cols ${TERMINAL_COLUMNS} 2>/dev/null`;
	const line = `${size}; ${own}; export TERM=xterm; exec ${[file, ...args].map(quoteForShell).join(' ')}`;
	return { file: '/usr/bin/env', args: ['SHELL=/bin/sh', maker, '-qec', line, '/dev/null'] };
}

function quoteForShell(word: string): string {
	return `'${word.replaceAll("'", `'\\''`)}'`;
}
