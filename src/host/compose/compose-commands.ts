/** Composition of what runs commands: their sandbox, and the looks at what they change. */
import type { HostPorts } from '../../contract/ports/ports.ts';
import { wallOfPlatform } from '../../machine/sandbox/wall-of-platform.ts';
import { CommandRunner } from '../../machine/shell/command-runner.ts';
import { WorkspaceSweeps } from '../../machine/sweep/workspace-sweeps.ts';
import type { Redactor } from '../../trust/record/redaction/redactor.ts';
import { workerUrl } from '../../machine/worker-url.ts';

/** `bubblewrap`: where it may lie, best first. */
export function hostCommands(
	{ workspace, settings, log, places }: Pick<HostPorts, 'workspace' | 'settings' | 'log' | 'places'>,
	redactor: Redactor,
	bubblewrap: () => readonly string[],
) {
	const commandSandbox = wallOfPlatform({
		platform: process.platform,
		home: places.home,
		folders: () => workspace.folders.map(({ path }) => path),
		bubblewrapCandidates: bubblewrap,
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
