/** `prowess team …`, and the jobs of the team that a home has joined. */
import { deriveSignal } from '../../base/time/derived-signal.ts';
import type { JobFeed, TeamPackage, TeamPart, TeamView } from '../../contract/ports/team-port.ts';
import type { WorkPort } from '../../contract/ports/work-port.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { openHome } from '../home/home-folder.ts';
import type { CommandAction, CommandContext, Invocation } from '../invocation/command.ts';
import { printResult } from '../invocation/print-result.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { hiddenLine } from '../terminal/hidden-line.ts';
import { standardInput } from '../terminal/standard-input.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { visibleLine } from '../terminal/visible.ts';
import {
	dropTeamProgram,
	forgetTeam,
	type JoinedTeam,
	keepJoinedTeam,
	keepTeamProgram,
	readJoinedTeam,
} from './joined-team.ts';
import { findTeamPackage, type FoundTeamPackage, loadTeamPackage } from './team-package.ts';

/** From the command to the answer of the database. */
const DATABASE_MS = 30_000;
const MAX_ADDRESS_BYTES = 4_096;

interface NamedTeam {
	readonly home: string;
	readonly url: string;
	/** The address without its password. */
	readonly shown: string;
	readonly found: FoundTeamPackage;
	readonly team: TeamPackage;
}

export const initTeam: CommandAction = async (invocation, context) => {
	const { terminal, signal } = context;
	const shown = await withNamedTeam('team init', invocation, context, async ({ url, shown, team }) => {
		await askTeam('making the team', signal, (limited) => team.makeTeam(url, limited));
		return shown;
	});
	terminal.err(`The team is in ${visibleLine(shown)}. Its groups: prowess_member, prowess_worker, prowess_auditor.\n`);
	terminal.err("Add people with psql: CREATE ROLE ann LOGIN PASSWORD '…' IN ROLE prowess_member. See docs/team.md.\n");
	return exitCodes.done;
};

export const joinTeam: CommandAction = async (invocation, context) => {
	const { terminal, environment, signal } = context;
	const as: TeamPart = invocation.values['as'] === 'worker' ? 'worker' : 'member';
	const joined = readJoinedTeam(openHome(environment));
	if (joined !== undefined) {
		const message = `this home has joined the team in ${joined.shown}; leave it first with "prowess team leave"`;
		throw new ProwessError('INVALID_STATE', message);
	}
	return await withNamedTeam('team join', invocation, context, async ({ home, url, shown, found, team }) => {
		const { person, parts } = await askTeam('joining the team', signal, (limited) => team.lookAtTeam(url, limited));
		if (!parts.includes(as)) {
			const message = `${person} may not join as ${as}: its login is not in the group prowess_${as}`;
			throw new ProwessError('ACCESS_DENIED', message);
		}
		await keepJoinedTeam(home, { url, shown, as, package: found.title, integrity: found.integrity }, signal);
		terminal.err(`Joined the team in ${visibleLine(shown)} as ${as}, with ${visibleLine(found.title)}.\n`);
		terminal.err(`Its program is loaded only while it is ${found.integrity}.\n`);
		return exitCodes.done;
	});
};

export const showTeam: CommandAction = async (invocation, context) => {
	const joined = requireTeam(openHome(context.environment));
	const team = loadTeamPackage(joined.program, joined.integrity);
	const view = await askTeam('the look at the team', context.signal, (limited) => team.lookAtTeam(joined.url, limited));
	const { shown, as, package: title, integrity } = joined;
	const said = { address: shown, as, package: title, integrity, ...view };
	return printResult(invocation, context, said, teamText(joined, view));
};

export const leaveTeam: CommandAction = async (_, { terminal, environment, signal }) => {
	if (!(await forgetTeam(openHome(environment), signal))) {
		throw noTeam();
	}
	terminal.err('Left the team: its address and its package are gone from this home. Jobs that were added stay.\n');
	return exitCodes.done;
};

/** Rejects with INVALID_STATE when the package has changed, REQUEST_FAILED when the database cannot be reached. */
export async function openWorkOfTeam(
	{ url, as, program, integrity }: JoinedTeam,
	onProblem: (error: unknown) => void,
): Promise<WorkPort> {
	return await loadTeamPackage(program, integrity).openWork({ url, as, onProblem });
}

/** Tells of jobs that may be there to take. Rejects as `openWorkOfTeam` does. */
export async function followJobsOfTeam({ url, program, integrity }: JoinedTeam, onNews: () => void): Promise<JobFeed> {
	return await loadTeamPackage(program, integrity).followJobs(url, onNews);
}

function requireTeam(home: string): JoinedTeam {
	const joined = readJoinedTeam(home);
	if (joined === undefined) {
		throw noTeam();
	}
	return joined;
}

function noTeam(): ProwessError {
	return new ProwessError('INVALID_STATE', 'this home has joined no team; join one with "prowess team join"');
}

/** Runs with what the command line names: the address, checked, and the package, loaded. Keeps the package where a team is joined. */
async function withNamedTeam<T>(
	command: string,
	invocation: Invocation,
	context: CommandContext,
	work: (named: NamedTeam) => Promise<T>,
): Promise<T> {
	const { environment, signal } = context;
	const { package: given, integrity: expected } = invocation.values;
	if (given === undefined) {
		throw new UsageError(`${command}: name the package of teams with --package`);
	}
	const home = openHome(environment);
	const found = await findTeamPackage({ given, expected, cwd: process.cwd(), home, environment }, signal);
	const url = invocation.operands[0] ?? (await askForAddress(command, context));
	const program = keepTeamProgram(home, found);
	try {
		const team = loadTeamPackage(program, found.integrity);
		return await work({ home, url, shown: team.showAddress(url), found, team });
	} finally {
		dropTeamProgram(home, program);
	}
}

async function askForAddress(command: string, { terminal, signal }: CommandContext): Promise<string> {
	const what = `${command}: the address of the database`;
	const given = terminal.isInteractive
		? await hiddenLine(terminal, 'Address of the database (not shown): ', signal)
		: await standardInput(terminal.stdin, what, MAX_ADDRESS_BYTES, signal);
	if (given.trim() === '') {
		throw new UsageError(`${what} is empty; give it as an operand or on standard input`);
	}
	return given.trim();
}

async function askTeam<T>(what: string, signal: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
	const limited = deriveSignal(signal, { what, timeoutMs: DATABASE_MS });
	try {
		return await ask(limited.signal);
	} finally {
		limited.dispose();
	}
}

function teamText({ shown, as, package: title, integrity }: JoinedTeam, view: TeamView): string {
	const { person, schemaVersion, jobs, workers } = view;
	const states = Object.entries(jobs).map(([state, count]) => `${count} ${state}`);
	const seen = workers.map(({ host, pid, silentMs }) => {
		return `  ${visibleLine(host)}, process ${pid}, last heard of ${Math.round(silentMs / 1000)} s ago\n`;
	});
	return [
		`Team in ${visibleLine(shown)}, as ${as} (${visibleLine(person)}), schema version ${schemaVersion}\n`,
		`Package ${visibleLine(title)}, ${integrity}\n`,
		`Jobs: ${states.join(', ')}\n`,
		`Open questions: ${jobs.parked}\n`,
		workers.length === 0 ? 'No workers.\n' : `Workers:\n${seen.join('')}`,
	].join('');
}
