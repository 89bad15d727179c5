/** A sandbox around an empty workspace, to try out what it keeps inside. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type HeldSandbox, OpenSandbox } from '../open-sandbox.ts';
import type { CommandFolders } from '../sandbox-folders.ts';
import { WATCH_LIMITS } from '../watch/watch-limits.ts';

interface TrialOptions {
	readonly held: HeldSandbox;
	/** Folders that the sandbox has to itself; the workspace is made in them. */
	readonly own: CommandFolders;
	/** PROWESS_HOME. */
	readonly home: string;
	readonly environment: Readonly<Record<string, string>>;
}

export function openTrialSandbox({ held, own, home, environment }: TrialOptions): {
	readonly sandbox: OpenSandbox;
	/** Absolute. */
	readonly workspace: string;
} {
	const workspace = join(own.root, 'workspace');
	mkdirSync(workspace);
	const sandbox = new OpenSandbox({
		held,
		own,
		home,
		roots: [workspace],
		guarded: [],
		above: [],
		notShown: [],
		findGuarded: () => [],
		goneMeanwhile: () => undefined,
		isBeside: () => false,
		onStart: () => undefined,
		placeholders: [],
		cwd: workspace,
		environment,
		limits: WATCH_LIMITS,
		reach: { read: [], write: [] },
		isWritable: true,
		network: undefined,
		tidy: () => Promise.resolve([]),
	});
	return { sandbox, workspace };
}
