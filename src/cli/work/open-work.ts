import type { WorkPort } from '../../contract/ports/work-port.ts';
import { findLocalWork, openLocalWork } from '../../features/work/open-local-work.ts';
import { readHomeText } from '../home/json-file.ts';
import { teamRecordPath } from '../team/record-path.ts';

/** Jobs of a home: those of the team that it has joined, else those of this machine. The caller disposes of it. */
export async function openWork(home: string, onProblem: (error: unknown) => void): Promise<WorkPort> {
	return (await openJoinedWork(home, onProblem)) ?? openLocalWork(home, onProblem);
}

/** The same, for whoever takes jobs. Undefined: there was never a job, or this home adds jobs to a team and takes none. */
export async function findWorkToTake(
	home: string,
	onProblem: (error: unknown) => void,
): Promise<WorkPort | undefined> {
	const isMember = hasJoined(home) && (await import('../team/team.ts')).partOf(home) === 'member';
	return isMember ? undefined : ((await openJoinedWork(home, onProblem)) ?? findLocalWork(home, onProblem));
}

/** Undefined: this home has joined no team. */
async function openJoinedWork(home: string, onProblem: (error: unknown) => void): Promise<WorkPort | undefined> {
	return hasJoined(home) ? await (await import('../team/team.ts')).openWorkOfTeam(home, onProblem) : undefined;
}

function hasJoined(home: string): boolean {
	return readHomeText(teamRecordPath(home)) !== undefined;
}
