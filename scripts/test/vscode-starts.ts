/** Counts how often a run starts VS Code. Each start costs as much as ten specs, so stories share one. */

import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mostVscodeStarts } from './limits.ts';
import { type Outcome, oneFailed, sum } from './outcome.ts';
import { currentTry } from './pictures.ts';

const fileName = 'PROWESS_VSCODE_STARTS';

/** For whoever starts a server, in whatever process of the run. A second try has one of its own, which does not count. */
export function noteVscodeStart(): void {
	const file = process.env[fileName];
	if (file !== undefined && currentTry() === 'first') appendFileSync(file, '.');
}

/** Says how often VS Code was started. More often than the limit is a failure. */
export async function countingVscodeStarts(
	env: NodeJS.ProcessEnv,
	run: (env: NodeJS.ProcessEnv) => Promise<Outcome>,
): Promise<Outcome> {
	const folder = mkdtempSync(join(tmpdir(), 'prowess-starts-'));
	const file = join(folder, 'starts');
	writeFileSync(file, '');
	try {
		const outcome = await run({ ...env, [fileName]: file });
		const { length: starts } = readFileSync(file, 'utf8');
		console.log(`VS Code was started ${starts} times.`);
		if (starts <= mostVscodeStarts) return outcome;
		return sum([outcome, oneFailed(`VS Code was started ${starts} times; at most ${mostVscodeStarts} may`)]);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
