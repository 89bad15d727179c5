/** Tells the user, in the thread, what became of requests to models: that one is made again, or that another model answers. */
import { causeForUser } from '../../protocol/errors/error-text.ts';
import type { Notice } from '../../protocol/thread/items.ts';
import type { FailoverNews } from '../models/failover/failover.ts';
import type { LoopJournal } from '../turn/journal.ts';
import { asOpError } from './calls/perform-call.ts';

export function failoverNotices(journal: LoopJournal): Pick<FailoverNews, 'onWait' | 'onNext' | 'onUnusable'> {
	const writeNotice = (text: string, attempt?: Notice['attempt']) =>
		journal.notice({ level: 'info', text, actions: [], ...(attempt === undefined ? {} : { attempt }) });
	return {
		onWait: ({ error, waitMs, next }) =>
			writeNotice(`${describeFailoverCause(error)} Trying again in ${Math.ceil(waitMs / 1000)} s.`, {
				error: asOpError(error),
				waitMs,
				...(next !== undefined && { next }),
			}),
		onNext: ({ failed, error, next }) =>
			writeNotice(`${failed.id}: ${describeFailoverCause(error)} ${next.id} answers now.`, {
				error: asOpError(error),
				failed: failed.id,
				next: next.id,
			}),
		onUnusable: (error, id) =>
			writeNotice(`${id}: ${describeFailoverCause(error)}`, { error: asOpError(error), failed: id }),
	};
}

/** Said at the start of a turn that another provider answers, because that of the chosen model has failed often. */
export function passedOverNotice(passedOver: NonNullable<Notice['passedOver']>): Notice {
	const { provider, faults, next } = passedOver;
	const text = `${provider} is paused after ${faults} faults; ${next} answers.`;
	return { level: 'info', text, actions: [], passedOver };
}

function describeFailoverCause(error: unknown): string {
	return causeForUser(asOpError(error), (template) => template);
}
