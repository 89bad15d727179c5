/** Declaration of a command of the CLI; the table of all commands is `commands.ts`. */
import type { StartedServerProgram } from '../server/server-program.ts';
import type { SystemPlace } from '../../machine/organisation/system-file.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface OptionDef {
	/** Placeholder of the value in the help, e.g. `DIR`; absent: the option is a switch. */
	readonly value?: string;
	/** Set when the option may be given several times. */
	readonly isRepeatable?: true;
	/** The only values it takes. */
	readonly choices?: readonly string[];
	readonly description: string;
}

/** No limit of operands: as many as the system hands over. */
export const anyNumber = Number.POSITIVE_INFINITY;

export interface CommandDef {
	/** Name of one or two words: `run`, `ledger list`. */
	readonly name: string;
	readonly summary: string;
	/** Operands after the name, as the help shows them. */
	readonly operands?: string;
	/** Least and most operands; `anyNumber` for no limit. */
	readonly operandCount: readonly [number, number];
	readonly options: Readonly<Record<string, OptionDef>>;
	/** Lines of the help after the options. */
	readonly notes?: readonly string[];
	/** Loaded on use, so that starting one command does not read the others. */
	load(): Promise<CommandAction>;
}

/** A command line that fits its definition. */
export interface Invocation {
	readonly operands: readonly string[];
	/** Values by option; for an option that was given several times, the last. */
	readonly values: Readonly<Record<string, string>>;
	/** All values of options that may be given several times, in order. */
	readonly lists: Readonly<Record<string, readonly string[]>>;
	readonly switches: ReadonlySet<string>;
}

export interface CommandContext {
	readonly terminal: Terminal;
	/** The server's program, where it has been started already; it ends with the host that is composed for the command. */
	readonly server: StartedServerProgram | undefined;
	/** Variables with keys are not in it. */
	readonly environment: Readonly<Record<string, string | undefined>>;
	/** Where the rules of the user's organisation would be; absent: where this platform has them. */
	readonly system?: SystemPlace | undefined;
	/** Aborts on the first signal of the system and when nobody reads standard output any more. */
	readonly signal: AbortSignal;
	/** Registers what a second signal ends before the process ends; bounded. */
	onKill(end: () => Promise<void>): void;
}

/** Resolves with the exit code. */
export type CommandAction = (invocation: Invocation, context: CommandContext) => Promise<number>;
