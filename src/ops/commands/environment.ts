/** workspace.environment: what a person sees at a glance before they begin to work. */
import type { OpResult } from '../../protocol/op-table/ops.ts';
import type { OpImplementations } from '../../contract/ops/op-implementation.ts';
import type { Caller } from '../../contract/ops/caller.ts';
import type { Located } from '../../machine/paths/workspace-paths.ts';
import { ENVIRONMENT_GIT_MS, TOP_NAMES } from '../limits.ts';
import { shownIn } from '../files/shown-in.ts';
import type { CommandDeps } from './command-deps.ts';
import type { FileDeps } from '../files/file-deps.ts';

type EnvironmentResult = OpResult<'workspace.environment'>;

type EnvironmentDeps = Pick<FileDeps, 'paths' | 'wall'> & Pick<CommandDeps, 'git' | 'newcomers' | 'permissionsNow'>;

export function environmentOps(deps: EnvironmentDeps): Pick<OpImplementations, 'workspace.environment'> {
	return {
		'workspace.environment': {
			prepare: () =>
				Promise.resolve({
					targets: [],
					detail: { kind: 'text', text: 'Where the agent works' },
					run: async ({ caller, signal }): Promise<EnvironmentResult> => {
						const [git, top, permissions, newCapabilities] = await Promise.all([
							readGitSummary(deps, signal),
							listTopNames(deps, signal),
							readPermissions(deps, caller, signal),
							listNewCapabilities(deps, caller.threadId),
						]);
						return {
							platform: process.platform,
							date: formatToday(),
							folders: deps.paths.folders.map(({ name, path }) => ({ name, path })),
							...(git === undefined ? {} : { git }),
							...top,
							...permissions,
							...(newCapabilities.length === 0 ? {} : { newCapabilities: [...newCapabilities] }),
						};
					},
				}),
		},
	};
}

/** Outside of a thread nothing is allowed by itself. */
async function readPermissions(
	deps: Pick<CommandDeps, 'permissionsNow'>,
	{ threadId }: Caller,
	signal: AbortSignal,
): Promise<Pick<EnvironmentResult, 'level' | 'isUnattended' | 'hasRules' | 'mode'>> {
	if (threadId === null) {
		return { level: 'ask' };
	}
	const { level, isUnattended, hasRules, mode } = await deps.permissionsNow(threadId, signal);
	return {
		level,
		...(isUnattended ? { isUnattended } : {}),
		...(hasRules ? { hasRules } : {}),
		...(mode === 'agent' ? {} : { mode }),
	};
}

/** Where nobody can say what is enabled, nothing can be started either. */
async function listNewCapabilities(
	{ newcomers }: Pick<CommandDeps, 'newcomers'>,
	threadId: Caller['threadId'],
): Promise<readonly string[]> {
	return threadId === null ? [] : await newcomers.since(threadId).catch(() => []);
}

/** A repository that is slow or broken keeps nobody waiting. */
async function readGitSummary({ paths, git }: EnvironmentDeps, signal: AbortSignal): Promise<EnvironmentResult['git']> {
	const folder = await firstFolder(paths);
	if (folder === undefined) {
		return undefined;
	}
	const limited = AbortSignal.any([signal, AbortSignal.timeout(ENVIRONMENT_GIT_MS)]);
	try {
		const { branch, files, truncated } = await git.status(folder.realPath, limited);
		return { branch, changedFiles: files.length, isMore: truncated };
	} catch {
		signal.throwIfAborted();
		return undefined;
	}
}

async function listTopNames(
	deps: Pick<FileDeps, 'paths' | 'wall'>,
	signal: AbortSignal,
): Promise<Pick<EnvironmentResult, 'top' | 'more'>> {
	const folder = await firstFolder(deps.paths);
	if (folder === undefined) {
		return { top: [], more: 0 };
	}
	try {
		const { entries } = await shownIn(deps, folder, signal);
		// The folder in which Git keeps its own data is no part of the work.
		const shown = entries.filter(({ name }) => name !== '.git');
		const names = shown.map(({ name, kind }) => (kind === 'folder' ? `${name}/` : name));
		return { top: names.slice(0, TOP_NAMES), more: Math.max(0, names.length - TOP_NAMES) };
	} catch {
		signal.throwIfAborted();
		return { top: [], more: 0 };
	}
}

async function firstFolder(paths: FileDeps['paths']): Promise<Located | undefined> {
	const [first] = paths.folders.length === 0 ? [] : paths.resolveScope('.');
	return first === undefined ? undefined : paths.locate(first);
}

function formatToday(): string {
	const now = new Date();
	const padTwoDigits = (value: number) => String(value).padStart(2, '0');
	return `${now.getFullYear()}-${padTwoDigits(now.getMonth() + 1)}-${padTwoDigits(now.getDate())}`;
}
