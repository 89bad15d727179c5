/** Servers that the agent's own commands run in their sandbox, for the browser of the same thread: nobody else is there. */
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import { hostHere, isHere } from '../../machine/http/server-here.ts';
import type { TargetUrl } from '../../machine/http/target-url.ts';
import type { CommandWall } from '../../machine/sandbox/command-wall.ts';
import type { InnerServer } from '../../machine/sandbox/network/command-network.ts';

export interface InnerServerParts {
	/** Absent: commands run in no sandbox. */
	readonly wall?: Pick<CommandWall, 'connectInside'>;
}

/** Tries whether a sandboxed command of the thread listens there. */
export async function isInnerServer(
	{ wall }: InnerServerParts,
	threadId: ThreadId | null,
	target: TargetUrl,
	signal: AbortSignal,
): Promise<boolean> {
	if (threadId === null || !isHere(target)) return false;
	const socket = await wall?.connectInside?.(threadId, target.port, signal);
	socket?.destroy();
	return socket !== undefined;
}

/** Returns the way there, and to no server of this machine: also once the command has ended. */
export function toInnerServer(
	{ wall }: InnerServerParts,
	threadId: ThreadId | null,
	target: TargetUrl,
	signal: AbortSignal,
): InnerServer {
	return {
		kind: 'inner',
		async connect() {
			const socket = threadId === null ? undefined : await wall?.connectInside?.(threadId, target.port, signal);
			if (socket === undefined) {
				const host = hostHere(target);
				throw new ProwessError('HOST_REFUSED', `no command of this thread listens at ${host}`, { host });
			}
			return socket;
		},
	};
}
