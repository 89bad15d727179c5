/**
 * The command that each new worktree of a project begins with, such as `npm ci`: asked for once, and again when what it runs is not
 * what the user agreed to. Runs in the worktree, as any command that the user agreed to does.
 */
import type { PinnedSetUp } from './worktree-records.ts';

export interface SetUpPorts {
	/** Hashes of what a command line runs of the files in a folder. */
	markScripts(line: string, folder: string): Readonly<Record<string, string>>;
	/** Runs a command line in that folder, in the sandbox and through the gate. Never rejects but for `signal`. */
	runThere(
		folder: string,
		line: string,
		signal: AbortSignal,
	): Promise<{ readonly isDone: boolean; readonly output: string }>;
}

export interface SetUpQuestion {
	/** Command that the user agreed to before; undefined: they were never asked. */
	readonly known: string | undefined;
	/** Files that the command runs and that are not as they were. */
	readonly changed: readonly string[];
	/** Command that fits the project's files; undefined: none is known. */
	readonly likely: string | undefined;
}

/** `skipped`: nobody could be asked about it, or what it runs has changed. */
export interface SetUpEnd {
	readonly line: string;
	readonly state: 'done' | 'failed' | 'skipped';
	readonly output: string;
}

/** Lockfiles, each with the command that installs from it. */
const INSTALLS: readonly (readonly [file: string, line: string])[] = [
	['package-lock.json', 'npm ci'],
	['pnpm-lock.yaml', 'pnpm install --frozen-lockfile'],
	['yarn.lock', 'yarn install --frozen-lockfile'],
	['bun.lock', 'bun install --frozen-lockfile'],
	['uv.lock', 'uv sync --frozen'],
	['poetry.lock', 'poetry install'],
	['Gemfile.lock', 'bundle install'],
	['composer.lock', 'composer install'],
];

export function likelySetUp(listed: readonly string[]): string | undefined {
	return INSTALLS.find(([file]) => listed.includes(file))?.[1];
}

/** Names of the scripts that are not what they were. */
export function changedScripts(pinned: PinnedSetUp, now: Readonly<Record<string, string>>): readonly string[] {
	const names = new Set([...Object.keys(pinned.scripts), ...Object.keys(now)]);
	return [...names].filter((name) => pinned.scripts[name] !== now[name]).sort();
}
