/** The team that a home has joined: `team/` in PROWESS_HOME; the address of its database is with the sign-ins. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TeamPart } from '../../contract/ports/team-port.ts';
import { teamRecordPath } from '../../features/work/open-local-work.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { readJsonObject, replaceFile } from '../home/json-file.ts';
import { SecretsFile } from '../home/secrets-file.ts';
import type { FoundTeamPackage } from './team-package.ts';

const ADDRESS_NAME = 'team.database';

export interface JoinedTeam {
	/** Address with its password. */
	readonly url: string;
	/** Without it. */
	readonly shown: string;
	readonly as: TeamPart;
	readonly package: string;
	readonly integrity: string;
	/** Path of the package's program. */
	readonly program: string;
}

/** Undefined: it has joined none. Throws INVALID_STATE when what it knows of its team is damaged. */
export function readJoinedTeam(home: string): JoinedTeam | undefined {
	const record = readJsonObject(teamRecordPath(home));
	if (record === undefined) {
		return undefined;
	}
	const { shown, as, package: title, integrity } = record;
	const url = new SecretsFile(home, 'sign-ins').read().get(ADDRESS_NAME);
	const isWhole = [shown, title, integrity].every((each) => typeof each === 'string');
	if (!isWhole || (as !== 'member' && as !== 'worker') || url === undefined) {
		const why = url === undefined ? 'the address of the database is gone' : 'it is damaged';
		throw new ProwessError(
			'INVALID_STATE',
			`${teamRecordPath(home)}: ${why}; to join again, run "prowess team leave" first`,
			{ path: teamRecordPath(home) },
		);
	}
	return {
		url,
		shown: String(shown),
		as,
		package: String(title),
		integrity: String(integrity),
		program: programPath(home, String(integrity)),
	};
}

/** Puts the program where it is loaded from, and returns its path. */
export function keepTeamProgram(home: string, { program, integrity }: FoundTeamPackage): string {
	const path = programPath(home, integrity);
	mkdirSync(join(home, 'team'), { recursive: true, mode: 0o700 });
	writeFileSync(path, program, { mode: 0o600 });
	return path;
}

/** Removes a program that no joined team needs. */
export function dropTeamProgram(home: string, path: string): void {
	if (readJoinedTeam(home)?.program !== path) {
		rmSync(path, { force: true });
	}
}

export async function keepJoinedTeam(
	home: string,
	team: Omit<JoinedTeam, 'program'>,
	signal: AbortSignal,
): Promise<void> {
	const { url, ...record } = team;
	await new SecretsFile(home, 'sign-ins').set(ADDRESS_NAME, url, signal);
	replaceFile(teamRecordPath(home), `${JSON.stringify(record, null, 2)}\n`);
}

/** False: there was nothing to forget. */
export async function forgetTeam(home: string, signal: AbortSignal): Promise<boolean> {
	const wasKept = existsSync(teamRecordPath(home));
	// First: without it, no command takes the home for one of a team.
	rmSync(teamRecordPath(home), { force: true });
	const hadAddress = await new SecretsFile(home, 'sign-ins').set(ADDRESS_NAME, undefined, signal);
	rmSync(join(home, 'team'), { recursive: true, force: true });
	return wasKept || hadAddress;
}

function programPath(home: string, integrity: string): string {
	return join(home, 'team', `${integrity.replace(/[^A-Za-z0-9]/g, '').slice(0, 30)}.cjs`);
}
