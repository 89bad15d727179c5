/**
 * A command line as models write it, as the commands it means. What plain words, quotes, `|` and `&&` say is run as it
 * stands, without a shell; anything else needs one, and is run by `sh`, which is then what the user is asked about.
 */
import { type CommandChain, readShellLine } from '../../../protocol/ops/commands/shell-line.ts';
import { isForShell, shellFor } from './shell-builtins.ts';

interface Commands extends CommandChain {
	/** From a `cd` at its beginning. */
	readonly cwd?: string;
	/** From an `&` at its end. */
	readonly background?: true;
}

/** Undefined: there is no command in it, or it needs a shell where there is no `sh`. */
export function commandsOfLine(line: string, platform: NodeJS.Platform): Commands | undefined {
	const trimmed = line.trim();
	if (trimmed === '') {
		return undefined;
	}
	const [, inBackground] = /^((?:[^&;\n]|>&|&&)*[^&\s>|\\;])\s*&$/.exec(trimmed) ?? [];
	if (inBackground !== undefined) {
		const commands = commandsOfLine(inBackground, platform);
		return commands === undefined ? undefined : { ...commands, background: true };
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
	return platform === 'win32' ? undefined : { argv: shellFor(trimmed) };
}

/** `cd a && b` runs b in a. */
function withoutFolder(line: string): { readonly cwd?: string; readonly rest: string } {
	const [whole, quoted, plain] = /^cd\s+(?:"([^"$`\\]+)"|([\w./@+-]+))\s*&&\s*/.exec(line) ?? [];
	const cwd = quoted ?? plain;
	return whole === undefined || cwd === undefined ? { rest: line } : { cwd, rest: line.slice(whole.length) };
}
