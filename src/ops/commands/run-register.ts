/** Commands that run, as the user looks at them: what they say is shown without secrets, as everywhere. */
import type { Runs } from '../../contract/runs.ts';
import type { HostPorts } from '../../contract/ports/ports.ts';
import { bubblewrapCandidates } from '../../machine/sandbox/sandbox.ts';
import { wallOfPlatform } from '../../machine/sandbox/wall-of-platform.ts';
import { CommandRunner } from '../../machine/shell/command-runner.ts';
import { WorkspaceSweeps } from '../../machine/sweep/workspace-sweeps.ts';
import { workerUrl } from '../../machine/worker-url.ts';
import type { Redactor } from '../../trust/record/redaction/redactor.ts';

interface RunRegisterDeps {
	readonly commands: Pick<CommandRunner, 'stopByUser' | 'continueInBackground' | 'follow'>;
	readonly redactor: Pick<Redactor, 'stream'>;
}

/** Creates the runner of commands, its sandbox, and the looks at the changes of a command. */
export function createCommands(
	{ workspace, settings, log, places }: Pick<HostPorts, 'workspace' | 'settings' | 'log' | 'places'>,
	redactor: Pick<Redactor, 'redact'>,
) {
	const commandSandbox = wallOfPlatform({
		platform: process.platform,
		home: places.home,
		folders: () => workspace.folders.map(({ path }) => path),
		bubblewrapCandidates: () => bubblewrapCandidates(settings.current['prowess.tools.bubblewrapPath']),
		networkListener: workerUrl('./sandbox/network/network-listener.ts', 'network-listener.mjs', places.dist),
		onUnusableNetwork: (error) =>
			log.warn('sandboxed commands have no network here', { error: redactor.redact(String(error)) }),
	});
	const commands = new CommandRunner(process.env, commandSandbox);
	const sweeps = new WorkspaceSweeps({
		workerUrl: workerUrl('./sweep/worker.ts', 'sweep-worker.mjs', places.dist),
		home: places.home,
		folders: () => workspace.folders.map(({ path }) => path),
		keptBytes: () => settings.current['prowess.changes.commandMegabytes'] * 1024 * 1024,
		onFailed: (error) =>
			log.warn('what a command changes could not be found out', { error: redactor.redact(String(error)) }),
	});
	return { commandSandbox, commands, sweeps };
}

export function runRegister({ commands, redactor }: RunRegisterDeps): Runs {
	return {
		stop: (opId, threadId) => commands.stopByUser(opId, threadId),
		continueInBackground: (opId, threadId) => commands.continueInBackground(opId, threadId),
		follow(opId, threadId, follower) {
			const clean = redactor.stream();
			const writeUnlessEmpty = (text: string) => {
				if (text !== '') {
					follower.write(text);
				}
			};
			return commands.follow(opId, threadId, {
				// The lead is not shown, but a part of it that the redactor holds back may go on in what is shown.
				lead: (text) => void clean.push(text),
				write: (text) => writeUnlessEmpty(clean.push(text)),
				end(end) {
					writeUnlessEmpty(clean.end());
					follower.end(end);
				},
			});
		},
	};
}
