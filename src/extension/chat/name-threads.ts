/** Titles by the model: once the first turn of a thread is done, and only in place of one that nobody has chosen. */
import type { Disposable } from '../../base/disposable.ts';
import { withTimeLimit } from '../../base/time/bounded-wait.ts';
import type { LogPort } from '../../contract/ports/ports.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import type { ThreadSnapshot } from '../../protocol/thread/thread.ts';
import { threadRequests } from '../../protocol/thread/thread-requests.ts';
import { extensionLimits } from '../editor/limits.ts';
import type { Activity } from '../notices/activity.ts';

interface ThreadNames {
	readonly log: LogPort;
	readonly activity: Pick<Activity, 'onDidEndTurn'>;
	isWanted(): boolean;
	base(): Promise<Pick<TrustedBase, 'titleThread'>>;
	server(): Promise<Peer>;
}

const CUT = /…$/;

/** A title that does not come changes nothing: that of the first message stays. */
export function nameThreads({ log, activity, isWanted, base, server }: ThreadNames): Disposable {
	const nameThread = async (threadId: ThreadId, signal: AbortSignal) => {
		const peer = await server();
		const words = readFirstExchange(await peer.call(threadRequests.open, { threadId }, signal));
		if (words === undefined) {
			return;
		}
		const title = await (await base()).titleThread(words, signal);
		// The user may have named it, or written on, meanwhile.
		const { info } = await peer.call(threadRequests.open, { threadId }, signal);
		if (info.title === words.title) {
			await peer.call(threadRequests.update, { threadId, title }, signal);
		}
	};
	return activity.onDidEndTurn(({ threadId, outcome, isTour }) => {
		if (outcome === 'done' && !isTour && isWanted()) {
			const limit = { what: 'naming the thread', timeoutMs: extensionLimits.nameThreadMs };
			withTimeLimit(limit, (signal) => nameThread(threadId, signal)).catch((error: unknown) =>
				log.info('a thread keeps the title of its first message', { threadId, error: String(error) }),
			);
		}
	});
}

/** Undefined: it is not the first turn, or the title is not the beginning of its message. */
function readFirstExchange({ info, items, earlier }: ThreadSnapshot) {
	const [first, ...others] = items.filter((item) => item.kind === 'user').filter(({ from }) => from === undefined);
	const message = first?.text ?? '';
	const isOurs = message.trim().replaceAll(/\s+/g, ' ').startsWith(info.title.replace(CUT, ''));
	if (first === undefined || others.length > 0 || earlier > 0 || !isOurs) {
		return undefined;
	}
	const answer = items.findLast((item) => item.kind === 'text');
	return { title: info.title, message, answer: answer?.text ?? '' };
}
