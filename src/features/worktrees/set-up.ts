/**
 * The command that each new worktree of a project begins with, such as `npm ci`: asked for once, and again when what it runs is not
 * what the user agreed to. Runs in the worktree, as any command that the user agreed to does.
 */
import { readdir } from 'node:fs/promises';
import type { WorktreeRecord } from './worktree.ts';
import type { PinnedSetUp, WorktreeRecords } from './worktree-records.ts';

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

/** Resolves with the command to begin with; empty: none. */
export type AskSetUp = (asked: SetUpQuestion) => Promise<string>;

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

function likelySetUp(listed: readonly string[]): string | undefined {
	return INSTALLS.find(([file]) => listed.includes(file))?.[1];
}

/** Names of the scripts that are not what they were. */
function changedScripts(pinned: PinnedSetUp, now: Readonly<Record<string, string>>): readonly string[] {
	const names = new Set([...Object.keys(pinned.scripts), ...Object.keys(now)]);
	return [...names].filter((name) => pinned.scripts[name] !== now[name]).sort();
}

export class SetUpCommand {
	readonly #deps: SetUpPorts & { readonly records: WorktreeRecords };

	constructor(deps: SetUpPorts & { readonly records: WorktreeRecords }) {
		this.#deps = deps;
	}

	/** True when a command is to run first. Asks the first time, before anything is made. */
	async agree(ask: AskSetUp | undefined): Promise<boolean> {
		const { records } = this.#deps;
		const choices = await records.choices();
		if (choices.setup === undefined && ask !== undefined) {
			const likely = likelySetUp(await readdir(records.project));
			await this.#pin(await ask({ known: undefined, changed: [], likely }), records.project);
		}
		return ((await records.choices()).setup?.line ?? '') !== '';
	}

	/** Looks at what it runs in the worktree, where it runs. Undefined: there is none, or it has run. */
	async run(record: WorktreeRecord, ask: AskSetUp | undefined, signal: AbortSignal): Promise<SetUpEnd | undefined> {
		const { records, markScripts, runThere } = this.#deps;
		if (record.isSetUpDue === undefined) return undefined;
		const folder = records.workOf(record);
		const known = (await records.choices()).setup;
		if (known === undefined || known.line === '') return undefined;
		const changed = changedScripts(known, markScripts(known.line, folder));
		if (changed.length > 0) {
			if (ask === undefined) return { line: known.line, state: 'skipped', output: changed.join(', ') };
			await this.#pin(await ask({ known: known.line, changed, likely: known.line }), folder);
		}
		const { line } = (await records.choices()).setup ?? known;
		if (line === '') return undefined;
		const { isDone, output } = await runThere(folder, line, signal);
		if (isDone) {
			await records.alone(async () => {
				const { isSetUpDue: _was, ...rest } = await records.get(record.name);
				await records.set(rest);
			}, signal);
		}
		return { line, state: isDone ? 'done' : 'failed', output };
	}

	async #pin(line: string, folder: string): Promise<void> {
		const { records, markScripts } = this.#deps;
		const setup = { line: line.trim(), scripts: markScripts(line.trim(), folder) };
		await records.choose({ ...(await records.choices()), setup });
	}
}
