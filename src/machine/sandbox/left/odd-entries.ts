/** Takes away pipes, sockets and devices that commands have left in the workspace. */
import { toErrorMessage } from '../../../base/text/message-of.ts';
import { removeOdd } from '../../paths/remove-file.ts';
import { isInFolder } from '../mounts/mounts.ts';
import { socketsOfHost } from '../watch/seen-processes.ts';

/** `found`: absolute, in one of the `roots`. Sockets of programs outside of any sandbox stay. Resolves with sentences on that. */
export async function removeOddEntries(found: readonly string[], roots: readonly string[]): Promise<readonly string[]> {
	const ofHost: ReadonlySet<string> = found.length === 0 ? new Set() : socketsOfHost();
	const left = found.filter((path) => !ofHost.has(path));
	return await Promise.all(
		left.map(async (path) => {
			const root = roots.find((each) => isInFolder(path, each)) ?? '/';
			const shown = path.slice(root.length + 1);
			try {
				await removeOdd({ realRoot: root, realPath: path, path: shown });
				return `${shown} is a pipe, a socket or a device, which keeps waiting whoever opens it. The command left it, so it was removed.`;
			} catch (error) {
				return `${shown} is a pipe, a socket or a device that the command left. ${toErrorMessage(error)}. Remove it.`;
			}
		}),
	);
}
