import type { WorkPort } from '../../contract/ports/work-port.ts';
import { openLocalWork } from '../../features/work/open-local-work.ts';

/** Jobs of a home: those of the team that it has joined, else those of this machine. The caller disposes of it. */
export async function openWork(home: string, onProblem: (error: unknown) => void): Promise<WorkPort> {
	return (await openJoinedWork(home)) ?? openLocalWork(home, onProblem);
}

/** Undefined: this home has joined no team. */
async function openJoinedWork(_home: string): Promise<WorkPort | undefined> {
	return undefined;
}
