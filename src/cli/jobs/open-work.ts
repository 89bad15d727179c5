import type { WorkPort } from '../../contract/ports/work-port.ts';
import { findLocalWork, openLocalWork } from '../../features/work/open-local-work.ts';
import { readJoinedTeam } from '../team/joined-team.ts';

/** Jobs of a home: those of the team that it has joined, else those of this machine. The caller disposes of it. */
export async function openWork(home: string, onProblem: (error: unknown) => void): Promise<WorkPort> {
	return (await openJoinedWork(home, onProblem)) ?? openLocalWork(home, onProblem);
}

/** The same, for whoever takes jobs. Undefined: there was never a job, or this home adds jobs to a team and takes none. */
export async function findWorkToTake(home: string, onProblem: (error: unknown) => void): Promise<WorkPort | undefined> {
	const isMember = readJoinedTeam(home)?.as === 'member';
	return isMember ? undefined : ((await openJoinedWork(home, onProblem)) ?? findLocalWork(home, onProblem));
}

/** Undefined: this home has joined no team. */
async function openJoinedWork(home: string, onProblem: (error: unknown) => void): Promise<WorkPort | undefined> {
	const joined = readJoinedTeam(home);
	return joined && (await (await import('../team/team.ts')).openWorkOfTeam(joined, onProblem));
}
