/** The newest threads of the open folders, for suggestions after `@`. */
import * as vscode from 'vscode';
import type { ThreadId } from '../../../protocol/ids.ts';
import type { Peer } from '../../../protocol/rpc/peer.ts';
import { threadRequests } from '../../../protocol/thread/thread-requests.ts';
import { extensionLimits } from '../../editor/limits.ts';
import { toMatchable } from './match.ts';
import type { NamedSuggestion } from './suggestion.ts';

/** Below every file that fits as well. */
const THREAD_BONUS = -15;

export interface ThreadSource {
	server(): Promise<Peer>;
	/** Absolute paths. */
	folders(): readonly string[];
	/** Thread on the screen, which is not suggested to itself. */
	shown(): ThreadId | null;
}

export async function recentThreads({ server, folders, shown }: ThreadSource): Promise<NamedSuggestion[]> {
	const peer = await server();
	const signal = AbortSignal.timeout(extensionLimits.readThreadMs);
	const { threads } = await peer.call(threadRequests.list, { limit: extensionLimits.titledThreads }, signal);
	const here = folders();
	return threads
		.filter(
			({ id, workspace, title }) => id !== shown() && title !== '' && (workspace === null || here.includes(workspace)),
		)
		.slice(0, extensionLimits.completionThreads)
		.map(({ id, title, updatedAt }) => {
			const ref = { kind: 'thread', threadId: id, title: title.slice(0, 200) } as const;
			const day = new Date(updatedAt).toLocaleDateString(vscode.env.language);
			const suggestion = { ref, label: title, detail: vscode.l10n.t('thread of {0}', day) };
			return { ...toMatchable(`thread ${title.replaceAll('/', ' ')}`), bonus: THREAD_BONUS, suggestion };
		});
}
