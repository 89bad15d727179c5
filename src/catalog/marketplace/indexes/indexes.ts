/** All indexes: the one that ships, and those of the user's own settings. Each is read alone; what is wrong with one is said of that one. */
import { toErrorMessage } from '../../../base/text/message-of.ts';
import { deriveSignal } from '../../../base/time/derived-signal.ts';
import type { IndexSource, RevokedVersion } from '../../../protocol/capability/marketplace.ts';
import { inEnglish, type Text } from '../../../protocol/text/text.ts';
import { isRevoked } from '../revoked-versions.ts';
import type { IndexAccess } from './read-index.ts';
import { INDEX_FRESH_MS, INDEX_TIMEOUT_MS } from '../limits.ts';
import { BUILT_IN_INDEX, type ReadIndex } from './offer.ts';

interface IndexDeps extends IndexAccess {
	readonly sources: () => readonly IndexSource[];
	/** Why an index may not be read; undefined: it may. */
	readonly refusalOf: (location: string) => Text | undefined;
	/** Hears of the versions that an index takes back, whenever it was read. */
	readonly onRevoked: (location: string, revoked: readonly RevokedVersion[]) => Promise<void>;
	/** Runs what reads another machine, and records that. */
	readonly recordRead: (location: string, work: () => Promise<ReadIndex>) => Promise<ReadIndex>;
}

export interface LoadedIndex extends ReadIndex {
	readonly location: string;
}

export class Indexes {
	readonly #deps: IndexDeps;
	readonly #read = new Map<string, { readonly at: number; readonly index: ReadIndex }>();

	constructor(deps: IndexDeps) {
		this.#deps = deps;
	}

	/** In the order of the settings, the one that ships first. Rejects only when the signal aborts. */
	async load(refresh: boolean, signal: AbortSignal): Promise<LoadedIndex[]> {
		const { builtIn } = this.#deps;
		const sources = [...(builtIn === undefined ? [] : [{ location: BUILT_IN_INDEX }]), ...this.#deps.sources()];
		const loaded = await Promise.all(sources.map((source) => this.#loadOne(source, refresh, signal)));
		signal.throwIfAborted();
		return loaded;
	}

	async #loadOne(source: IndexSource, refresh: boolean, signal: AbortSignal): Promise<LoadedIndex> {
		const { location } = source;
		const refusal = location === BUILT_IN_INDEX ? undefined : this.#deps.refusalOf(location);
		if (refusal !== undefined) return { location, name: location, offers: [], problems: [inEnglish(refusal)] };
		const id = JSON.stringify(source);
		const kept = this.#read.get(id);
		if (kept !== undefined && !refresh && performance.now() - kept.at < INDEX_FRESH_MS) {
			return { location, ...kept.index };
		}
		const limited = deriveSignal(signal, { what: `reading the index ${location}`, timeoutMs: INDEX_TIMEOUT_MS });
		try {
			const { readIndex } = await import('./read-index.ts');
			const read = await readIndex(source, this.#deps, this.#deps.recordRead, limited.signal);
			await this.#deps.onRevoked(location, read.revoked ?? []);
			const index = dropRevokedOffers(dropDuplicateOffers(read));
			this.#read.set(id, { at: performance.now(), index });
			return { location, ...index };
		} catch (error) {
			const why = toErrorMessage(error);
			return { location, name: location, offers: [], problems: [why] };
		} finally {
			limited.dispose();
		}
	}
}

/**
 * Keeps the first of several offers with the same name and version, and reports the others as problems: either could be
 * meant, and a later one must not replace the first.
 */
function dropDuplicateOffers({ name, offers, problems, revoked = [] }: ReadIndex): ReadIndex {
	const seen = new Set<string>();
	const twice: string[] = [];
	const kept = offers.filter(({ about, index }) => {
		const what = `${about.type}/${about.name} ${about.version}`;
		if (seen.has(what)) {
			twice.push(`${index.location}: ${what} is there twice; the first one counts`);
			return false;
		}
		seen.add(what);
		return true;
	});
	return { name, offers: kept, problems: [...problems, ...twice], revoked };
}

/** Leaves out what an index takes back. */
function dropRevokedOffers(index: ReadIndex): ReadIndex {
	const { offers, revoked = [] } = index;
	const isLeft = ({ about }: ReadIndex['offers'][number]) =>
		!revoked.some((each) => isRevoked(`${about.type}/${about.name}`, about.version, each));
	return { ...index, offers: offers.filter(isLeft) };
}
