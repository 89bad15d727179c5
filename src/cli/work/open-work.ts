import type { WorkPort } from '../../contract/ports/work-port.ts';
import { findLocalWork, openLocalWork } from '../../features/work/open-local-work.ts';
import { readHomeText } from '../home/json-file.ts';
import { teamRecordPath } from '../team/record-path.ts';

/** Jobs of a home: those of the team that it has joined, else those of this machine. The caller disposes of it. */
export async function openWork(home: string, onProblem: (error: unknown) => void): Promise<WorkPort> {
	return (await openJoinedWork(home, onProblem)) ?? openLocalWork(home, onProblem);
}

/** Does as `openWork`. Undefined: there was never a job. */
export async function findWork(home: string, onProblem: (error: unknown) => void): Promise<WorkPort | undefined> {
	return (await openJoinedWork(home, onProblem)) ?? findLocalWork(home, onProblem);
}

/** Does as `findWork`, for whoever takes jobs. Undefined also for a member of a team, who takes none. */
export async function findWorkToTake(
	home: string,
	onProblem: (error: unknown) => void,
): Promise<WorkPort | undefined> {
	const isMember = hasJoined(home) && (await import('../team/team.ts')).partOf(home) === 'member';
	return isMember ? undefined : await findWork(home, onProblem);
}

/** Undefined: this home has joined no team. */
async function openJoinedWork(home: string, onProblem: (error: unknown) => void): Promise<WorkPort | undefined> {
	return hasJoined(home) ? await (await import('../team/team.ts')).openWorkOfTeam(home, onProblem) : undefined;
}

function hasJoined(home: string): boolean {
	return readHomeText(teamRecordPath(home)) !== undefined;
}
