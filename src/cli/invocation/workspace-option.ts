/** Options of commands that work on a folder: the folder, the trust in it, and the answer to approvals. */
import { relative, sep } from 'node:path';
import type { ApprovalMode } from '../../contract/ports/ports.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { CommandContext, Invocation } from './command.ts';
import { openHome } from '../home/home-folder.ts';
import { isTrusted, realFolder, trustFolder } from '../home/trusted-folders.ts';
import { approvalModes } from './shared-options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { UsageError } from '../terminal/usage-error.ts';

/**
 * Returns the way approvals are answered. Default: `ask` at a terminal, else `never`. Throws a UsageError for `ask`
 * without a terminal.
 */
export function readApprovalMode({ values }: Invocation, terminal: Terminal, command: string): ApprovalMode {
	const given = values['approve'];
	if (given === 'ask' && !terminal.isInteractive) {
		throw new UsageError(`${command}: --approve ask needs a terminal; use never, edit, auto or full`);
	}
	return isApprovalMode(given) ? given : terminal.isInteractive ? 'ask' : 'never';
}

function isApprovalMode(given: string | undefined): given is ApprovalMode {
	return given !== undefined && approvalModes.some((mode) => mode === given);
}

/** The folder to work on; rejects before anything in it is read when it is not trusted. */
export function trustedWorkspace(invocation: Invocation, { environment }: CommandContext, command: string): string {
	const home = openHome(environment);
	const folder = namedFolder(invocation, home, command);
	if (invocation.switches.has('trust')) {
		trustFolder(home, folder);
	} else if (!isTrusted(home, folder)) {
		throw new ProwessError('WORKSPACE_UNTRUSTED', `${folder} is not trusted; nothing in it was read`, { path: folder });
	}
	return folder;
}

/** Returns the real path of the folder; no file in it is read. Throws a UsageError when PROWESS_HOME is inside. */
export function namedFolder({ values }: Invocation, home: string, command: string): string {
	const folder = realFolder(values['workspace'] ?? '.');
	// The gate guards `.prowess` wherever it lies; under another name the agent could rewrite its own rules.
	if (!relative(folder, home).startsWith('..') && !relative(folder, home).split(sep).includes('.prowess')) {
		throw new UsageError(`${command}: PROWESS_HOME (${home}) is inside the workspace; set it to a folder outside`);
	}
	return folder;
}
