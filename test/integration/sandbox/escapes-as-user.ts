/** The sandbox of commands, attacked as an ordinary user of this machine, where the specs run as its superuser. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { EscapesMade } from './escape-topics.ts';
import type { OrdinaryRun } from './escapes-as-user-program.ts';
import { specProgram } from '../../support/programs.ts';

interface OrdinaryOutcome {
	/** User id under which the attempts were made. */
	readonly user: number;
	readonly made: EscapesMade;
	readonly hostile: { readonly through: readonly string[]; readonly ran: number };
}

/** `nobody`, on every Linux: owns nothing, may do nothing. */
const USER = 65_534;
const source = join(import.meta.dirname, 'escapes-as-user-program.ts');
const become = ['--reuid', String(USER), '--regid', String(USER), '--clear-groups'];
/** Time limit of a program that only reports that it runs. */
const START_LIMIT_MS = 10_000;

/** True when this user can make attempts as another user, who can read this repository. */
export function canBecomeOrdinary(): boolean {
	if (process.getuid?.() !== 0) return false;
	try {
		execFileSync('setpriv', [...become, process.execPath, '--check', specProgram(source)], {
			stdio: 'ignore',
			timeout: START_LIMIT_MS,
		});
		return true;
	} catch {
		return false;
	}
}

export async function attackAsOrdinaryUser(run: Omit<OrdinaryRun, 'parents'>): Promise<OrdinaryOutcome> {
	// The temporary folder of a run of specs is for its own user only.
	const folders = ['/srv', '/home', '/run'].map((parent) => mkdtempSync(join(parent, 'prowess-user-')));
	const [elsewhere = '', otherHome = '', sockets = ''] = folders;
	try {
		for (const folder of folders) chownSync(folder, USER, USER);
		const parents = { elsewhere: [elsewhere], otherHome: [otherHome], run: [sockets] };
		return await runAsOrdinaryUser<OrdinaryOutcome>(source, [JSON.stringify({ ...run, parents })]);
	} finally {
		for (const folder of folders) removeFolder(folder);
	}
}

/** Runs the program of that source with a home and a temporary folder of its own; resolves with the line of JSON that it writes. */
export async function runAsOrdinaryUser<Outcome>(from: string, words: readonly string[]): Promise<Outcome> {
	const temporary = mkdtempSync('/tmp/prowess-user-');
	try {
		chownSync(temporary, USER, USER);
		const argv = [...become, process.execPath, '--no-warnings', specProgram(from), ...words];
		const child = spawn('setpriv', argv, {
			stdio: ['ignore', 'pipe', 'inherit'],
			env: {
				PATH: process.env['PATH'],
				LANG: 'C.UTF-8',
				HOME: temporary,
				TMPDIR: temporary,
				PROWESS_TEST_BWRAP: process.env['PROWESS_TEST_BWRAP'],
			},
		});
		let said = '';
		child.stdout.on('data', (piece: Buffer) => (said += piece.toString('utf8')));
		const [code] = (await once(child, 'close')) as [number | null];
		if (code !== 0) throw new Error(`the program of the ordinary user ended with ${code}: ${from}`);
		return JSON.parse(said) as Outcome;
	} finally {
		removeFolder(temporary);
	}
}

function removeFolder(folder: string): void {
	rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}
