/** Parts of the command line, which what works on jobs gets because it is a bundle of its own. */
import type { attachToBackground } from '../../features/background/attach.ts';
import type { scheduledTurn } from '../../features/schedule/scheduled-turn.ts';
import type { backgroundRequests } from '../../protocol/background.ts';
import type { threadRequests } from '../../protocol/thread/thread-requests.ts';
import type { openHome } from '../home/home-folder.ts';
import type { trustedWorkspace } from '../invocation/workspace-option.ts';
import type { withHost } from '../ports/cli-host.ts';
import type { formatApproval } from '../ports/person.ts';
import type { readScriptFile } from '../ports/script-file.ts';

export interface WorkHost {
	readonly openHome: typeof openHome;
	readonly trustedWorkspace: typeof trustedWorkspace;
	readonly withHost: typeof withHost;
	readonly scheduledTurn: typeof scheduledTurn;
	readonly attachToBackground: typeof attachToBackground;
	readonly formatApproval: typeof formatApproval;
	readonly readScriptFile: typeof readScriptFile;
	readonly lookRequest: (typeof backgroundRequests)['look'];
	readonly openRequest: (typeof threadRequests)['open'];
}
