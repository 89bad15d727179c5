/** Permission levels that the user gave to threads. A sub-agent has none wider than the thread that it works for. */
import { ThreadId } from '../../../../protocol/rpc/ids.ts';
import { PermissionLevel } from '../../../../protocol/ops/permission-level.ts';
import { text } from '../../../../protocol/text/text.ts';
import * as z from '../../../../protocol/text/zod.ts';
import type { LogPort, SettingsPort } from '../../../../contract/ports/ports.ts';
import { type AgentRecords, narrowedLevel } from '../../access/agent-records.ts';
import { KeptPerThread } from './kept-per-thread.ts';
import { NO_STRICT_RULES, type StrictRules } from '../rules/strict-rule.ts';

const LevelOfThread = z.object({ id: ThreadId, level: PermissionLevel });
type LevelOfThread = z.infer<typeof LevelOfThread>;

interface ThreadLevelsDeps {
	readonly home: string;
	readonly settings: Pick<SettingsPort, 'current'>;
	readonly log: Pick<LogPort, 'warn'>;
	/** Absent: there are no sub-agents. */
	readonly agents?: Pick<AgentRecords, 'of' | 'problem' | 'refresh' | 'ancestorsOf'>;
}

export class ThreadLevels {
	readonly #settings: ThreadLevelsDeps['settings'];
	readonly #agents: ThreadLevelsDeps['agents'];
	readonly #kept: KeptPerThread<LevelOfThread>;

	constructor({ home, settings, log, agents }: ThreadLevelsDeps) {
		this.#settings = settings;
		this.#agents = agents;
		this.#kept = new KeptPerThread({
			home,
			file: 'thread-levels.json',
			entry: LevelOfThread,
			consequence: text('everything needs your approval'),
			misfit: 'the level of this thread cannot be kept',
			log,
		});
	}

	/** A thread of this host has another level. */
	get onDidChange() {
		return this.#kept.onDidChange;
	}

	/**
	 * Returns the level that the last `refresh` found; the level of the settings for a thread without one of its own,
	 * and for null.
	 */
	of(threadId: ThreadId | null): PermissionLevel {
		const chain = threadId === null ? [] : [threadId, ...(this.#agents?.ancestorsOf(threadId) ?? [])];
		const root = chain.at(-1);
		const ofRoot =
			(root === undefined ? undefined : this.#kept.of(root)?.level) ??
			this.#settings.current['prowess.approvals.level'];
		// Each agent's own, as it was started with, and as the user has set it since.
		return chain.slice(0, -1).reduce((level, id) => {
			const started = narrowedLevel(this.#agents?.of(id)?.level, level);
			return narrowedLevel(this.#kept.of(id)?.level, started);
		}, ofRoot);
	}

	/**
	 * Strict rules: none, unless a file cannot be read. Then everything is asked, because a thread that was at Manual
	 * must not become looser.
	 */
	get strict(): StrictRules {
		const unreadable = [this.#kept.problem, this.#agents?.problem].filter((problem) => problem !== undefined);
		return unreadable.length === 0 ? NO_STRICT_RULES : { ...NO_STRICT_RULES, unreadable };
	}

	/** Brings the levels up to date: they are at least as new as this call. Rejects only when the signal aborts. */
	async refresh(signal: AbortSignal): Promise<void> {
		await Promise.all([this.#kept.refresh(signal), this.#agents?.refresh(signal)]);
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
