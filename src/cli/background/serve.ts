/** `prowess serve`: the background host. Projects are opened by the process of each folder, never here. */
import { listenInBackground } from '../../features/background/listen.ts';
import type { EndedWork } from '../../protocol/background.ts';
import { messageOf } from '../../base/text/message-of.ts';
import { withHost } from '../ports/cli-host.ts';
import { isFolder, isTrusted } from '../home/trusted-folders.ts';
import { version } from '../home/installation.ts';
import type { CommandAction, Invocation } from '../invocation/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { keysByVariable } from '../server/credentials.ts';
import { visibleLine } from '../terminal/visible.ts';
import { BackgroundHost } from './background-host.ts';
import { startFolderProcess } from './folder-process.ts';
import { endedLine, waitingLine } from './serve-lines.ts';

export const serve: CommandAction = async (invocation, context) => {
	const { terminal, environment, signal } = context;
	return await withHost(invocation, context, { workspace: undefined, approvalMode: 'never' }, async (host) => {
		const { schedules, goals } = await host.trustedBase();
		const startedAt = Date.now();
		const said = (text: string) => terminal.err(text);
		const background = new BackgroundHost({
			version,
			startedAt,
			schedules,
			goals,
			whyNot: (folder) => (!isFolder(folder) ? 'gone' : isTrusted(host.home, folder) ? undefined : 'untrusted'),
			begin: (folder, tellEnded) => {
				const onEnded = (work: EndedWork) => {
					terminal.out(`${endedLine(work)}\n`);
					tellEnded(work);
				};
				const options = optionsOf(invocation);
				return startFolderProcess({ folder, options, environment, keys: keysByVariable(), onEnded, onSaid: said });
			},
			onWaiting: (waiting) => said(`${waitingLine(waiting)}\n`),
			onFailure: (error) => said(`prowess: ${visibleLine(messageOf(error))}\n`),
		});
		const listening = await listenInBackground(host.home, { version, startedAt }, background);
		try {
			said(`Prowess works in the background: process ${process.pid}. Stop it with "prowess serve stop".\n`);
			await background.run(signal);
		} finally {
			listening.dispose();
		}
		return exitCodes.done;
	});
};

/** Returns the options that also count for the processes of folders. */
function optionsOf({ values, switches }: Invocation): readonly string[] {
	const given = ['provider', 'base-url', 'model'].flatMap((name) => {
		const value = values[name];
		return value === undefined ? [] : [`--${name}`, value];
	});
	return switches.has('verbose') ? [...given, '--verbose'] : given;
}
