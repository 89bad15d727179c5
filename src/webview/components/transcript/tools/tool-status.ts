/** Words for the state of a tool call: an icon, a word, and a sentence where the user should know more. */
import type { ToolItem } from '../../../../protocol/thread/items.ts';
import type { Translate } from '../../../parts/translate.ts';

interface StatusText {
	readonly icon: string;
	readonly word: string;
	readonly spin?: boolean;
	readonly sentence?: string;
}

/** `isElsewhere`: the turn runs in another window or terminal. */
export function toolStatus(item: ToolItem, isElsewhere: boolean, t: Translate): StatusText {
	switch (item.status) {
		case 'pending':
			return item.paced === undefined
				? { icon: 'circle-outline', word: t('pending') }
				: { icon: 'watch', word: t('waits') };
		case 'waiting':
			return {
				icon: 'bell',
				word: t('Needs your approval'),
				sentence: isElsewhere ? t('It waits for your answer there.') : t('Needs your answer below.'),
			};
		case 'running':
			return { icon: 'loading', word: t('running'), spin: true };
		case 'done':
			if (item.inBackground === true) {
				return { icon: 'run-all', word: t('in the background') };
			}
			return item.exitCode === undefined || item.exitCode === 0 || item.exitCode === null
				? { icon: 'check', word: t('done') }
				: { icon: 'warning', word: t('exit code {code}', { code: item.exitCode }) };
		case 'failed':
			return { icon: 'error', word: t('failed') };
		case 'denied':
			return {
				icon: 'circle-slash',
				word: t('denied'),
				...(item.error === undefined ? { sentence: t('Not allowed, so it was not done.') } : {}),
			};
		case 'cancelled':
			return {
				icon: 'debug-stop',
				word: t('stopped'),
				// A command that was ended by itself came to a result; one that ended with its turn did not.
				...(item.error !== undefined
					? {}
					: item.exitCode !== undefined
						? { sentence: t('You stopped this command. The agent went on with what it had said.') }
						: item.steps !== undefined
							? { sentence: t('You stopped this run. The agent went on without its result.') }
							: {}),
			};
		case 'interrupted':
			return {
				icon: 'debug-disconnect',
				word: t('interrupted'),
				sentence: t('The agent ended before the result arrived.'),
			};
		case 'inDoubt':
			return {
				icon: 'question',
				word: t('in doubt'),
				sentence: t('This started, but no result was recorded. Check before you continue; it will not be retried.'),
			};
	}
}
