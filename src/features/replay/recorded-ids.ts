/** Ids are made anew in each run. A replay is the same when each of its ids stands wherever one and the same recorded id does. */

/** Ids of `protocol/rpc/ids.ts`: a prefix and a time-ordered UUID. */
const ID = /\b[a-z]{2,4}_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;

/** End of an id that stands alone; as many characters as the server takes. */
const ID_END = /(?<![-0-9a-z])[0-9a-f]{8}(?![-0-9a-z])/g;
const ID_END_CHARS = 8;

/** Stands for an id where texts are compared; no JSON has it. */
const HERE = '\0';

export class RecordedIds {
	readonly #ofRecorded = new Map<string, string>();
	readonly #ofReplayed = new Map<string, string>();

	/** Ends of the ids of ops, by which a model reads on in a result that was cut. */
	readonly #endOfRecorded = new Map<string, string>();
	readonly #endOfReplayed = new Map<string, string>();

	/** True when both texts are the same but for ids, and no id stands for two others; keeps what it has learnt then. */
	match(recorded: string, other: string): boolean {
		const replayed = replaceEnds(other, this.#endOfReplayed);
		if (recorded.replaceAll(ID, HERE) !== replayed.replaceAll(ID, HERE)) return false;
		const pairs: (readonly [string, string])[] = [];
		const others = [...replayed.matchAll(ID)];
		const mine = [...recorded.matchAll(ID)];
		for (const [at, found] of mine.entries()) {
			const other = others[at];
			if (other === undefined || found[0].split('_')[0] !== other[0].split('_')[0]) return false;
			pairs.push([found[0], other[0]]);
		}
		const [left, right] = [new Map(this.#ofRecorded), new Map(this.#ofReplayed)];
		for (const [a, b] of pairs) {
			if ((left.get(a) ?? b) !== b || (right.get(b) ?? a) !== a) return false;
			left.set(a, b);
			right.set(b, a);
		}
		for (const [a, b] of pairs) {
			this.#ofRecorded.set(a, b);
			this.#ofReplayed.set(b, a);
			this.#endOfRecorded.set(a.slice(-ID_END_CHARS), b.slice(-ID_END_CHARS));
			this.#endOfReplayed.set(b.slice(-ID_END_CHARS), a.slice(-ID_END_CHARS));
		}
		return true;
	}

	/** A recorded text as the replay has it. */
	toReplayed(recorded: string): string {
		const named = recorded.replaceAll(ID, (id) => this.#ofRecorded.get(id) ?? id);
		return replaceEnds(named, this.#endOfRecorded);
	}

	/** The other way round. */
	toRecorded(replayed: string): string {
		const named = replayed.replaceAll(ID, (id) => this.#ofReplayed.get(id) ?? id);
		return replaceEnds(named, this.#endOfReplayed);
	}
}

function replaceEnds(text: string, ends: ReadonlyMap<string, string>): string {
	return text.replaceAll(ID_END, (end) => ends.get(end) ?? end);
}

/** Names ids by the order in which they first stand in `texts`: `op_1`, `thr_1`. */
export function nameIds(texts: string): (text: string) => string {
	const names = new Map<string, string>();
	const counts = new Map<string, number>();
	for (const [id] of texts.matchAll(ID)) {
		if (names.has(id)) continue;
		const prefix = id.slice(0, id.indexOf('_'));
		const count = (counts.get(prefix) ?? 0) + 1;
		counts.set(prefix, count);
		names.set(id, `${prefix}_${count}`);
	}
	return (text) => text.replaceAll(ID, (id) => names.get(id) ?? id);
}
