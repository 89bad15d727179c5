/**
 * Goes on with goals while a host is there: those that were started in one that stays, in the folders that are open. Looks often
 * enough to notice what other processes change, and leaves it to the store who may work on which step.
 */
import type { Disposable } from '../../base/disposable.ts';
import type { LogPort } from '../../contract/ports/ports.ts';
import type { Goal } from './goal.ts';
import { goalLimits } from './limits.ts';

interface FollowerDeps {
	readonly log: Pick<LogPort, 'error'>;
	list(): readonly Goal[];
	/** True when this host may work in the goal's folder. */
	isHere(goal: Goal): boolean;
	/** Works on it until nothing can go on. */
	run(id: string, signal: AbortSignal): Promise<unknown>;
	/** Returns the version of the file, which differs each time after another process has written. */
	version(): number;
	/** Another process has written. */
	onChanged(): void;
}

export class GoalFollower implements Disposable {
	readonly #deps: FollowerDeps;
	readonly #life = new AbortController();
	readonly #running = new Map<string, Promise<void>>();
	#timer: NodeJS.Timeout | undefined;
	#version = 0;

	constructor(deps: FollowerDeps) {
		this.#deps = deps;
	}

	follow(): void {
		this.#timer ??= setInterval(() => this.look(), goalLimits.followMs).unref();
		this.look();
	}

	/** Continues the goals that wait for this host. Does nothing before `follow`. */
	look(): void {
		if (this.#timer === undefined || this.#life.signal.aborted) {
			return;
		}
		try {
			const version = this.#deps.version();
			if (version !== this.#version) {
				this.#version = version;
				this.#deps.onChanged();
			}
			for (const goal of this.#deps.list()) {
				const { id, state, isFollowed } = goal;
				if (isFollowed && state === 'open' && !this.#running.has(id) && this.#deps.isHere(goal)) {
					this.#running.set(id, this.#run(id));
				}
			}
		} catch (error) {
			// A file that cannot be read just now is read at the next look.
			this.#deps.log.error('goals could not be read', { error: String(error) });
		}
	}

	/** Stops the steps that run; the next host goes on from there. */
	async close(): Promise<void> {
		this.dispose();
		await Promise.all(this.#running.values());
	}

	dispose(): void {
		clearInterval(this.#timer);
		this.#life.abort();
	}

	async #run(id: string): Promise<void> {
		try {
			await this.#deps.run(id, this.#life.signal);
		} catch (error) {
			if (!this.#life.signal.aborted) {
				this.#deps.log.error('a goal could not go on', { goal: id, error: String(error) });
			}
		} finally {
			this.#running.delete(id);
		}
	}
}
