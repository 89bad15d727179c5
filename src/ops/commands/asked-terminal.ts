/** The terminal that a command asks for with `tty`: only where all that it starts ends with it, and for programs alone. */
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { SimpleCommand } from '../../protocol/ops/commands/command-chain.ts';
import { text } from '../../protocol/text/text.ts';
import { findTerminalProgram } from '../../machine/sandbox/pseudo-terminal.ts';

interface AskingCommand {
	/** Each a list of the programs in one pipe. */
	readonly pipelines: readonly { readonly commands: readonly SimpleCommand[] }[];
	/** True in a sandbox whose processes are apart: those in a terminal are in no group that we could end. */
	readonly hasOwnProcesses: boolean;
}

/** Returns the program that makes the terminal. Throws where the command cannot have one. */
export function findAskedTerminal(
	{ pipelines, hasOwnProcesses }: AskingCommand,
	find: () => string | undefined = findTerminalProgram,
): string {
	const isPiped = pipelines.some(({ commands }) => commands.length > 1 || (commands[0]?.redirects ?? []).length > 0);
	if (isPiped) {
		throw new ProwessError('INVALID_PARAMS', 'tty is for a program without pipes and redirects', {
			said: text('A terminal is only for a program without pipes and redirects.'),
		});
	}
	if (!hasOwnProcesses) {
		throw new ProwessError(
			'INVALID_STATE',
			'tty needs the sandbox of Linux, and this command does not run in it: leave out tty',
			{ said: text('A command has a terminal only in the sandbox of Linux, and this one does not run in it.') },
		);
	}
	const program = find();
	if (program === undefined) {
		throw new ProwessError(
			'COMMAND_NOT_FOUND',
			'tty needs the program "script" of util-linux, which is not installed: have it installed, or leave out tty',
			{ program: 'script' },
		);
	}
	return program;
}
