/** `prowess acp`: an editor drives Prowess over the Agent Client Protocol. All but the host is loaded for it alone. */
import { ThreadFollower, stopTurn } from '../../host/doors/thread-follower.ts';
import { prepareMessage, sendMessage } from '../../host/doors/send-message.ts';
import { threadRequests } from '../../protocol/thread/thread-requests.ts';
import { modelRequests } from '../../protocol/turn/models.ts';
import type { CommandAction } from '../invocation/command.ts';
import { openHost } from '../ports/cli-host.ts';
import { formatApproval } from '../ports/person.ts';

export const serveAcpCommand: CommandAction = async (...asked) => {
	const host = {
		open: openHost,
		words: formatApproval,
		threads: threadRequests,
		models: modelRequests,
		frame: { ThreadFollower, stopTurn, prepareMessage, sendMessage },
	};
	return await (await import('./serve-acp.ts')).serveAcp(host, ...asked);
};
