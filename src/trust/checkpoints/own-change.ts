/**
 * Computes what is left of an owner's change in a file, and the file without that change. Pure: texts in, counts out.
 */
import { standsForBytes } from '../../machine/paths/reading/read-content.ts';
import { countLines } from './count-lines.ts';
import { withoutOwn } from './own-lines.ts';
import { type ChangedFile, REMOVED } from '../record/store/checkpoint-store.ts';
import { sha256 } from '../record/store/chain/canonical-json.ts';

export interface OwnChange {
	readonly kind: 'created' | 'modified' | 'deleted';
	/** Text of today without the change; undefined: there would be no such file. */
	readonly without: string | undefined;
	readonly added: number;
	readonly removed: number;
	/** Taking the change back would take back what somebody else did since. */
	readonly touchedSince: boolean;
}

/** `now` undefined: there is no such file. Undefined when nothing of the change is left. */
export function ownChange(file: ChangedFile, now: string | undefined): OwnChange | undefined {
	const before = file.before ?? undefined;
	if (file.isLost || now === undefined || [now, file.after, before].some(standsForBytes)) {
		return wholeChange(file, before, now);
	}
	const { after } = file;
	const own = typeof after === 'string' ? withoutOwn(before ?? '', after, now) : undefined;
	if (own === undefined) {
		return wholeChange(file, before, now);
	}
	const isNothingLeft = own.text === now && now !== after;
	if (before === undefined) {
		// Without its lines nobody has asked for the rest as a file of its own.
		const counts = countLines(own.text, now);
		return isNothingLeft ? undefined : { kind: 'created', without: undefined, ...counts, touchedSince: now !== after };
	}
	return own.text === now
		? undefined
		: { kind: 'modified', without: own.text, ...countLines(own.text, now), touchedSince: own.isMixed };
}

/** Where the owner's lines cannot be told from those of others: from the first text to that of today. */
function wholeChange(file: ChangedFile, before: string | undefined, now: string | undefined): OwnChange | undefined {
	if (now === before && !file.isLost) {
		return undefined;
	}
	const kind = before === undefined && !file.isLost ? 'created' : now === undefined ? 'deleted' : 'modified';
	// Without a noted end our own write may have been cut short: whose text it is, nobody knows.
	const touchedSince = file.afterHash !== (now === undefined ? REMOVED : sha256(now));
	return { kind, without: before, ...countLines(toCountedText(before), toCountedText(now)), touchedSince };
}

/** Returns the text whose lines are counted: empty for bytes, which have no lines. */
function toCountedText(content: string | undefined): string {
	return content === undefined || standsForBytes(content) ? '' : content;
}
