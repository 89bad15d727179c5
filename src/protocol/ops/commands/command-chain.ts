/** Commands in pipes and one after the other, without a shell. */
import type { Redirect } from './redirect.ts';

/** `|` pipes, `&&` goes on after a success, `||` after a failure, `;` in any case. */
export type Join = '|' | '&&' | '||' | ';';

export interface SimpleCommand {
	readonly argv: readonly string[];
	/** In the order in which a shell takes them; absent: none. */
	readonly redirects?: readonly Redirect[] | undefined;
	/** Places in `argv` of words with wildcards, in which a backslash makes one a character; absent: none has any. */
	readonly patterns?: readonly number[] | undefined;
}

/** The first command, and those that follow it. */
export interface CommandChain extends SimpleCommand {
	readonly chain?: readonly (SimpleCommand & { readonly join: Join })[] | undefined;
}

/** Limits of what runs without a shell: commands after the first, redirects and words of each, words with wildcards. */
export const chainLimits = { chained: 15, redirects: 8, words: 512 } as const;

/** Each with the operator before it; that of the first is empty. */
export function listChainCommands({
	chain = [],
	...first
}: CommandChain): readonly (SimpleCommand & { join: Join | '' })[] {
	return [{ join: '', ...first }, ...chain];
}

/** The texts of each command, and the operators between them. */
export function joinCommands(commands: CommandChain, textsOf: (command: SimpleCommand) => readonly string[]): string {
	return listChainCommands(commands)
		.map(({ join, ...command }) => {
			const line = textsOf(command).join(' ');
			return join === '' ? line : join === ';' ? `; ${line}` : ` ${join} ${line}`;
		})
		.join('');
}
