/** Runs one command line and ends the process with its exit code. Every error becomes one message on standard error. */
import { isProwessError } from '../protocol/errors/errors.ts';
import type { DispatchError } from '../protocol/execution/execution.ts';
import { cliCommands } from './commands.ts';
import { commonOptions } from './invocation/shared-options.ts';
import { captureKeys } from './server/credentials.ts';
import type { StartedServerProgram } from './server/server-program.ts';
import type { CommandContext, CommandDef, OptionDef } from './invocation/command.ts';
import { exitCodes } from './terminal/exit-codes.ts';
import { Interruption, Stopped } from './terminal/interruption.ts';
import { cliLimits } from './terminal/limits.ts';
import { messageFor } from './terminal/messages.ts';
import { findHelpTopic, listTopics, parseInvocation } from './parse-invocation.ts';
import { Terminal } from './terminal/terminal.ts';
import { isUsageError } from './terminal/usage-error.ts';
import { packageVersion } from './home/installation.ts';

/** `server`: the server's program, where it has been started for these words. */
export async function runCommandLine(
	words: readonly string[],
	server: StartedServerProgram | undefined,
): Promise<void> {
	// Without a listener this signal would open a debugger's port in a process that knows keys.
	process.on('SIGUSR1', () => {});
	// Before anything else: no child we ever start inherits a key.
	captureKeys(process.env);
	const terminal = new Terminal(process);
	const interruption = new Interruption();
	terminal.onDidClose(() => interruption.stop('nobody reads the output any more'));
	const code = await runCommandWords(words, {
		terminal,
		server,
		environment: process.env,
		signal: interruption.signal,
		onKill: (end) => interruption.onKill(end),
	});
	await flushOutput(terminal, interruption.signal);
	process.exit(code);
}

/** A reader may take its time; once we are told to stop, it has only a moment more. */
async function flushOutput(terminal: Terminal, signal: AbortSignal): Promise<void> {
	await new Promise<void>((resolve) => {
		const onStop = () => setTimeout(resolve, cliLimits.flushMs);
		signal.addEventListener('abort', onStop, { once: true });
		if (signal.aborted) {
			onStop();
		}
		void terminal.flush().then(resolve);
	});
}

/** Runs the command that the words name and says on the terminal what went wrong; resolves with the exit code. */
export async function runCommandWords(words: readonly string[], context: CommandContext): Promise<number> {
	const { terminal } = context;
	const commands = await listCommandsFor(words);
	try {
		const parsed = parseInvocation(words, commands);
		switch (parsed.kind) {
			case 'version':
				terminal.out(`${packageVersion}\n`);
				return exitCodes.done;
			case 'help':
				terminal.out(
					parsed.command === undefined ? helpOfTopic(parsed.topic, commands) : helpOfCommand(parsed.command),
				);
				return exitCodes.done;
			case 'command': {
				const action = await parsed.command.load();
				return await action(parsed.invocation, context);
			}
		}
	} catch (error) {
		return wantsJson(words)
			? reportAsJson(error, terminal)
			: reportError(error, terminal, findHelpTopic(words, commands));
	}
}

/** Lists the commands that the words can mean. The rest of the table is read only where none of these begins as they do, as for help. */
async function listCommandsFor([first = '']: readonly string[]): Promise<readonly CommandDef[]> {
	const isHere = listTopics(cliCommands).includes(first);
	return isHere ? cliCommands : [...cliCommands, ...(await import('./team/team-commands.ts')).teamCommands];
}

/**
 * True when a program reads the output, for any command, also when it fails before it is known which command it is.
 * `run` reports its failure itself, as the end of a turn.
 */
function wantsJson(words: readonly string[]): boolean {
	if (words[0] === 'run') {
		return false;
	}
	const end = words.indexOf('--');
	return (end === -1 ? words : words.slice(0, end)).includes('--json');
}

/** Prints a failure as one object on standard output; the exit code it stands for. */
function reportAsJson(error: unknown, terminal: Terminal): number {
	if (error instanceof Stopped && terminal.isClosed) {
		return exitCodes.stopped;
	}
	terminal.out(`${JSON.stringify({ success: false, error: toDispatchError(error) })}\n`);
	return isUsageError(error) ? exitCodes.usage : error instanceof Stopped ? exitCodes.stopped : exitCodes.failed;
}

function toDispatchError(error: unknown): DispatchError {
	if (isProwessError(error)) {
		const { code, message, facts } = error;
		return { code, message, facts };
	}
	const message = error instanceof Error ? error.message : String(error);
	return {
		code: isUsageError(error) ? 'INVALID_PARAMS' : error instanceof Stopped ? 'CANCELLED' : 'INTERNAL',
		message,
	};
}

/** Prints what went wrong and what to do about it, or where the help about `topic` is; the exit code it stands for. */
function reportError(error: unknown, terminal: Terminal, topic: string): number {
	if (isUsageError(error)) {
		terminal.err(`prowess: ${error.message}\nSee: prowess ${topic === '' ? '' : `${topic} `}--help\n`);
		return exitCodes.usage;
	}
	if (error instanceof Stopped) {
		if (!terminal.isClosed) {
			terminal.err(`prowess: ${error.message}\n`);
		}
		return exitCodes.stopped;
	}
	if (isProwessError(error)) {
		terminal.err(messageFor(error));
		return exitCodes.failed;
	}
	terminal.err(`prowess: unexpected: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
	return exitCodes.failed;
}

/** The help, made from the table of commands. */
function helpOfCommand(command: CommandDef): string {
	const usage = ['Usage: prowess', command.name, command.operands, '[options]'].filter((part) => part !== undefined);
	const notes = command.notes === undefined ? '' : `\n${command.notes.join('\n')}\n`;
	const options = Object.entries({ ...command.options, ...commonOptions }).map(optionLine);
	return `${usage.join(' ')}\n\n${formatSentence(command.summary)}\n\nOptions:\n${alignColumns(options)}${notes}`;
}

/** The commands whose first word is `topic`; all of them without one. */
function helpOfTopic(topic: string, commands: readonly CommandDef[]): string {
	const named = commands.filter(({ name }) => name === topic || name.startsWith(`${topic} `));
	const shown = named.length === 0 ? commands : named;
	const rows = shown.map(({ name, summary }) => [`prowess ${name}`, summary] as const);
	const intro = named.length === 0 ? 'Prowess: an agent that works on your files and asks before it acts.\n\n' : '';
	return `${intro}Commands:\n${alignColumns(rows)}\n"prowess <command> --help" shows the options of a command; "prowess --version" shows the version.\nData is kept in PROWESS_HOME (default: ~/.prowess).\n`;
}

function optionLine([name, { value, choices, description }]: [string, OptionDef]): readonly [string, string] {
	const shown = choices === undefined ? value : choices.join('|');
	return [`--${name}${shown === undefined ? '' : ` ${shown}`}`, description];
}

function alignColumns(rows: readonly (readonly [string, string])[]): string {
	const width = Math.max(...rows.map(([left]) => left.length));
	return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('');
}

function formatSentence(text: string): string {
	return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
