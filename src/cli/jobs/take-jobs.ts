import { waitOrAborted } from '../../base/time/bounded-wait.ts';
import type { EndedWork } from '../../protocol/background.ts';
import type { CommandContext, Invocation } from '../invocation/command.ts';
import { carryOutPrompts } from './carry-out.ts';
import { workLimits } from './limits.ts';
import { openWork } from './open-work.ts';
import { toFolderLabel, PROMPT_KIND } from '../../features/work/prompt-job.ts';
import type { WorkHost } from './work-host.ts';

interface FolderJobs {
	/** Real path of a folder that is trusted. */
	readonly folder: string;
	/** Labels that this worker has, beside that of the folder. */
	readonly labels: readonly string[];
	onEnded(work: EndedWork): void;
	onProblem(error: unknown): void;
}

/** Carries out the jobs of a folder, one after the other, until there is none. When `context.signal` aborts, what is under way goes back. */
export async function takeFolderJobs(
	host: WorkHost,
	invocation: Invocation,
	context: CommandContext,
	{ folder, labels, onEnded, onProblem }: FolderJobs,
): Promise<void> {
	const carryOut = carryOutPrompts({ host, invocation, context, folder, onEnded });
	const port = await openWork(host.openHome(context.environment), onProblem);
	let [underWay, restedAt] = [0, Date.now()];
	let last: Promise<unknown> = Promise.resolve();
	try {
		const offer = {
			kinds: [PROMPT_KIND],
			labels: [toFolderLabel(folder), ...labels],
			mostAtOnce: workLimits.mostAtOnce,
			mostOfGroup: workLimits.mostOfGroup,
		};
		port.take(offer, async (job, signal) => {
			underWay += 1;
			// Jobs with other labels are taken beside; they wait here.
			const before = last;
			const done = Promise.withResolvers<void>();
			last = done.promise;
			try {
				await before;
				signal.throwIfAborted();
				return await carryOut(job, signal);
			} finally {
				done.resolve();
				underWay -= 1;
				restedAt = Date.now();
			}
		});
		while (underWay > 0 || Date.now() - restedAt < workLimits.idleMs) {
			await waitOrAborted(workLimits.lookMs, context.signal);
		}
	} catch (error) {
		if (!context.signal.aborted) throw error;
	} finally {
		await port.dispose();
	}
}
