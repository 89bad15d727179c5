/**
 * Keeps what an agent is told of when it begins, for the next process: with thousands of capabilities, their manifests take
 * longer to be read back than a first request may wait. Like what manifests said, it is a memory and no authority: the folders
 * must look as they did, and so must each capability that is told.
 */
import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type OpeningMessage, inTellingOrder, pickShelfPlaces } from '../../../protocol/offer/capability-values.ts';
import { type CapabilityManifest, capabilityManifestsIn } from '../../../protocol/capability/manifest.ts';
import { replaceDurably } from '../../../machine/home-files/durable-file.ts';
import type { UsedHere } from '../../../protocol/ops/capability-value.ts';
import { isInForce, type RegistryState } from '../items.ts';
import { KEEP_AFTER_MS, MANY_ITEMS, MAX_KEPT_OFFER_BYTES, MAX_KEPT_OFFERS, MAX_READ_AGAIN } from '../limits.ts';
import { isSameStamp, Looks } from '../reading/looks.ts';
import { readCapabilityIn } from '../reading/scan.ts';
import type { ScanMemory } from '../reading/scan-memory.ts';
import type { OfferedCapabilities } from '../sources/capability-source.ts';
import type { EnabledCapabilities } from '../sources/enabled-capabilities.ts';
import type { Root } from '../sources/roots.ts';
import { Later } from '../watch/later.ts';
import { Pace } from '../watch/pace.ts';
import { isAsLookedAt, type RootsLook, lookedAt } from './looked-at.ts';
import { createWordIndex } from './word-index.ts';
import { type KeptColumns, type OfferedItem, readOffer, writtenOffer } from './written-offer.ts';

interface KeptOffersDeps {
	readonly home: string;
	/** Changes with the program. Undefined: nothing is kept. */
	programStamp(): Promise<string | undefined>;
	readonly enabled: Pick<EnabledCapabilities, 'fingerprint' | 'disabled'>;
	/** Fewer are not worth it; `MANY_ITEMS`, when absent. */
	readonly many?: number;
}

interface FinishedLook extends RootsLook {
	readonly state: RegistryState;
}

export interface KeptOffer {
	/** Undefined when one of them is another now, in more than how it describes itself, or when many have changed. */
	best(beginning: OpeningMessage, count: number, used: UsedHere): Promise<FoundOffer | undefined>;
}

interface FoundOffer {
	readonly offered: OfferedCapabilities;
	/** Some have changed since the offer was kept. */
	readonly isOutdated: boolean;
}

export class KeptOffers {
	readonly #deps: KeptOffersDeps;
	readonly #folder: string;
	readonly #writing = new Later<FinishedLook>(KEEP_AFTER_MS, (look) => this.#write(look));

	constructor(deps: KeptOffersDeps) {
		this.#deps = deps;
		this.#folder = join(deps.home, 'offers');
	}

	/** Undefined when there is none, or a folder is another now. Never rejects. */
	async load(roots: readonly Root[]): Promise<KeptOffer | undefined> {
		try {
			const key = await this.#key(roots);
			const offer = key === undefined ? undefined : await readOffer(this.#fileOf(roots), key);
			if (offer === undefined || !(await isAsLookedAt(offer.lookedAt))) return undefined;
			return this.#offerOf(offer, roots);
		} catch {
			return undefined;
		}
	}

	/** Replaces what was kept of these roots, in a while. */
	keep(look: FinishedLook): void {
		const { capabilities } = look.state;
		if (capabilities.length >= (this.#deps.many ?? MANY_ITEMS)) this.#writing.wish(look);
	}

	/** Resolves when nothing is to be written any more. Never rejects. */
	async settled(): Promise<void> {
		await this.#writing.settled();
	}

	#offerOf(offer: KeptColumns, roots: readonly Root[]): KeptOffer {
		return {
			best: async (beginning, count, used) => {
				const { at, values } = pickShelfPlaces(offer.shelf, beginning, count, used);
				const kept = offer.items(at);
				const best = kept === undefined ? undefined : await readChanged(kept);
				if (kept === undefined || best === undefined || (await this.#key(roots)) !== offer.key) return undefined;
				const offered = { best: best.map(toOfferedCapability), values, total: offer.index.lengths.length };
				return { offered, isOutdated: best !== kept };
			},
		};
	}

	async #write({ roots, state, memory, watched, at }: FinishedLook): Promise<void> {
		const key = await this.#key(roots);
		const looked = await lookedAt({ roots, watched, memory, at });
		const isOff = await this.#deps.enabled.disabled();
		const inForce = state.capabilities.filter(isInForce);
		// Skips the offer: a disabled capability overrides others, and this code does not know which one would replace
		// it.
		const isClear = inForce.every(({ path, overrides }) => overrides.length === 0 || !isOff(path));
		if (key === undefined || looked === undefined || !isClear) return;
		const items: OfferedItem[] = [];
		const pace = new Pace();
		for (const { path, source, manifest } of inForce) {
			if (manifest?.modelInvocable !== true || isOff(path)) continue;
			const { name, type, description, requiredCapabilities: requires } = manifest;
			const told = { name, type, description, source, path, ...(requires === undefined ? {} : { requires }) };
			items.push(await pace.take(() => ({ ...told, ...collectLooks(path, memory) })));
		}
		const ordered = inTellingOrder(items);
		const bytes = writtenOffer({ key, lookedAt: looked, index: createWordIndex(ordered) }, ordered);
		if (bytes.length > MAX_KEPT_OFFER_BYTES) return;
		await replaceDurably(this.#fileOf(roots), bytes);
		await this.#removeOld();
	}

	async #key(roots: readonly Root[]): Promise<string | undefined> {
		const stamp = await this.#deps.programStamp();
		return stamp === undefined ? undefined : hashJsonValue([stamp, roots, await this.#deps.enabled.fingerprint()]);
	}

	#fileOf(roots: readonly Root[]): string {
		return join(this.#folder, `${hashJsonValue(roots).slice(0, 16)}.bin`);
	}

	/**
	 * Removes all but the newest `MAX_KEPT_OFFERS` files: the others belong to workspaces that were not opened for
	 * long.
	 */
	async #removeOld(): Promise<void> {
		const names = await readdir(this.#folder);
		const files = await Promise.all(
			names.map(async (name) => {
				const path = join(this.#folder, name);
				return { path, at: (await stat(path)).mtimeMs };
			}),
		);
		const old = files.toSorted((a, b) => b.at - a.at).slice(MAX_KEPT_OFFERS);
		await Promise.all(old.map(({ path }) => rm(path, { force: true })));
	}
}

function hashJsonValue(value: unknown): string {
	return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

/** Returns the files of a capability that are checked again before it is offered, and their stamp. */
function collectLooks(path: string, { readings, listings }: ScanMemory): Pick<OfferedItem, 'files' | 'stamp'> {
	const [reading, listing] = [readings.get(path), listings.get(path)];
	if (reading === undefined) return { files: [] };
	const inFolder = capabilityManifestsIn(reading.key.split('\n')).map((name) => join(path, name));
	// A command is one file.
	const manifests = inFolder.length === 0 && listing === undefined ? [path] : inFolder;
	// Checks only the manifests of a folder without a known listing, because it holds links.
	return listing === undefined
		? { files: manifests, stamp: Array.from(reading.stamp) }
		: { files: [path, ...manifests], stamp: [...Array.from(listing.stamp), ...Array.from(reading.stamp)] };
}

/**
 * Returns the items as they are now: the same list where none has changed. Undefined where more than `MAX_READ_AGAIN` have, or
 * where one is another now in more than its description.
 */
async function readChanged(items: readonly OfferedItem[]): Promise<readonly OfferedItem[] | undefined> {
	const looks = new Looks();
	const changed = new Map<OfferedItem, OfferedItem>();
	for (const item of items) {
		const { files, stamp, path } = item;
		if (stamp !== undefined && isSameStamp(stamp, await looks.stampOf(...files))) continue;
		const manifest = changed.size < MAX_READ_AGAIN ? (await readCapabilityIn(path))?.manifest : undefined;
		if (manifest === undefined || !isDescribedAnew(item, manifest)) return undefined;
		changed.set(item, { ...item, description: manifest.description });
	}
	return changed.size === 0 ? items : items.map((item) => changed.get(item) ?? item);
}

/** True when no more than its description can be another: the rest decides which capabilities are told at all. */
function isDescribedAnew(item: OfferedItem, manifest: CapabilityManifest): boolean {
	const { name, type, modelInvocable, requiredCapabilities: requires = [] } = manifest;
	return (
		modelInvocable &&
		item.name === name &&
		item.type === type &&
		requires.join('\n') === (item.requires ?? []).join('\n')
	);
}

function toOfferedCapability({ name, type, source, description, requires }: OfferedItem) {
	return { name, type, source, description, ...(requires === undefined ? {} : { requires }) };
}
