/**
 * The permission level of the thread on the screen, and that of the one which the next message begins. The host keeps the level
 * of each thread; what is chosen for a thread that is yet to begin is kept here until it does.
 */
import { Emitter } from '../../base/emitter.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { LogPort, SettingsPort } from '../../contract/ports/ports.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import {
	isWiderLevel,
	type LevelInForce,
	pickNarrowerLevel,
	type PermissionLevel,
} from '../../protocol/ops/permission-level.ts';
import type { CurrentThread } from './current-thread.ts';

interface LevelsOfHost {
	readonly levels: Pick<TrustedBase['levels'], 'of' | 'set' | 'onDidChange'>;
}

interface ShownLevelDeps {
	readonly current: Pick<CurrentThread, 'id' | 'onDidChange'>;
	readonly settings: Pick<SettingsPort, 'current' | 'onDidChange'>;
	readonly log: LogPort;
	/** Undefined before the trusted base is there. */
	base(): LevelsOfHost | undefined;
	/** Asks in a dialog of the editor, which no page can press: true when the person wants the widest level. */
	confirm(): Promise<boolean>;
}

interface ThreadLevelInForce {
	readonly threadId: ThreadId | null;
	readonly inForce: LevelInForce;
}

export class ShownLevel implements Disposable {
	readonly #deps: ShownLevelDeps;
	readonly #store = new DisposableStore();
	readonly #changed = this.#store.add(new Emitter<ThreadLevelInForce>());
	readonly onDidChange = this.#changed.event;
	/** For the thread that is yet to begin; undefined: that of the settings. */
	#chosen: PermissionLevel | undefined;

	constructor(deps: ShownLevelDeps) {
		this.#deps = deps;
		this.#store.add(
			deps.current.onDidChange((threadId) => {
				if (threadId !== null) {
					this.#chosen = undefined;
				}
				this.tell();
			}),
		);
		this.#store.add(deps.settings.onDidChange(() => this.tell()));
	}

	/** From the moment it is there, what the trusted base knows counts. */
	follow({ levels }: LevelsOfHost): Disposable {
		this.tell();
		return levels.onDidChange(() => this.tell());
	}

	/** Finds it out and announces it. */
	tell(): void {
		const { current, log } = this.#deps;
		this.of(current.id, new AbortController().signal).catch((error: unknown) =>
			log.error('the permission level could not be found out', { error: String(error) }),
		);
	}

	/**
	 * Returns the permission level in force, and announces it if the thread is on the screen, because a file with rules
	 * may have changed since.
	 */
	async of(threadId: ThreadId | null, signal: AbortSignal): Promise<LevelInForce> {
		const inForce = await this.#find(threadId, signal);
		if (this.#deps.current.id === threadId) {
			this.#changed.fire({ threadId, inForce });
		}
		return inForce;
	}

	async #find(threadId: ThreadId | null, signal: AbortSignal): Promise<LevelInForce> {
		const base = this.#deps.base();
		const inForce = base === undefined ? this.#ofSettings() : await base.levels.of(threadId, signal);
		return threadId !== null || this.#chosen === undefined
			? inForce
			: { ...inForce, level: pickNarrowerLevel(this.#chosen, inForce.widest) };
	}

	/** Only for what is on the screen. Rejects with DENIED_BY_RULE where a rule permits none that wide. */
	async choose(threadId: ThreadId | null, level: PermissionLevel, signal: AbortSignal): Promise<LevelInForce> {
		const { current, confirm } = this.#deps;
		const before = await this.of(threadId, signal);
		refuseForbidden(level, before);
		const isConfirmed = level !== 'full' || before.level === 'full' || (await confirm());
		if (!isConfirmed || current.id !== threadId) {
			return await this.of(threadId, signal);
		}
		if (threadId === null) {
			this.#chosen = level;
		} else {
			await this.#set(threadId, level, signal);
		}
		return await this.of(threadId, signal);
	}

	/** A thread has begun: it gets what was chosen for it. Rejects where that cannot be kept, so that nothing runs at another. */
	async begun(threadId: ThreadId, signal: AbortSignal): Promise<void> {
		if (this.#chosen !== undefined) {
			await this.#set(threadId, this.#chosen, signal);
			this.#chosen = undefined;
		}
	}

	dispose(): void {
		this.#store.dispose();
	}

	async #set(threadId: ThreadId, level: PermissionLevel, signal: AbortSignal): Promise<void> {
		const base = this.#deps.base();
		if (base === undefined) {
			throw new ProwessError('WORKSPACE_UNTRUSTED', 'a level is kept only in a workspace that is trusted');
		}
		await base.levels.set(threadId, level, signal);
	}

	/**
	 * Returns the level of the settings, for the time before the trusted base exists: nothing runs yet, so no rules or
	 * answers count.
	 */
	#ofSettings(): LevelInForce {
		const { current } = this.#deps.settings;
		const widest = current['prowess.approvals.widestLevel'];
		return { level: pickNarrowerLevel(current['prowess.approvals.level'], widest), widest, why: null };
	}
}

function refuseForbidden(level: PermissionLevel, { widest, why }: LevelInForce): void {
	if (isWiderLevel(level, widest)) {
		throw new ProwessError('DENIED_BY_RULE', `the permission level "${level}" is forbidden`, {
			...(why === null ? {} : { reason: why }),
		});
	}
}
