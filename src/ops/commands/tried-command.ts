/**
 * A command that is tried first: it runs in its sandbox on a copy of the workspace, without the network. Changes that
 * it made to the copy can be applied to the workspace in place of running it, if the workspace still is as it was
 * copied.
 */
import { join, relative } from 'node:path';
import type { EndedTrial } from '../../protocol/approvals/approvals.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { CommandState } from '../../protocol/ops/definitions/commands/shell.ts';
import { type Text, text } from '../../protocol/text/text.ts';
import type { Caller } from '../../contract/ops/caller.ts';
import type { Prepared, TrialRun, FinishedTrial } from '../../contract/ops/op-implementation.ts';
import { KEPT_COPY_CHANGES, KEPT_FILE_BYTES } from '../../machine/sandbox/copy/limits.ts';
import { type TriedChange, WorkspaceCopy } from '../../machine/sandbox/copy/workspace-copy.ts';
import { CHANGES_LISTED, TRIAL_MS } from '../limits.ts';
import type { CommandDeps } from './command-deps.ts';
import type { FileDeps } from '../files/file-deps.ts';
import { type KnownChange, applyTriedChanges } from './keep-changes.ts';
import type { SweptCommands } from './swept-commands.ts';

type TrialDeps = Pick<CommandDeps, 'commands' | 'places'> &
	Pick<FileDeps, 'paths' | 'documents'> & { readonly swept: SweptCommands };

interface CommandTrial extends TrialRun<CommandState> {
	/** Says of a run in the workspace where it was unlike the trial before it, if there was one. */
	compared(state: CommandState): CommandState;
}

/** `as`: the command as it was prepared to run. `runOn`: runs it on a copy, for at most `limitMs` with the copying. */
export function commandTrial(
	deps: TrialDeps,
	caller: Caller,
	as: Pick<Prepared<CommandState>, 'targets' | 'detail'>,
	runOn: (copy: WorkspaceCopy, signal: AbortSignal) => Promise<CommandState>,
	limitMs = TRIAL_MS,
): CommandTrial {
	let last: EndedTrial | undefined;
	return {
		compared: (state) => {
			const unlikeTrial = last === undefined || state.running ? [] : listDifferences(last, state);
			return unlikeTrial.length === 0 ? state : { ...state, unlikeTrial };
		},
		async run(signal) {
			const within = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
			const copy = new WorkspaceCopy(deps.places.home, within);
			const discardCopy = () => copy.remove().catch(() => undefined);
			try {
				const state = await runOn(copy, within);
				const changes = await knownChanges(deps.paths, await copy.changes());
				last = endedTrial(deps, state, changes);
				const tried: FinishedTrial<CommandState> = {
					ended: last,
					keep: { ...as, run: (context) => keepTrial(deps, caller, { copy, changes, state }, context.signal) },
					discard: discardCopy,
				};
				return tried;
			} catch (error) {
				await discardCopy();
				throw within.aborted && !signal.aborted ? tookTooLong(limitMs) : error;
			}
		},
	};
}

function tookTooLong(limitMs: number): ProwessError {
	const seconds = limitMs / 1_000;
	return new ProwessError('TIMEOUT', `the trial did not end within ${seconds} s, and was ended`, {
		limitMs,
		said: text('The trial did not end within {seconds} s, and was ended. To let the command run on, allow it.', {
			seconds,
		}),
	});
}

async function knownChanges(
	paths: FileDeps['paths'],
	changes: readonly TriedChange[],
): Promise<readonly KnownChange[]> {
	const folders = await Promise.all(paths.resolveScope('.').map((each) => paths.locate(each)));
	const knownAs = new Map(folders.map(({ realPath, absolutePath }) => [realPath, absolutePath]));
	return changes.map((each) => ({
		...each,
		known: join(knownAs.get(each.root) ?? each.root, relative(each.root, each.path)),
	}));
}

interface KeptTrial {
	readonly copy: WorkspaceCopy;
	readonly changes: readonly KnownChange[];
	readonly state: CommandState;
}

async function keepTrial(deps: TrialDeps, caller: Caller, kept: KeptTrial, signal: AbortSignal): Promise<CommandState> {
	const { copy, changes, state } = kept;
	try {
		await refuseIfTrialStale(deps, kept);
		return await deps.swept.around(caller, async () => {
			const left = await deps.commands.keepTried(() => applyTriedChanges(deps.paths, changes, copy.before, signal));
			return { ...state, tried: true, ...(left.length === 0 ? {} : { kept: [...(state.kept ?? []), ...left] }) };
		});
	} finally {
		await copy.remove().catch(() => undefined);
	}
}

/** Before the first write, so that there is all of it or nothing. */
async function refuseIfTrialStale({ documents }: TrialDeps, { copy, changes }: KeptTrial): Promise<void> {
	for (const { path, known } of changes) {
		if (!(await copy.isUnchanged(path)) || (await documents.readOpen(known))?.unsaved === true) {
			throw new ProwessError('FILE_CHANGED', `${known} has changed since the command was tried: nothing was kept`, {
				path: known,
				said: text('{path} has changed since the command was tried, so nothing was kept.', { path: known }),
			});
		}
	}
}

function endedTrial({ paths }: TrialDeps, state: CommandState, changes: readonly KnownChange[]): EndedTrial {
	const files = changes.filter(({ entry }) => entry !== 'folder');
	const changed = files
		.slice(0, CHANGES_LISTED)
		.map(({ known, kind }) => ({ path: paths.resolveFound(known).path, kind }));
	const lost = whyLost(paths, changes);
	const { exitCode, signal, timedOut, overTime, output } = state;
	return {
		state: 'ended',
		exitCode,
		signal,
		timedOut,
		...(overTime === undefined ? {} : { overTime }),
		output,
		changed,
		changedBeyond: files.length - changed.length,
		...(lost === undefined ? {} : { lost }),
	};
}

/**
 * Lists the paths that only the trial or only the command changed, or each in its own way; none when one of the two
 * lists is incomplete.
 */
function listDifferences(trial: EndedTrial, { changed = [], changedBeyond = 0 }: CommandState): string[] {
	if (trial.changedBeyond > 0 || changedBeyond > 0) return [];
	const [tried, done] = [trial.changed, changed].map(
		(list) => new Set(list.map(({ path, kind }) => `${kind} ${path}`)),
	);
	const all = [...trial.changed, ...changed];
	const unlike = all.filter(({ path, kind }) => tried?.has(`${kind} ${path}`) !== done?.has(`${kind} ${path}`));
	return [...new Set(unlike.map(({ path }) => path))];
}

/** Links and the like are made by the command alone. */
function whyLost(paths: FileDeps['paths'], changes: readonly KnownChange[]): Text | undefined {
	if (changes.length === 0) {
		return text('It changed nothing.');
	}
	if (changes.length > KEPT_COPY_CHANGES) {
		return text('It changed more than {n} files. To have them changed, allow the command.', { n: KEPT_COPY_CHANGES });
	}
	const large = changes.find(({ bytes }) => bytes > KEPT_FILE_BYTES);
	if (large !== undefined) {
		return text('{path} is larger than {n} MB. To have it changed, allow the command.', {
			path: paths.resolveFound(large.known).path,
			n: KEPT_FILE_BYTES / 1_048_576,
		});
	}
	const other = changes.find(({ entry }) => entry === 'other');
	return other === undefined
		? undefined
		: text('{path} is neither a file nor a folder. To have it changed, allow the command.', {
				path: paths.resolveFound(other.known).path,
			});
}
