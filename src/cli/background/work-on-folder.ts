/** Works on one folder until nothing is left to do there: runs that are due, goals that had begun, and their sub-agents. */
import type { TrustedBase } from '../../host/trusted-base.ts';
import type { EndedWork } from '../../protocol/background.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import { causeInEnglish } from '../terminal/messages.ts';
import { backgroundWorkLimits } from './limits.ts';

interface FolderWorkEvents {
	onEnded(work: EndedWork): void;
	onFailure(what: string, error: unknown): void;
}

type FolderWorkBase = Pick<TrustedBase, 'agents' | 'goals' | 'schedules'>;

/** Aborting `signal` ends it at the next moment; what runs is stopped by the end of the host. */
export async function workOnFolder(
	{ agents, goals, schedules }: FolderWorkBase,
	folder: string,
	{ onEnded, onFailure }: FolderWorkEvents,
	signal: AbortSignal,
): Promise<void> {
	const jobs = new Set<Promise<void>>();
	const begun = new Set<string>();
	let wake = () => {};
	const startJob = (what: string, work: () => Promise<void>) => {
		const running: Promise<void> = work()
			.catch((error: unknown) => {
				if (!signal.aborted) onFailure(what, error);
			})
			.finally(() => {
				jobs.delete(running);
				wake();
			});
		jobs.add(running);
	};
	// Wait until none of the thread's sub-agents runs: they may work on after its turn has ended.
	const waitForAgents = (threadId: ThreadId) => agents.settled(threadId, signal);
	const listening = schedules.onDidEnd(({ schedule, run: { threadId }, state, error }) => {
		const why = error === undefined ? {} : { why: causeInEnglish(error) };
		onEnded({ kind: 'schedule', folder, title: schedule.text, threadId, state, ...why, at: Date.now() });
		startJob(schedule.text, () => waitForAgents(threadId));
	});
	schedules.follow({ reminds: false });
	try {
		while (!signal.aborted) {
			for (const { id, title, threadId } of goals.leftOpen().filter((goal) => goal.folder === folder)) {
				if (!begun.has(id)) {
					begun.add(id);
					startJob(title, async () => {
						const { state } = await goals.run(id, {}, signal);
						onEnded({ kind: 'goal', folder, title, threadId, state, at: Date.now() });
						await waitForAgents(threadId);
					});
				}
			}
			const untilNext = (schedules.nextDue(folder) ?? 0) - Date.now();
			const isNear = untilNext > 0 && untilNext <= backgroundWorkLimits.lingerMs;
			if (!isNear && !schedules.isRunning && jobs.size === 0) {
				return;
			}
			await new Promise<void>((resolve) => {
				const endWait = () => {
					clearTimeout(timer);
					signal.removeEventListener('abort', endWait);
					resolve();
				};
				const timer = setTimeout(
					endWait,
					isNear ? Math.min(untilNext + 1_000, backgroundWorkLimits.lookMs) : backgroundWorkLimits.lookMs,
				);
				signal.addEventListener('abort', endWait, { once: true });
				wake = endWait;
			});
		}
	} finally {
		listening.dispose();
	}
}
