import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { firstOnPath } from '../setup/programs.mjs';
import { root, tools } from '../setup/paths.mjs';

/** Notes the folder of the last start: threads and trust belong to a path, so the same one is used again. */
const note = join(tools, 'scratch');

/**
 * A copy of the sample project outside the repository, as a git repository with one commit, that the agent may change.
 * Used again by the next start unless a fresh one is wanted.
 */
export function keptScratchWorkspace(isFresh: boolean): string {
	const known = existsSync(note) ? readFileSync(note, 'utf8') : undefined;
	if (known !== undefined && existsSync(known)) {
		if (!isFresh) return known;
		rmSync(dirname(known), { recursive: true, force: true });
	}
	const workspace = scratchWorkspace();
	mkdirSync(tools, { recursive: true });
	writeFileSync(note, workspace);
	return workspace;
}

export function scratchWorkspace(): string {
	const workspace = join(realpathSync(mkdtempSync(join(tmpdir(), 'prowess-scratch-'))), 'prowess-sample');
	cpSync(join(root, 'examples/sample'), workspace, { recursive: true });
	if (firstOnPath(['git']) !== undefined) commitAll(workspace);
	return workspace;
}

function commitAll(folder: string): void {
	const git = (...args: string[]) =>
		execFileSync('git', ['-c', 'user.name=Prowess', '-c', 'user.email=sample@prowess.invalid', ...args], {
			cwd: folder,
			stdio: 'pipe',
			timeout: 30_000,
		});
	git('init', '--quiet', '--initial-branch=main');
	git('add', '--all');
	// No hook and no signature of the user's own has a say in a sample.
	git('-c', 'core.hooksPath=/dev/null', '-c', 'commit.gpgSign=false', 'commit', '--quiet', '--message', 'A small shop');
}
