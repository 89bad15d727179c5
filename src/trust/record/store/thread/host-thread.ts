/** The thread of the host as that of its databases. */
import { Databases } from './databases.ts';
import type { OpenStoreThread } from './host-store.ts';

export const hostThread: OpenStoreThread =
	(start) =>
	({ onReplies }) => {
		const databases = new Databases(start, (untold) => onReplies([untold]));
		let isFirst = true;
		return {
			post(requests) {
				const answerAll = () => databases.answer(requests);
				onReplies(isFirst ? withoutWarnings(answerAll) : answerAll());
				isFirst = false;
			},
			keepAlive() {
				// A call is answered before the loop comes round.
			},
			end: async () => {},
		};
	};

/** The first use of node:sqlite announces on the user's stderr that it is new in Node. */
function withoutWarnings<T>(work: () => T): T {
	const { emitWarning } = process;
	process.emitWarning = () => {};
	try {
		return work();
	} finally {
		process.emitWarning = emitWarning;
	}
}
