/** `prowess serve`: the background host. Projects are opened by the process of each folder, never here. */
import { listenInBackground } from '../../features/background/listen.ts';
import type { EndedWork } from '../../protocol/background.ts';
import { toErrorMessage } from '../../base/text/message-of.ts';
import { withHost } from '../ports/cli-host.ts';
import { isTrusted } from '../home/trusted-folders.ts';
import { isExistingFolder } from '../../machine/paths/is-folder.ts';
import { packageVersion } from '../home/installation.ts';
import type { CommandAction, Invocation } from '../invocation/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { keysByVariable } from '../server/credentials.ts';
import { visibleLine } from '../terminal/visible.ts';
import { watchHomeJobs } from '../jobs/work-command.ts';
import { startFolderProcess } from './folder-process.ts';
import { endedLine, waitingLine } from './serve-status.ts';

export const serveInBackground: CommandAction = async (invocation, context) => {
	const { terminal, environment, signal } = context;
	return await withHost(invocation, context, { workspace: undefined, approvalMode: 'never' }, async (host) => {
		const { schedules, goals } = await host.trustedBase();
		const startedAt = Date.now();
		const labels = invocation.lists['label'] ?? [];
		const printNotice = (text: string) => terminal.err(text);
		const { BackgroundHost } = await import('./background-host.ts');
		const jobs = await watchHomeJobs({ environment }, labels, () => background.lookForJobs());
		const background = new BackgroundHost({
			version: packageVersion,
			startedAt,
			schedules,
			goals,
			whyNot: (folder) => (!isExistingFolder(folder) ? 'gone' : isTrusted(host.home, folder) ? undefined : 'untrusted'),
			jobFolders: (until) => jobs.findFolders(until),
			begin: (folder, what, tellEnded) => {
				const onEnded = (work: EndedWork) => {
					terminal.out(`${endedLine(work)}\n`);
					tellEnded(work);
				};
				const isForJobs = what === 'jobs';
				const options = [
					...listFolderOptions(invocation),
					...(isForJobs ? labels.flatMap((name) => ['--label', name]) : []),
				];
				return startFolderProcess({
					folder,
					isForJobs,
					options,
					environment,
					keys: keysByVariable(),
					onEnded,
					onSaid: printNotice,
				});
			},
			onWaiting: (waiting) => printNotice(`${waitingLine(waiting)}\n`),
			onFailure: (error) => printNotice(`prowess: ${visibleLine(toErrorMessage(error))}\n`),
		});
		try {
			const listening = await listenInBackground(host.home, { version: packageVersion, startedAt }, background);
			try {
				printNotice(`Prowess works in the background: process ${process.pid}. Stop it with "prowess serve stop".\n`);
				await background.run(signal);
			} finally {
				listening.dispose();
			}
		} finally {
			await jobs.dispose();
		}
		return exitCodes.done;
	});
};

/** Returns the options that also count for the processes of folders. */
function listFolderOptions({ values, switches }: Invocation): readonly string[] {
	const given = ['provider', 'base-url', 'model'].flatMap((name) => {
		const value = values[name];
		return value === undefined ? [] : [`--${name}`, value];
	});
	return switches.has('verbose') ? [...given, '--verbose'] : given;
}
