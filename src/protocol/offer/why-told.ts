/** Why a capability is told at the beginning of a thread, or is not, in words. */
import { text, type Text } from '../text/text.ts';
import type { OfferedCapability } from './capability-offer.ts';

const SOURCE_TEXTS: Readonly<Record<OfferedCapability['source'], Text>> = {
	project: text('of the workspace'),
	global: text('yours'),
	'built-in': text('built in'),
};

/** `shown`: how names and words of others are shown. */
export function whyTold(row: OfferedCapability, shown: (words: string) => string): readonly Text[] {
	const { source, told, tokens, isNamed, words, used, missing = [], neededBy = [] } = row;
	const joinShownWords = (all: readonly string[]) => all.map(shown).join(', ');
	const why = [SOURCE_TEXTS[source]];
	if (isNamed) {
		why.push(text('the prompt names it'));
	} else if (words.length > 0) {
		why.push(text('the prompt says {words}', { words: joinShownWords(words) }));
	}
	if (used !== undefined) {
		const last = new Date(used.lastAt).toISOString().slice(0, 10);
		why.push(
			used.count === 1
				? text('used here once, on {date}', { date: last })
				: text('used here {count} times, last on {date}', { count: used.count, date: last }),
		);
	}
	if (told !== 'left' && neededBy.length > 0) {
		why.push(text('needed by {names}', { names: joinShownWords(neededBy) }));
	}
	if (told === 'left') {
		why.push(
			missing.length > 0
				? text('it needs {names}, which is not there', { names: joinShownWords(missing) })
				: tokens === undefined
					? text('too many others are worth more')
					: text('others are worth more for their tokens'),
		);
	}
	return why;
}

/**
 * Returns the capabilities that are not told; first the ones that lack what they need, which somebody may want to mend.
 */
export function listUntoldCapabilities(capabilities: readonly OfferedCapability[]): readonly OfferedCapability[] {
	const left = capabilities.filter(({ told }) => told === 'left');
	return [
		...left.filter(({ missing }) => missing !== undefined),
		...left.filter(({ missing }) => missing === undefined),
	];
}
