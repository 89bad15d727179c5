/** Permission levels that the user gave to threads. */
import { ThreadId } from '../../../../protocol/ids.ts';
import { PermissionLevel } from '../../../../protocol/approvals/permission-level.ts';
import * as z from '../../../../protocol/text/zod.ts';
import type { LogPort, SettingsPort } from '../../../contract/ports.ts';
import { KeptPerThread } from './kept-per-thread.ts';
import { NO_STRICT_RULES, type StrictRules } from '../rules/strict-rule.ts';

const LevelOfThread = z.object({ id: ThreadId, level: PermissionLevel });
type LevelOfThread = z.infer<typeof LevelOfThread>;

interface ThreadLevelsDeps {
	readonly home: string;
	readonly settings: Pick<SettingsPort, 'current'>;
	readonly log: Pick<LogPort, 'warn'>;
}

export class ThreadLevels {
	readonly #settings: ThreadLevelsDeps['settings'];
	readonly #kept: KeptPerThread<LevelOfThread>;

	constructor({ home, settings, log }: ThreadLevelsDeps) {
		this.#settings = settings;
		this.#kept = new KeptPerThread({
			home,
			file: 'thread-levels.json',
			entry: LevelOfThread,
			consequence: 'everything needs your approval',
			misfit: 'the level of this thread cannot be kept',
			log,
		});
	}

	/** A thread of this host has another level. */
	get onDidChange() {
		return this.#kept.onDidChange;
	}

	/** As `refresh` found it last; that of the settings where the thread has none of its own, or is none yet. */
	of(threadId: ThreadId | null): PermissionLevel {
		const own = threadId === null ? undefined : this.#kept.of(threadId);
		return own?.level ?? this.#settings.current['prowess.approvals.level'];
	}

	/** Nothing, unless the file cannot be read: a thread that was at Manual must not be looser then. */
	get strict(): StrictRules {
		const { problem } = this.#kept;
		return problem === undefined ? NO_STRICT_RULES : { ...NO_STRICT_RULES, unreadable: [problem] };
	}

	/** As the file is no earlier than now. Rejects only when the signal aborts. */
	async refresh(signal: AbortSignal): Promise<void> {
		await this.#kept.refresh(signal);
	}

	/** Threads with a level of their own. Rejects with INVALID_STATE when the file cannot be read. */
	async all(): Promise<readonly LevelOfThread[]> {
		return await this.#kept.all();
	}

	/** Rejects with INVALID_STATE when the file cannot be read. */
	async set(threadId: ThreadId, level: PermissionLevel, signal: AbortSignal): Promise<void> {
		await this.#kept.set({ id: threadId, level }, signal);
	}

	/** For a thread that is gone. Rejects as `set` does. */
	async forget(threadId: ThreadId, signal: AbortSignal): Promise<void> {
		await this.#kept.forget(threadId, signal);
	}
}
