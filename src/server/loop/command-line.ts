/**
 * A command line as models write it, as the commands it means. What plain words, quotes, `|` and `&&` say is run as it
 * stands, without a shell; anything else needs one, and is run by `sh`, which is then what the user is asked about.
 */
import { type CommandChain, readShellLine } from '../../protocol/ops/shell-line.ts';

interface Commands extends CommandChain {
	/** From a `cd` at its beginning. */
	readonly cwd?: string;
}

/** Undefined: there is no command in it, or it needs a shell where there is no `sh`. */
export function commandsOfLine(line: string, platform: NodeJS.Platform): Commands | undefined {
	const trimmed = line.trim();
	if (trimmed === '') {
		return undefined;
	}
	const { cwd, rest } = withoutFolder(trimmed);
	// Both outputs come together anyway.
	const read = readShellLine(rest.replace(/\s+2>&1$/, ''));
	if (
		read !== undefined &&
		!read.argv.some(isForShell) &&
		!(read.chain ?? []).some(({ argv }) => argv.some(isForShell))
	) {
		return { ...read, ...(cwd === undefined ? {} : { cwd }) };
	}
	return platform === 'win32' ? undefined : { argv: ['sh', '-c', trimmed] };
}

/** `cd a && b` runs b in a. */
function withoutFolder(line: string): { readonly cwd?: string; readonly rest: string } {
	const [whole, quoted, plain] = /^cd\s+(?:"([^"$`\\]+)"|([\w./@+-]+))\s*&&\s*/.exec(line) ?? [];
	const cwd = quoted ?? plain;
	return whole === undefined || cwd === undefined ? { rest: line } : { cwd, rest: line.slice(whole.length) };
}

/** Built into a shell: there is no such program. */
const BUILT_IN = new Set([
	'cd',
	'export',
	'source',
	'.',
	'set',
	'unset',
	'alias',
	'eval',
	'exec',
	'ulimit',
	'umask',
	'wait',
]);

function isForShell(word: string, index: number): boolean {
	return index === 0 && BUILT_IN.has(word);
}
