/** Finds a ripgrep that runs. Each candidate is tried once, with a time limit; one that is broken is passed over. */
import { execFile } from 'node:child_process';
import { findProgram } from '../../shell/find-program.ts';
import { RIPGREP_PROBE_TIMEOUT_MS } from '../limits.ts';

export async function probeRipgrep(
	candidates: readonly string[],
	environment: Readonly<Record<string, string>>,
): Promise<string | undefined> {
	for (const candidate of [...candidates, 'rg']) {
		if (candidate === '') {
			continue;
		}
		try {
			const program = await findProgram(candidate, '/', environment);
			if (await isWorkingRipgrep(program, environment)) {
				return program;
			}
		} catch {
			// Not installed there: the next candidate may be.
		}
	}
	return undefined;
}

function isWorkingRipgrep(program: string, env: Readonly<Record<string, string>>): Promise<boolean> {
	return new Promise((resolve) => {
		const options = { env, timeout: RIPGREP_PROBE_TIMEOUT_MS, killSignal: 'SIGKILL' as const, windowsHide: true };
		execFile(program, ['--no-config', '--version'], options, (error, stdout) => {
			resolve(error === null && stdout.startsWith('ripgrep '));
		});
	});
}
