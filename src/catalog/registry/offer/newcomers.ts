/**
 * Capabilities that a thread was not told of because they came later: installed, enabled or written since. The list of its
 * first message stays as it is, so that the beginning of each request stays the same.
 */
import { raceTimeout } from '../../../base/time/bounded-wait.ts';
import { madeAt, type ThreadId } from '../../../protocol/rpc/ids.ts';
import type { CapabilityRegistry } from '../capability-registry.ts';
import { isInForce, type RegistryState } from '../items.ts';
import { LOOK_FOR_NEWCOMERS_MS, MAX_FOLLOWED_THREADS } from '../limits.ts';
import type { EnabledCapabilities } from '../sources/enabled-capabilities.ts';
import type { SeenCapabilities } from './seen-capabilities.ts';

interface NewcomersDeps {
	/** State of the last scan. A scan for each message would keep it waiting, so only a continued thread causes one. */
	readonly registry: Pick<CapabilityRegistry, 'known' | 'soonKnown' | 'state'>;
	readonly enabled: Pick<EnabledCapabilities, 'disabled' | 'fingerprint'>;
	/** Capabilities seen in earlier processes. */
	readonly seenBefore: Pick<SeenCapabilities, 'cameAfter' | 'note'>;
}

interface SeenNames {
	readonly state: RegistryState;
	readonly fingerprint: string;
	readonly names: ReadonlySet<string>;
}

export class Newcomers {
	readonly #deps: NewcomersDeps;
	/**
	 * Capabilities that each thread already knows: those at the first call, or at the thread's beginning in an earlier
	 * process. Threads share these sets.
	 */
	readonly #before = new Map<ThreadId, ReadonlySet<string>>();
	readonly #startedAt: number;
	#seen: SeenNames | undefined;

	constructor(deps: NewcomersDeps, now: () => number = Date.now) {
		this.#deps = deps;
		this.#startedAt = now();
	}

	/**
	 * Returns the capabilities that came since the thread began, as `type/name`, sorted by name; none at the first call
	 * for a thread that began in this process. Rejects when it cannot be read which ones are enabled.
	 */
	async since(threadId: ThreadId): Promise<readonly string[]> {
		const before = this.#before.get(threadId);
		const begunAt = madeAt(threadId) ?? this.#startedAt;
		const goesOn = before === undefined && begunAt < this.#startedAt;
		const state = this.#deps.registry.known() ?? (goesOn ? await this.#look() : undefined);
		if (state === undefined) {
			if (before === undefined) this.#deps.seenBefore.note(this.#soonThere());
			return [];
		}
		const names = await this.#names(state);
		if (before !== undefined) {
			return before === names ? [] : [...names].filter((name) => !before.has(name)).toSorted();
		}
		const came = goesOn ? await this.#deps.seenBefore.cameAfter(begunAt, names) : [];
		this.#deps.seenBefore.note(Promise.resolve(names));
		this.#follow(threadId, came.length === 0 ? names : subtractNames(names, new Set(came)));
		return came;
	}

	/** The look goes on where the message does not wait for it: the next one hears of it. */
	#look(): Promise<RegistryState | undefined> {
		return raceTimeout(this.#deps.registry.state(), LOOK_FOR_NEWCOMERS_MS).catch(() => undefined);
	}

	async #soonThere(): Promise<ReadonlySet<string> | undefined> {
		const state = await this.#deps.registry.soonKnown();
		return state === undefined ? undefined : await this.#names(state);
	}

	#follow(threadId: ThreadId, names: ReadonlySet<string>): void {
		const [oldest] = this.#before.keys();
		if (oldest !== undefined && this.#before.size >= MAX_FOLLOWED_THREADS) this.#before.delete(oldest);
		this.#before.set(threadId, names);
	}

	async #names(state: RegistryState): Promise<ReadonlySet<string>> {
		const fingerprint = await this.#deps.enabled.fingerprint();
		if (this.#seen?.state === state && this.#seen.fingerprint === fingerprint) {
			return this.#seen.names;
		}
		const isOff = await this.#deps.enabled.disabled();
		const offered = state.capabilities.filter(
			(item) => isInForce(item) && item.manifest?.modelInvocable === true && !isOff(item.path),
		);
		const names = new Set(offered.map(({ type, name }) => `${type}/${name}`));
		if (this.#seen !== undefined) this.#deps.seenBefore.note(Promise.resolve(names));
		this.#seen = { state, fingerprint, names };
		return names;
	}
}

function subtractNames(names: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> {
	return new Set([...names].filter((name) => !others.has(name)));
}
