/** Lists all agents of a home, from what the parts of the host and the server know of each. Computes nothing anew. */
import { basename } from 'node:path';
import type { Goal } from '../features/goal/goal.ts';
import type { Schedule, ScheduledRun } from '../features/schedule/schedule.ts';
import { type AgentRow, type OrderedAgentRows, orderAgentRows } from '../protocol/agents/agent-rows.ts';
import { agentStateInWords, type AgentView } from '../protocol/agents/agent-view.ts';
import type { BackgroundState } from '../protocol/background.ts';
import { isProwessError } from '../protocol/errors/errors.ts';
import type { ThreadId } from '../protocol/rpc/ids.ts';
import type { Peer } from '../protocol/rpc/peer.ts';
import { type Text, text } from '../protocol/text/text.ts';
import type { ThreadInfo } from '../protocol/thread/thread.ts';
import { threadRequests } from '../protocol/thread/thread-requests.ts';
import type { TrustedBase } from './trusted-base.ts';

/** Most threads that are looked through, the newest; as many as a server lists at once. */
const MOST_THREADS = 1_000;

interface AgentRowSources {
	readonly base: Pick<TrustedBase, 'agents' | 'goals' | 'schedules' | 'desk' | 'changes' | 'usage' | 'worktrees'>;
	/** Undefined: none is to be had, and no threads are listed. */
	readonly server: Pick<Peer, 'call'> | undefined;
	/** Undefined: nothing works in the background. */
	readonly background: BackgroundState | undefined;
	/** Most rows. */
	readonly most: number;
}

/** A thread is listed once: as its goal or the run of its schedule, where these are listed, else as itself. */
export async function listAgentRows(
	{ base, server, background, most }: AgentRowSources,
	signal: AbortSignal,
): Promise<OrderedAgentRows> {
	const [threads, agents, changed, worktrees] = await Promise.all([
		readThreads(server, signal),
		base.agents.all(),
		base.changes.ofThreads(),
		readWorktrees(base),
	]);
	const titles = new Map(threads.map((thread) => [thread.id, thread]));
	const asked = questionsByThread(base);
	const byItself = [...base.goals.list().map((goal) => goalRow(goal, titles, base)), ...runRows(base)];
	const began = beginOfToday();
	const running = new Set(threads.flatMap(({ id, running }) => (running ? id : [])));
	/** The thread of what has ended may go on by itself. */
	const isListed = ({ state, changedAt, threadId }: AgentRow) =>
		state !== 'ended' || (changedAt >= began && (threadId === null || !running.has(threadId)));
	const told = new Set(byItself.filter(isListed).map(({ threadId }) => threadId));
	const rows = [
		...byItself,
		...threads.filter(({ id }) => !told.has(id)).map(threadRow),
		...agents.map((agent) => subAgentRow(agent, titles)),
		...(background?.working ?? []).map(backgroundRow),
	].map((row) => withQuestion(row, asked));
	const placed = rows.filter(isListed).map((row) => withPlace(row, base));
	const used = new Set(placed.map(({ worktree }) => worktree));
	const left = worktrees.filter(({ name }) => !used.has(name)).map(worktreeRow);
	const ordered = orderAgentRows([...placed, ...left], most);
	const files = new Map(changed.map(({ owner, changes }) => [owner, changes.length]));
	return { ...ordered, rows: ordered.rows.map((row) => withFigures(row, base, files)) };
}

async function readThreads(server: AgentRowSources['server'], signal: AbortSignal): Promise<readonly ThreadInfo[]> {
	return server === undefined ? [] : (await server.call(threadRequests.list, { limit: MOST_THREADS }, signal)).threads;
}

/** Without a trusted folder there are none. */
async function readWorktrees({ worktrees }: Pick<TrustedBase, 'worktrees'>) {
	try {
		return await worktrees.recorded();
	} catch (error) {
		if (isProwessError(error) && error.code === 'NOT_AVAILABLE_HERE') return [];
		throw error;
	}
}

interface OpenQuestion {
	readonly doing: NonNullable<AgentRow['doing']>;
	readonly askedAt: string;
}

type OpenQuestions = ReadonlyMap<ThreadId | null, OpenQuestion>;

/** Returns the question of each thread that was asked first. */
function questionsByThread({ desk }: Pick<TrustedBase, 'desk'>): OpenQuestions {
	const { approvals, questions } = desk.current;
	const all = [
		...approvals.map(({ threadId, title, said, askedAt }) => ({ threadId, doing: { title, said }, askedAt })),
		...questions.map(({ threadId, question, askedAt }) => ({ threadId, doing: { title: question }, askedAt })),
	];
	const newestFirst = all.toSorted((one, other) => (one.askedAt < other.askedAt ? 1 : -1));
	return new Map(newestFirst.map(({ threadId, ...asked }) => [threadId, asked]));
}

function withQuestion(row: AgentRow, questions: OpenQuestions): AgentRow {
	const asked = row.threadId === null ? undefined : questions.get(row.threadId);
	if (asked === undefined) return row;
	return { ...row, state: 'needsYou', doing: asked.doing, changedAt: Date.parse(asked.askedAt) };
}

function withPlace(row: AgentRow, { worktrees, agents }: Pick<TrustedBase, 'worktrees' | 'agents'>): AgentRow {
	const { threadId } = row;
	if (threadId === null) return row;
	const title = agents.doing(threadId);
	return {
		...row,
		worktree: worktrees.placeOf(threadId)?.name,
		doing: row.doing ?? (title === undefined ? undefined : { title }),
	};
}

/** Reads the use of models for rows that are shown only. */
function withFigures(
	row: AgentRow,
	{ usage }: Pick<TrustedBase, 'usage'>,
	files: ReadonlyMap<string, number>,
): AgentRow {
	const { threadId } = row;
	if (threadId === null) return row;
	const used = row.tokens === undefined ? usage.ofThread(threadId) : row;
	return { ...row, tokens: used.tokens ?? 0, cost: used.cost, files: files.get(threadId) ?? 0 };
}

type Titles = ReadonlyMap<ThreadId, ThreadInfo>;

function threadRow({ id, title, running, shelf, createdAt, updatedAt }: ThreadInfo): AgentRow {
	return {
		id,
		kind: 'thread',
		title,
		threadId: id,
		isRunning: running,
		files: 0,
		state: running ? 'working' : shelf === 'archived' ? 'ended' : 'resting',
		beganAt: Date.parse(createdAt),
		changedAt: Date.parse(updatedAt),
	};
}

function subAgentRow(agent: AgentView, titles: Titles): AgentRow {
	const { id, name, parent, state, outcome, doing, isWaiting, tokens, cost, createdAt, changedAt } = agent;
	const isRunning = state === 'running' || state === 'created';
	return {
		id,
		kind: 'agent',
		title: name,
		threadId: id,
		isRunning,
		files: 0,
		tokens,
		cost,
		state: isWaiting === true ? 'needsYou' : isRunning ? 'working' : state === 'terminated' ? 'ended' : 'resting',
		doing: doing === undefined ? undefined : { title: doing },
		said: agentStateInWords(agent),
		isBad: !isRunning && (outcome === 'failed' || outcome === 'interrupted'),
		worksFor: titles.get(parent)?.title,
		beganAt: Date.parse(createdAt),
		changedAt: Date.parse(changedAt ?? createdAt),
	};
}

const GOAL_WORDS: { readonly [S in Goal['state']]: Text } = {
	open: text('Not started'),
	paused: text('Paused'),
	cancelled: text('Cancelled'),
	done: text('Done'),
	failed: text('Not done'),
	needsYou: text('Needs you'),
};

function goalRow(goal: Goal, titles: Titles, { goals }: Pick<TrustedBase, 'goals'>): AgentRow {
	const { id, title, threadId, state, steps, isFollowed, createdAt } = goal;
	const thread = titles.get(threadId);
	const isBegun = steps.some((step) => step.state === 'claimed' || step.state === 'started');
	const isRunning = thread?.running === true;
	const isAtWork = isBegun || isRunning || (state === 'open' && isFollowed && goals.isHere(goal));
	const isOver = state === 'done' || state === 'cancelled';
	return {
		id,
		kind: 'goal',
		title,
		threadId,
		isRunning,
		files: 0,
		state: state === 'needsYou' ? state : isOver ? 'ended' : isAtWork ? 'working' : 'resting',
		said: isAtWork && state === 'open' ? text('In progress') : GOAL_WORDS[state],
		isBad: state === 'failed',
		steps: { done: steps.filter((step) => step.state === 'done').length, all: steps.length },
		beganAt: createdAt,
		changedAt: thread === undefined ? createdAt : Date.parse(thread.updatedAt),
	};
}

/** Runs of now, and the last of each schedule that has ended. A reminder is no agent. */
function runRows({ schedules }: Pick<TrustedBase, 'schedules'>): readonly AgentRow[] {
	const underWay = schedules.underWay().flatMap(({ schedule, run, isCutOff }) => (isCutOff ? [] : { schedule, run }));
	const begun = new Set(underWay.map(({ schedule }) => schedule.id));
	const ended = schedules
		.list()
		.flatMap((schedule) => (schedule.lastRun === undefined ? [] : { schedule, run: schedule.lastRun }))
		.filter(
			({ schedule, run }) => run.endedAt !== null && RUN_WORDS[run.state] !== undefined && !begun.has(schedule.id),
		);
	return [...underWay, ...ended].filter(({ schedule }) => schedule.kind !== 'reminder').map(runRow);
}

/** Undefined: in progress, or never begun. */
const RUN_WORDS: { readonly [S in ScheduledRun['state']]: Text | undefined } = {
	claimed: undefined,
	started: undefined,
	skipped: undefined,
	expired: undefined,
	done: text('Done'),
	failed: text('Failed'),
	stopped: text('Stopped'),
	interrupted: text('Interrupted'),
};

function runRow({ schedule, run }: { readonly schedule: Schedule; readonly run: ScheduledRun }): AgentRow {
	const { threadId, state, startedAt, endedAt } = run;
	const isRunning = endedAt === null;
	return {
		id: threadId,
		kind: 'schedule',
		title: schedule.text,
		threadId,
		isRunning,
		files: 0,
		state: isRunning ? 'working' : 'ended',
		said: RUN_WORDS[state],
		isBad: state === 'failed' || state === 'interrupted',
		beganAt: startedAt,
		changedAt: endedAt ?? startedAt,
	};
}

function backgroundRow({ folder, since }: BackgroundState['working'][number]): AgentRow {
	return {
		id: `background ${folder}`,
		kind: 'background',
		title: basename(folder),
		threadId: null,
		isRunning: false,
		state: 'working',
		files: 0,
		beganAt: since,
		changedAt: since,
	};
}

function worktreeRow({
	name,
	createdAt,
	usedAt,
}: Awaited<ReturnType<TrustedBase['worktrees']['recorded']>>[number]): AgentRow {
	return {
		id: `worktree ${name}`,
		kind: 'worktree',
		title: name,
		threadId: null,
		isRunning: false,
		state: 'resting',
		files: 0,
		beganAt: Date.parse(createdAt),
		changedAt: Date.parse(usedAt),
	};
}

function beginOfToday(): number {
	return new Date().setHours(0, 0, 0, 0);
}
