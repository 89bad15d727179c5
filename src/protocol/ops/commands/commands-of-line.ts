/**
 * Reads a command line, as models write it, as the commands it means. A line of words, quotes, operators between
 * commands and files behind `>` and `<` runs as it stands, without a shell; anything else needs a shell and is run by
 * `sh` or `bash`, which is then what the user is asked about.
 */
import { readShellLine } from './read-shell-line.ts';
import { chainLimits, type CommandChain, listChainCommands } from './command-chain.ts';

interface LineCommands extends CommandChain {
	/** From a `cd` at its beginning. */
	readonly cwd?: string;
	/** From an `&` at its end. */
	readonly background?: true;
}

/** Undefined: there is no command in it, or it needs a shell where there is no `sh`. */
export function commandsOfLine(line: string, platform: string): LineCommands | undefined {
	const trimmed = line.trim();
	if (trimmed === '') {
		return undefined;
	}
	const [, inBackground] = /^((?:[^&;\n]|>&|&>|&&)*[^&\s>|\\;])\s*&$/.exec(trimmed) ?? [];
	if (inBackground !== undefined) {
		const commands = commandsOfLine(inBackground, platform);
		return commands === undefined ? undefined : { ...commands, background: true };
	}
	const { cwd, rest } = splitLeadingCd(trimmed);
	const read = readShellLine(rest);
	if (read !== undefined) {
		return { ...read, ...(cwd === undefined ? {} : { cwd }) };
	}
	return platform === 'win32' ? undefined : { argv: chooseShell(trimmed) };
}

/** The same, as it can be run: a line with more commands than run without a shell is one for a shell. */
export function commandsToRun(line: string, platform: string): LineCommands | undefined {
	const read = commandsOfLine(line, platform);
	if (read === undefined || platform === 'win32' || !isTooLong(read)) {
		return read;
	}
	return { argv: chooseShell(line.trim()) };
}

function isTooLong(commands: CommandChain): boolean {
	const { chained, redirects, words } = chainLimits;
	const all = listChainCommands(commands);
	return (
		all.length > chained + 1 ||
		all.some((each) => each.argv.length > words || (each.redirects?.length ?? 0) > redirects)
	);
}

/** `cd a && b` runs b in a, and so does `cd a; b`, unless there is no such folder. */
function splitLeadingCd(line: string): { readonly cwd?: string; readonly rest: string } {
	const [whole, quoted, plain] =
		/^cd\s+(?:"([^"$`\\]+)"|([\w./@+-]+))(?:\s*&&\s*|[ \t]*[;\n]\s*(?!;))/.exec(line) ?? [];
	const cwd = quoted ?? plain;
	return whole === undefined || cwd === undefined ? { rest: line } : { cwd, rest: line.slice(whole.length) };
}

const QUOTED_SHELL_TEXT = /'[^']*'|"(?:[^"\\]|\\.)*"/g;

const OF_BASH = new RegExp(
	[
		String.raw`(?:^|[\s;&|(])(?:\[\[|source|declare|local|pushd|popd|shopt|let|time|function)\s`,
		String.raw`[<>]\(|&>|\|&|<<<|\$"|\w\+?=\(|\*\*|pipefail`,
		String.raw`\{[^\s{}]*(?:,|\.\.)[^\s{}]*\}|\$\{\w+(?:\^|,|/|:\d)`,
	].join('|'),
);

/**
 * Returns the argv of the shell that runs the line: `sh`, or `bash` where `sh` would take the line for something else.
 */
function chooseShell(line: string): readonly string[] {
	const bare = line.replaceAll(QUOTED_SHELL_TEXT, '""');
	if (!OF_BASH.test(bare)) {
		return ['sh', '-c', line];
	}
	return bare.includes('**') ? ['bash', '-O', 'globstar', '-c', line] : ['bash', '-c', line];
}
