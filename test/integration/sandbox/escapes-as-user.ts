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
const program = specProgram(join(import.meta.dirname, 'escapes-as-user-program.ts'));
const become = ['--reuid', String(USER), '--regid', String(USER), '--clear-groups'];
/** Time limit of a program that only reports that it runs. */
const START_LIMIT_MS = 10_000;

/** True when this user can make attempts as another user, who can read this repository. */
export function canBecomeOrdinary(): boolean {
	if (process.getuid?.() !== 0) return false;
	try {
		execFileSync('setpriv', [...become, process.execPath, '--check', program], {
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
	const folders = ['/srv', '/home', '/run', '/tmp'].map((parent) => mkdtempSync(join(parent, 'prowess-user-')));
	const [elsewhere = '', otherHome = '', sockets = '', temporary = ''] = folders;
	try {
		for (const folder of folders) chownSync(folder, USER, USER);
		const parents = { elsewhere: [elsewhere], otherHome: [otherHome], run: [sockets] };
		const words = [...become, process.execPath, '--no-warnings', program, JSON.stringify({ ...run, parents })];
		const child = spawn('setpriv', words, {
			stdio: ['ignore', 'pipe', 'inherit'],
			env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', HOME: temporary, TMPDIR: temporary },
		});
		let said = '';
		child.stdout.on('data', (piece: Buffer) => (said += piece.toString('utf8')));
		const [code] = (await once(child, 'close')) as [number | null];
		if (code !== 0) throw new Error(`the attempts of the ordinary user ended with ${code}`);
		return JSON.parse(said) as OrdinaryOutcome;
	} finally {
		for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
	}
}
