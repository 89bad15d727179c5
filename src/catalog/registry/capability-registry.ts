/**
 * Registry of capabilities and executors: which ones exist, which are in force, and what is wrong with the others. The
 * registry scans when it is first asked. While somebody listens it watches the folders; otherwise it scans again each
 * time.
 */
import { realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Disposable } from '../../base/disposable.ts';
import { type Event, Emitter } from '../../base/emitter.ts';
import { raceTimeout } from '../../base/time/bounded-wait.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { OpeningMessage } from '../../protocol/offer/capability-values.ts';
import { CAPABILITY_FILES, type CapabilityManifest } from '../../protocol/capability/manifest.ts';
import type { UsedHere } from '../../protocol/ops/capability-value.ts';
import type { BuiltInExecutor, Executor } from '../executors.ts';
import type { HostPorts } from '../../contract/ports/ports.ts';
import { Alarm } from './watch/alarm.ts';
import {
	type Capability,
	type CapabilityListing,
	type CapabilitySource,
	type IsOff,
	nothingIsOff,
	type OfferedCapabilities,
} from './sources/capability-source.ts';
import { FolderWatch } from './watch/folder-watch.ts';
import { describeItemErrors, isInForce, isSameState, type RegistryState } from './items.ts';
import { toCapability, executorIn } from './in-use.ts';
import { MANY_ITEMS, REMEMBERED_MS, RESCAN_MS, WATCH_SETTLE_MS, type WatchLimits, watchLimits } from './limits.ts';
import { capabilityItems, type FoundItem } from './resolve.ts';
import { listRoots } from './sources/roots.ts';
import type { KeptOffer, KeptOffers } from './offer/kept-offers.ts';
import type { KeptReadings } from './reading/kept-readings.ts';
import { Looks } from './reading/looks.ts';
import { areAsKnown, readCapabilityIn, scanRoots } from './reading/scan.ts';
import { ScanMemory } from './reading/scan-memory.ts';
import { text } from '../../protocol/text/text.ts';

export interface RegistryDeps {
	readonly ports: Pick<HostPorts, 'workspace' | 'places' | 'log'>;
	readonly executors: readonly BuiltInExecutor[];
	/** Readings of the process before; absent: nothing is kept. */
	readonly kept?: KeptReadings;
	/** Offers that the process before would have made to an agent; absent: nothing is kept. */
	readonly offers?: KeptOffers;
	/** Limits of watching. Default: those of the product. */
	readonly watching?: WatchLimits;
	/** `MANY_ITEMS`, when absent. */
	readonly many?: number;
}

/** Scan result rebuilt from the readings of the process before, except where the disk shows that they are outdated. */
interface Remembered {
	readonly state: RegistryState;
	readonly memory: ScanMemory;
	/** On the clock of `performance.now()`. */
	readonly at: number;
}

export class CapabilityRegistry implements CapabilitySource, Disposable {
	readonly #deps: RegistryDeps;
	readonly #limits: WatchLimits;
	readonly #didChange = new Emitter<RegistryState>();
	readonly #watch: FolderWatch;
	readonly #workspace: Disposable;
	#memory: ScanMemory | undefined;
	/** Memory that the look under way fills. */
	#filling: ScanMemory | undefined;
	/** Capabilities that the scan under way has read so far, in the folders that are open at present. */
	#read: FoundItem<CapabilityManifest>[] = [];
	#state: RegistryState | undefined;
	/**
	 * Age of the last scan. `fresh`: no change since, as far as the system tells; `stale`: something may have changed;
	 * `void`: other folders are open, so the scan does not count.
	 */
	#age: 'fresh' | 'stale' | 'void' = 'stale';
	#running: Promise<RegistryState> | undefined;
	#remembered: Promise<Remembered | undefined> | undefined;
	/** Never rejects. */
	#prepared: Promise<unknown> | undefined;
	#offer: Promise<KeptOffer | undefined> | undefined;
	#next: Promise<RegistryState> | undefined;
	readonly #alarm = new Alarm(() => {
		this.refresh().catch((error: unknown) => {
			this.#deps.ports.log.error('the folders of capabilities could not be read', { error: String(error) });
		});
	});
	/** On the clock of `performance.now()`: begin and end of the last look. */
	#startedAt = -RESCAN_MS;
	#scannedAt = -RESCAN_MS;
	#listeners = 0;
	#isClosed = false;

	/**
	 * Fires when an item appears or disappears, comes into force, or breaks. The folders are watched as long as
	 * somebody listens.
	 */
	readonly onDidChange: Event<RegistryState> = (listener) => {
		const subscription = this.#didChange.event(listener);
		this.#listeners += 1;
		if (this.#listeners === 1) this.#scanAt(performance.now());
		let isOver = false;
		return {
			dispose: () => {
				if (isOver) return;
				isOver = true;
				subscription.dispose();
				this.#listeners -= 1;
				if (this.#listeners === 0) this.#rest();
			},
		};
	};

	constructor(deps: RegistryDeps) {
		this.#deps = deps;
		this.#limits = deps.watching ?? watchLimits;
		this.#watch = new FolderWatch(this.#limits.folders, () => this.#changed());
		this.#workspace = deps.ports.workspace.onDidChange(() => {
			this.#age = 'void';
			this.#read = [];
			if (this.#listeners > 0) this.#scanAt(performance.now());
		});
	}

	/** Returns the current state, or during a storm of changes the state of less than a second ago. */
	async state(): Promise<RegistryState> {
		const isSoonSeen = this.#alarm.isSet && performance.now() - this.#scannedAt < RESCAN_MS;
		const isGood = this.#age === 'fresh' || (this.#age === 'stale' && isSoonSeen);
		return this.#state !== undefined && isGood ? this.#state : await this.refresh();
	}

	/**
	 * Looks again. Calls at the same time share one look that begins after all of them. Rejects with
	 * REGISTRY_NOT_INITIALIZED after the registry's end.
	 */
	refresh(): Promise<RegistryState> {
		if (this.#isClosed) {
			return Promise.reject(new ProwessError('REGISTRY_NOT_INITIALIZED', 'the registry of capabilities is closed'));
		}
		if (this.#running === undefined) {
			this.#running = this.#scan().finally(() => {
				this.#running = undefined;
				if (this.#age === 'stale' && this.#listeners > 0) this.#changed();
			});
			return this.#running;
		}
		this.#next ??= this.#running
			.catch(() => undefined)
			.then(() => {
				this.#next = undefined;
				return this.refresh();
			});
		return this.#next;
	}

	/** Gets ready for whoever asks for an offer, or a list within a time: of many, what the process before has read. */
	prepare(): void {
		if (this.#state !== undefined || this.#running !== undefined || this.#remembered !== undefined) return;
		const { workspace, places } = this.#deps.ports;
		this.#offer = this.#deps.offers?.load(listRoots(workspace, places));
		this.#remembered = (async () => ((await this.#offer) === undefined ? await this.#remember() : undefined))();
		// Handles a rejection that nobody may await; `list` then scans itself and reports the error.
		this.#prepared = this.#remembered.catch(() => {});
	}

	/**
	 * Once, as far as what was kept still is so: who asks again is told what there is now. Where few of them say something else
	 * now, those alone are read again, and all of them afterwards.
	 */
	async offered(beginning: OpeningMessage, count: number, used: UsedHere): Promise<OfferedCapabilities | undefined> {
		const offer = await this.#offer;
		this.#offer = undefined;
		const isGood = this.#age !== 'void' && this.#state === undefined && !this.#isClosed;
		const found = isGood ? await offer?.best(beginning, count, used) : undefined;
		if (found?.isOutdated === true) void this.refresh().catch(() => {});
		return found?.offered;
	}

	/** Undefined when there are so few that it takes no time to look at them. */
	async #remember(): Promise<Remembered | undefined> {
		const kept = (await this.#deps.kept?.load()) ?? new ScanMemory();
		if (kept.readings.size < (this.#deps.many ?? MANY_ITEMS)) {
			await this.refresh();
			return undefined;
		}
		this.#memory ??= kept;
		const { workspace, places } = this.#deps.ports;
		const trusting = new Looks(Date.now, true);
		const { executors, offers } = this.#deps;
		const roots = listRoots(workspace, places);
		const at = Date.now();
		const look = await scanRoots(roots, executors, kept, () => undefined, trusting);
		offers?.keep({ roots, ...look, at });
		return { ...look, at: performance.now() };
	}

	/**
	 * Returns the remembered scan once, so that a second caller gets the present state. Undefined when it is older than
	 * `REMEMBERED_MS`, when other folders are open, and after a scan of this process.
	 */
	async #takeRemembered(): Promise<Remembered | undefined> {
		const remembered = this.#remembered;
		this.#remembered = undefined;
		const found = await remembered?.catch(() => undefined);
		const isGood = this.#age !== 'void' && this.#state === undefined && !this.#isClosed;
		return isGood && found !== undefined && performance.now() - found.at < REMEMBERED_MS ? found : undefined;
	}

	/** Also as it was less than a second ago, or by a look that began then. */
	#recent(): Promise<RegistryState> {
		const isRecent = this.#age !== 'void' && performance.now() - this.#startedAt < RESCAN_MS;
		return isRecent && this.#running !== undefined ? this.#running : this.state();
	}

	/** Returns the state of the last scan; undefined before the first, and once other folders are open. */
	known(): RegistryState | undefined {
		return this.#age === 'void' ? undefined : this.#state;
	}

	/** The same once the look is over that is under way, if there is one. Never rejects. */
	async soonKnown(): Promise<RegistryState | undefined> {
		await this.#prepared;
		await this.#running?.catch(() => {});
		return this.known();
	}

	async find(name: string, type: string | undefined): Promise<Capability | undefined> {
		const filterByName = ({ capabilities }: RegistryState) =>
			capabilities.filter((each) => each.name === name && (type === undefined || each.type === type));
		let found = filterByName(await this.state());
		if (!found.some(isInForce)) {
			found = filterByName(await this.refresh());
		}
		// Picks the first type of the alphabet when several types have this name.
		const item = found.find(isInForce) ?? found[0];
		return item === undefined ? undefined : toCapability(item);
	}

	async list(withinMs?: number): Promise<CapabilityListing> {
		const remembered =
			withinMs === undefined ? undefined : await raceTimeout(this.#takeRemembered(), withinMs).catch(() => undefined);
		const state =
			remembered?.state ?? (withinMs === undefined ? await this.state() : await raceTimeout(this.#recent(), withinMs));
		const capabilities = state?.capabilities ?? capabilityItems(this.#read, []);
		return {
			isComplete: state !== undefined,
			...(remembered === undefined
				? {}
				: {
						areStillSo: (some) =>
							areAsKnown(
								some.map(({ path }) => path),
								remembered.memory,
							),
					}),
			capabilities: capabilities.filter(isInForce).map(toCapability),
			broken: capabilities
				.filter(({ manifest }) => manifest === undefined)
				.map((item) => ({ path: item.path, problem: describeItemErrors(item) })),
		};
	}

	async at(path: string): Promise<Capability> {
		const { places, workspace } = this.#deps.ports;
		const real = await realpath(path).catch(() => path);
		const registered = (await this.state()).capabilities.find((each) => each.path === real);
		if (registered !== undefined) {
			return toCapability(registered);
		}
		const source = isPathBelow(join(places.home, 'capabilities'), real) ? 'global' : 'project';
		if (source === 'project' && !workspace.isTrusted) {
			throw new ProwessError('WORKSPACE_UNTRUSTED', `${path}: nothing is read before the workspace is trusted`, {
				path,
			});
		}
		const read = await readCapabilityIn(real);
		if (read === undefined) {
			throw new ProwessError('CAPABILITY_NOT_FOUND', `${path}: there is no ${CAPABILITY_FILES[0]} in it`, {
				path,
				said: text('{path}: there is no {file} in it.', { path, file: CAPABILITY_FILES[0] }),
			});
		}
		const { manifest, problems } = read;
		return toCapability({ manifest, problems, path: real, source, overrides: [] });
	}

	async executorFor(type: string, pin: string | undefined, isOff: IsOff = nothingIsOff): Promise<Executor | undefined> {
		return executorIn((await this.state()).executors, type, pin, isOff);
	}

	/** Keeps what a look under way has read: otherwise each of many short processes would read thousands of manifests. */
	dispose(): void {
		this.#isClosed = true;
		if (this.#filling !== undefined) this.#deps.kept?.keep(joinMemories(this.#memory, this.#filling));
		this.#workspace.dispose();
		this.#didChange.dispose();
		this.#rest();
	}

	/** The system says so, perhaps a hundred thousand times. */
	#changed(): void {
		if (this.#age === 'fresh') this.#age = 'stale';
		// While it looks, the time to look again is not known yet.
		if (this.#running === undefined)
			this.#scanAt(Math.max(performance.now() + WATCH_SETTLE_MS, this.#scannedAt + RESCAN_MS));
	}

	#scanAt(dueAt: number): void {
		if (!this.#isClosed) this.#alarm.at(dueAt);
	}

	/** Nobody listens any more. */
	#rest(): void {
		this.#age = 'stale';
		this.#alarm.dispose();
		this.#watch.dispose();
	}

	async #scan(): Promise<RegistryState> {
		const { workspace, places, log } = this.#deps.ports;
		const startedAt = performance.now();
		this.#startedAt = startedAt;
		this.#age = this.#listeners > 0 ? 'fresh' : 'stale';
		const read: FoundItem<CapabilityManifest>[] = [];
		this.#read = read;
		const known = this.#memory ?? (await this.#deps.kept?.load()) ?? new ScanMemory();
		const roots = listRoots(workspace, places);
		const at = Date.now();
		const memory = new ScanMemory();
		this.#memory = known;
		this.#filling = memory;
		const look = await scanRoots(
			roots,
			this.#deps.executors,
			known,
			(each) => void read.push(each),
			new Looks(),
			memory,
		).finally(() => (this.#filling = undefined));
		const { state, watched } = look;
		const before = this.#state;
		this.#memory = memory;
		if (!known.isSame(memory)) {
			this.#deps.kept?.keep(memory);
			this.#deps.offers?.keep({ roots, ...look, at });
		}
		this.#state = state;
		this.#scannedAt = performance.now();
		if (this.#listeners > 0 && !this.#isClosed) {
			await this.#follow(watched, this.#scannedAt - startedAt);
		}
		if (before !== undefined && !isSameState(before, state)) {
			try {
				this.#didChange.fire(state);
			} catch (error) {
				log.error('a listener of the registry of capabilities failed', { error: String(error) });
			}
		}
		return state;
	}

	async #follow(folders: readonly string[], tookMs: number): Promise<void> {
		if (await this.#watch.watch(folders)) {
			// Scans again: no event told of changes before the folders were watched.
			this.#changed();
		}
		if (!this.#watch.isComplete) {
			const { pollMs, pollShare } = this.#limits;
			this.#scanAt(performance.now() + Math.max(pollMs, tookMs * pollShare));
		}
	}
}

function joinMemories(before: ScanMemory = new ScanMemory(), { readings, listings }: ScanMemory): ScanMemory {
	return new ScanMemory([...before.readings, ...readings], [...before.listings, ...listings]);
}

function isPathBelow(folder: string, path: string): boolean {
	const way = relative(folder, path);
	return way !== '..' && !way.startsWith(`..${sep}`);
}
