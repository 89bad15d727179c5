/** `prowess work`: what works on jobs is a bundle of its own, which gets the host and the agent from here. */
import { attachToBackground } from '../../features/background/attach.ts';
import { scheduledTurn } from '../../features/schedule/scheduled-turn.ts';
import { backgroundRequests } from '../../protocol/background.ts';
import { threadRequests } from '../../protocol/thread/thread-requests.ts';
import { openHome } from '../home/home-folder.ts';
import type { CommandAction } from '../invocation/command.ts';
import { trustedWorkspace } from '../invocation/workspace-option.ts';
import { withHost } from '../ports/cli-host.ts';
import { formatApproval } from '../ports/person.ts';
import { readScriptFile } from '../ports/script-file.ts';
import type * as actions from './work-actions.ts';
import type { WorkHost } from './work-host.ts';

type WorkActions = typeof actions;
type ActionName = Exclude<keyof WorkActions, 'takeFolderJobs' | 'watchJobs'>;

const workHost: WorkHost = {
	openHome,
	trustedWorkspace,
	withHost,
	scheduledTurn,
	attachToBackground,
	formatApproval,
	readScriptFile,
	lookRequest: backgroundRequests.look,
	openRequest: threadRequests.open,
};

export function workAction(name: ActionName): CommandAction {
	return async (...asked) => (await import('./work-actions.ts'))[name](workHost, ...asked);
}

type WithoutHost<Work> = Work extends (host: WorkHost, ...asked: infer Asked) => infer End
	? (...asked: Asked) => End
	: never;

export const takeJobsOfFolder: WithoutHost<WorkActions['takeFolderJobs']> = async (...asked) =>
	(await import('./work-actions.ts')).takeFolderJobs(workHost, ...asked);

export const watchHomeJobs: WithoutHost<WorkActions['watchJobs']> = async (...asked) =>
	(await import('./work-actions.ts')).watchJobs(workHost, ...asked);
