/**
 * Rows of all agents of a home, as the page *Automation* and the command line show them: threads, sub-agents, goals, runs of
 * schedules, worktrees and folders that the background host works in.
 */
import type { ThreadId } from '../rpc/ids.ts';
import type { Text } from '../text/text.ts';

/** States in the order in which rows are shown. `ended`: today; what ended before is not listed. */
export const AGENT_ROW_STATES = ['needsYou', 'working', 'resting', 'ended'] as const;
export type AgentRowState = (typeof AGENT_ROW_STATES)[number];

export interface AgentRow {
	/** Unique in a list. */
	readonly id: string;
	readonly kind: 'thread' | 'agent' | 'goal' | 'schedule' | 'worktree' | 'background';
	readonly state: AgentRowState;
	/** Words of a user or a model; empty: a thread without a title. */
	readonly title: string;
	/** Thread that it works in; null: in none. */
	readonly threadId: ThreadId | null;
	/** A turn of it runs. */
	readonly isRunning: boolean;
	/** Call that runs now, or the question that waits for the user. */
	readonly doing?: { readonly title: string; readonly said?: Text | undefined } | undefined;
	/** Words on how it stands, where its state does not say it. */
	readonly said?: Text | undefined;
	/** True: it did not end well. */
	readonly isBad?: boolean;
	/** Title of the thread that it works for. */
	readonly worksFor?: string | undefined;
	/** Steps of a goal. */
	readonly steps?: { readonly done: number; readonly all: number };
	/** In and out; absent: none are known. */
	readonly tokens?: number;
	/** US dollars; absent: no price is known. */
	readonly cost?: number | undefined;
	/** Changed files that can be undone. */
	readonly files: number;
	/** Name of the worktree that it works in. */
	readonly worktree?: string | undefined;
	/** Milliseconds since 1970, like `changedAt`. */
	readonly beganAt: number;
	readonly changedAt: number;
}

export interface OrderedAgentRows {
	readonly rows: readonly AgentRow[];
	/** Number of rows beyond the bound. */
	readonly left: number;
}

/** Returns at most `most` rows: by state, what has waited longest for the user first, of all others the newest first. */
export function orderAgentRows(rows: readonly AgentRow[], most: number): OrderedAgentRows {
	const ordered = rows.toSorted(compareAgentRows);
	return { rows: ordered.slice(0, most), left: Math.max(0, ordered.length - most) };
}

function compareAgentRows(one: AgentRow, other: AgentRow): number {
	const byState = AGENT_ROW_STATES.indexOf(one.state) - AGENT_ROW_STATES.indexOf(other.state);
	if (byState !== 0) return byState;
	const newer = other.changedAt - one.changedAt;
	const byTime = one.state === 'needsYou' ? -newer : newer;
	return byTime !== 0 ? byTime : one.id < other.id ? -1 : 1;
}
