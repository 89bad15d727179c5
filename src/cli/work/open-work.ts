import type { WorkPort } from '../../contract/ports/work-port.ts';
import { openLocalWork } from '../../features/work/open-local-work.ts';
import { readHomeText } from '../home/json-file.ts';
import { teamRecordPath } from '../team/record-path.ts';

/** Jobs of a home: those of the team that it has joined, else those of this machine. The caller disposes of it. */
export async function openWork(home: string, onProblem: (error: unknown) => void): Promise<WorkPort> {
	return (await openJoinedWork(home, onProblem)) ?? openLocalWork(home, onProblem);
}

/** Undefined: this home has joined no team. */
async function openJoinedWork(home: string, onProblem: (error: unknown) => void): Promise<WorkPort | undefined> {
	const hasJoined = readHomeText(teamRecordPath(home)) !== undefined;
	return hasJoined ? await (await import('../team/team.ts')).openWorkOfTeam(home, onProblem) : undefined;
}
