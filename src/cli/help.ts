/** The help, made from the table of commands. */
import type { CommandDef, OptionDef } from './invocation/command.ts';
import { cliCommands } from './commands.ts';
import { commonOptions } from './invocation/shared-options.ts';

export function helpOfCommand(command: CommandDef): string {
	const usage = ['Usage: prowess', command.name, command.operands, '[options]'].filter((part) => part !== undefined);
	const notes = command.notes === undefined ? '' : `\n${command.notes.join('\n')}\n`;
	const options = Object.entries({ ...command.options, ...commonOptions }).map(optionLine);
	return `${usage.join(' ')}\n\n${formatSentence(command.summary)}\n\nOptions:\n${alignColumns(options)}${notes}`;
}

/** The commands whose first word is `topic`; all of them without one. */
export function helpOfTopic(topic: string): string {
	const named = cliCommands.filter(({ name }) => name === topic || name.startsWith(`${topic} `));
	const shown = named.length === 0 ? cliCommands : named;
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
