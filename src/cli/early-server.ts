/**
 * The server's program, started before the command line's own is loaded: the two of them load at the same time. Only for a
 * `run` in a folder that is trusted already. Whatever is wrong with the words is found again, and said, by the command.
 */
import { existingHome, openHome } from './home/home-folder.ts';
import { isTrusted } from './home/trusted-folders.ts';
import { installation } from './home/installation.ts';
import { readInvocation } from './invocation/invocation-of.ts';
import { namedFolder } from './invocation/workspace-option.ts';
import { runDefinition } from './run/run-definition.ts';
import { killServerProgram, type StartedServerProgram, startServerProgram } from './server/server-program.ts';

type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/**
 * Starts the server's program, which never outlives this process. Undefined: nothing may be started yet, or another
 * command is meant.
 */
export function earlyServer(
	[name, ...words]: readonly string[],
	environment: EnvironmentVariables,
): StartedServerProgram | undefined {
	if (name !== runDefinition.name || existingHome(environment) === undefined) {
		return undefined;
	}
	try {
		const invocation = readInvocation(runDefinition, words);
		const home = openHome(environment);
		if (invocation === 'help' || !isTrusted(home, namedFolder(invocation, home, name))) {
			return undefined;
		}
		const program = startServerProgram({ program: installation.server, home, environment });
		process.once('exit', () => killServerProgram(program));
		return program;
	} catch {
		return undefined;
	}
}
