/**
 * Permission levels that the user gave to threads. They lie in our home, which no op reaches, and are the host's alone: no
 * server and no page can say one. All hosts of a home share them.
 */
import { join } from 'node:path';
import { Emitter } from '../../../base/emitter.ts';
import { ThreadId } from '../../../protocol/ids.ts';
import { PermissionLevel } from '../../../protocol/permission-level.ts';
import * as z from '../../../protocol/zod.ts';
import type { LogPort, SettingsPort } from '../../contract/ports.ts';
import { LatestReading } from '../../machine/home-files/latest-reading.ts';
import { SharedJson } from '../../machine/home-files/shared-json.ts';
import { MAX_THREADS_WITH_LEVEL } from './limits.ts';
import { NO_STRICT_RULES, type StrictRules } from './strict-rule.ts';

/** Last changed last. */
const LevelsFile = z.object({ threads: z.array(z.object({ id: ThreadId, level: PermissionLevel })) });
type LevelsFile = z.infer<typeof LevelsFile>;

interface ThreadLevelsDeps {
	readonly home: string;
	readonly settings: Pick<SettingsPort, 'current'>;
	readonly log: Pick<LogPort, 'warn'>;
}

export class ThreadLevels {
	readonly #deps: ThreadLevelsDeps;
	readonly #file: SharedJson<LevelsFile>;
	readonly #changed = new Emitter<ThreadId>();
	readonly #levels: LatestReading<ReadonlyMap<ThreadId, PermissionLevel>>;

	constructor(deps: ThreadLevelsDeps) {
		this.#deps = deps;
		this.#file = new SharedJson({
			path: join(deps.home, 'thread-levels.json'),
			schema: LevelsFile,
			empty: { threads: [] },
			consequence: 'everything needs your approval',
			misfit: 'the level of this thread cannot be kept',
		});
		this.#levels = new LatestReading<ReadonlyMap<ThreadId, PermissionLevel>>({
			read: async () => new Map((await this.all()).map(({ id, level }) => [id, level])),
			empty: new Map(),
			log: deps.log,
		});
	}

	/** A thread of this host has another level. */
	readonly onDidChange = this.#changed.event;

	/** As `refresh` found it last; that of the settings where the thread has none of its own, or is none yet. */
	of(threadId: ThreadId | null): PermissionLevel {
		const own = threadId === null ? undefined : this.#levels.current.get(threadId);
		return own ?? this.#deps.settings.current['prowess.approvals.level'];
	}

	/** Nothing, unless the file cannot be read: a thread that was at Manual must not be looser then. */
	get strict(): StrictRules {
		const { problem } = this.#levels;
		return problem === undefined ? NO_STRICT_RULES : { ...NO_STRICT_RULES, unreadable: [problem] };
	}

	/** As the file is no earlier than now. Rejects only when the signal aborts. */
	async refresh(signal: AbortSignal): Promise<void> {
		await this.#levels.refresh(signal);
	}

	/** Threads with a level of their own. Rejects with INVALID_STATE when the file cannot be read. */
	async all(): Promise<readonly { readonly id: ThreadId; readonly level: PermissionLevel }[]> {
		return (await this.#file.read()).threads;
	}

	/** Rejects with INVALID_STATE when the file cannot be read. */
	async set(threadId: ThreadId, level: PermissionLevel, signal: AbortSignal): Promise<void> {
		await this.#file.change(({ threads }) => {
			const others = threads.filter(({ id }) => id !== threadId);
			return { threads: [...others, { id: threadId, level }].slice(-MAX_THREADS_WITH_LEVEL) };
		}, signal);
		await this.refresh(signal);
		this.#changed.fire(threadId);
	}

	/** For a thread that is gone. Rejects as `set` does. */
	async forget(threadId: ThreadId, signal: AbortSignal): Promise<void> {
		await this.#file.change((file) => {
			const threads = file.threads.filter(({ id }) => id !== threadId);
			return threads.length < file.threads.length ? { threads } : file;
		}, signal);
	}
}
