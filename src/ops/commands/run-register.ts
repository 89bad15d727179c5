/** Commands that run, as the user looks at them: what they say is shown without secrets, as everywhere. */
import { shortenToLine } from '../../base/text/one-line.ts';
import type { OpId, ThreadId } from '../../protocol/rpc/ids.ts';
import type { LedgerPort } from '../../trust/record/ledger/ledger.ts';
import { recordUserAct } from '../../trust/record/ledger/user-act.ts';
import type { Runs } from '../../contract/runs.ts';
import type { HostPorts } from '../../contract/ports/ports.ts';
import { bubblewrapCandidates } from '../../machine/sandbox/sandbox.ts';
import { wallOfPlatform } from '../../machine/sandbox/wall-of-platform.ts';
import { CommandRunner } from '../../machine/shell/command-runner.ts';
import { WorkspaceSweeps } from '../../machine/sweep/workspace-sweeps.ts';
import { workerUrl } from '../../machine/worker-url.ts';
import type { Redactor } from '../../trust/record/redaction/redactor.ts';

interface RunRegisterDeps {
	readonly commands: Pick<CommandRunner, 'readWords' | 'stopByUser' | 'continueInBackground' | 'follow'>;
	readonly redactor: Pick<Redactor, 'stream' | 'redact'>;
	readonly ledger: Pick<LedgerPort, 'append'>;
}

/** Creates the runner of commands, its sandbox, and the looks at the changes of a command. */
export function createCommands(
	{
		workspace,
		documents,
		settings,
		log,
		places,
	}: Pick<HostPorts, 'workspace' | 'documents' | 'settings' | 'log' | 'places'>,
	redactor: Pick<Redactor, 'redact'>,
) {
	const commandSandbox = wallOfPlatform({
		platform: process.platform,
		home: places.home,
		folders: () => workspace.folders.map(({ path }) => path),
		openedBy: workspace.openedBy,
		bubblewrapCandidates: () => bubblewrapCandidates(settings.current['prowess.tools.bubblewrapPath']),
		networkListener: workerUrl('./sandbox/network/network-listener.ts', 'network-listener.mjs', places.dist),
		findPutIntoGit: async (...look) => {
			const { findPutIntoGit } = await import('../../machine/git/put-into-git.ts');
			return await findPutIntoGit(...look);
		},
		onUnusableNetwork: (error) =>
			log.warn('sandboxed commands have no network here', { error: redactor.redact(String(error)) }),
	});
	const commands = new CommandRunner(process.env, commandSandbox);
	const sweeps = new WorkspaceSweeps({
		workerUrl: workerUrl('./sweep/worker.ts', 'sweep-worker.mjs', places.dist),
		home: places.home,
		folders: () => workspace.folders.map(({ path }) => path),
		isUnsaved: (absolutePath) => documents.isUnsaved?.(absolutePath) === true,
		keptBytes: () => settings.current['prowess.changes.commandMegabytes'] * 1024 * 1024,
		onFailed: (error) =>
			log.warn('what a command changes could not be found out', { error: redactor.redact(String(error)) }),
	});
	return { commandSandbox, commands, sweeps };
}

export function runRegister({ commands, redactor, ledger }: RunRegisterDeps): Runs {
	const recordRunAct = (
		op: 'stop' | 'background',
		opId: OpId,
		threadId: ThreadId | null,
		work: () => Promise<void>,
	) => {
		const words = shortenToLine(redactor.redact(commands.readWords(opId, threadId)));
		const act = {
			op: `shell.${op}`,
			input: op === 'stop' ? `Stop the command ${words}` : `Continue the command ${words} in the background`,
			params: { startedBy: opId },
			...(threadId === null ? {} : { threadId }),
		} as const;
		return recordUserAct(ledger, act, () => (op === 'stop' ? 'it was stopped' : 'it runs in the background'), work);
	};
	return {
		async stop(opId, threadId) {
			let isTried = false;
			const stop = () => {
				isTried = true;
				return commands.stopByUser(opId, threadId);
			};
			try {
				await recordRunAct('stop', opId, threadId, stop);
			} finally {
				// Stops it also where that cannot be recorded.
				if (!isTried) await stop();
			}
		},
		continueInBackground: async (opId, threadId) =>
			recordRunAct('background', opId, threadId, async () => commands.continueInBackground(opId, threadId)),
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
