/**
 * The server's program, just started. Apart from the conversation with it, so that a command can start it first and load
 * all that the conversation takes while it loads too.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { dirname } from 'node:path';
import { serverFlags, serverMayInherit } from '../../host/server-inheritance.ts';

export interface StartedServerProgram {
	readonly child: ChildProcess;
	/** Resolves with how it ended, for whoever comes too late to hear it. */
	readonly ended: Promise<string>;
}

export interface ServerProgramOptions {
	/** Absolute path of the program. */
	readonly program: string;
	readonly home: string;
	readonly environment: Readonly<Record<string, string | undefined>>;
}

export function startServerProgram({ program, home, environment }: ServerProgramOptions): StartedServerProgram {
	const child = fork(program, ['--node-ipc'], {
		// Not the workspace: whatever lies there decides nothing about our process.
		cwd: dirname(program),
		env: buildServerEnvironment(environment, home),
		execArgv: serverFlags(process.versions.node, 'cli'),
		stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
		detached: process.platform !== 'win32',
	});
	const { promise: ended, resolve } = Promise.withResolvers<string>();
	child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : `ended by ${signal}`));
	child.once('error', (error) => resolve(`it could not be started: ${error.message}`));
	return { child, ended };
}

/** Ends it at once. */
export function killServerProgram({ child }: StartedServerProgram): void {
	if (child.exitCode === null && child.signalCode === null) {
		child.kill('SIGKILL');
	}
}

/** The environment of the server process. */
function buildServerEnvironment(
	inherited: Readonly<Record<string, string | undefined>>,
	home: string,
): Record<string, string | undefined> {
	const kept = Object.entries(inherited).filter(([name]) => serverMayInherit(name));
	return { ...Object.fromEntries(kept), PROWESS_HOME: home, NODE_USE_ENV_PROXY: '1' };
}
