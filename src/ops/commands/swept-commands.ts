/**
 * Files that a command changes by itself: found by looks before and after it, kept for undo, and named in its result.
 * Changes by a command in the background are named when its output is read after its end.
 */
import { raceTimeout } from '../../base/time/bounded-wait.ts';
import type { CommandId } from '../../protocol/rpc/ids.ts';
import type { CommandState } from '../../protocol/ops/definitions/commands/shell.ts';
import type { Caller } from '../../contract/ops/caller.ts';
import { withoutOuterFolders } from '../../machine/paths/names/outer-folders.ts';
import type { CommandLooks, Recording } from '../../machine/sweep/workspace-sweeps.ts';
import type { CommandDeps } from './command-deps.ts';
import type { FileDeps } from '../files/file-deps.ts';
import { CHANGES_LISTED, LOOK_AFTER_END_MS, UNREAD_CHANGES } from '../limits.ts';

type SweptDeps = Pick<FileDeps, 'beforeImages' | 'paths'> & Pick<CommandDeps, 'sweeps' | 'commands'>;
type NamedChanges = Pick<CommandState, 'changed' | 'changedBeyond'>;

/** Changes that were found of a command and are not yet named in a result. */
interface FoundChanges {
	readonly changed: NonNullable<CommandState['changed']>;
	beyond: number;
}

interface LateChanges {
	readonly found: FoundChanges;
	/** After the last look. */
	readonly over: Promise<true>;
}

export class SweptCommands {
	readonly #deps: SweptDeps;
	/** Changes by commands in the background, until somebody reads them. */
	readonly #late = new Map<CommandId, LateChanges>();

	constructor(deps: SweptDeps) {
		this.#deps = deps;
	}

	/** Also of a command that fails or is stopped, the changes are kept. `run` gives what has ended, or goes on in the background. */
	async around(
		caller: Caller,
		run: (rested: CommandLooks['rested'] | undefined) => Promise<CommandState>,
	): Promise<CommandState> {
		const found: FoundChanges = { changed: [], beyond: 0 };
		const looks = await this.#deps.sweeps?.before(ownerKey(caller), () => this.#recording(caller, found));
		if (looks === undefined) {
			return await run(undefined);
		}
		let state: CommandState;
		try {
			state = await run(looks.rested);
		} catch (error) {
			await looks.end();
			throw error;
		}
		await (state.running ? this.#goesOn(state, looks, found) : looks.end());
		return { ...state, ...takeFoundChanges(found) };
	}

	/** Returns the state; after a background command has ended, the first answer has what it changed. */
	async told(state: CommandState): Promise<CommandState> {
		const late = this.#late.get(state.commandId);
		if (state.running || late === undefined || (await raceTimeout(late.over, LOOK_AFTER_END_MS)) === undefined) {
			return state;
		}
		this.#late.delete(state.commandId);
		return { ...state, ...takeFoundChanges(late.found) };
	}

	async #goesOn({ commandId, sentToBackground }: CommandState, looks: CommandLooks, found: FoundChanges) {
		if (sentToBackground === true) {
			await looks.look();
		}
		const over = looks.endAfter(this.#deps.commands.ended(commandId)).then(() => true as const);
		this.#late.set(commandId, { found, over });
		for (const old of [...this.#late.keys()].slice(0, -UNREAD_CHANGES)) this.#late.delete(old);
	}

	/** Records the finds of one look, which belong to the turn that runs when the look begins. */
	#recording(caller: Caller, found: FoundChanges): Recording {
		const { beforeImages, paths } = this.#deps;
		const callerNow = beforeImages.callerNow(caller);
		return async ({ changes, uncovered }) => {
			const files = changes.map((change) => ({ ...change, path: paths.resolveFound(change.absolutePath).path }));
			await beforeImages.swept({ caller: callerNow, files });
			const isFolder = ({ before, after }: (typeof files)[number]) =>
				[before, after].every((content) => content === undefined || content.kind === 'folder');
			for (const { path, before, after, isShown } of withoutOuterFolders(files, isFolder)) {
				const kind = before === undefined ? 'created' : after === undefined ? 'deleted' : 'modified';
				// The first look at a file decides about its kind, because only that look knows whether the file was
				// there before.
				if (!found.changed.some((each) => each.path === path)) {
					found.changed.push(isShown ? { path, kind } : { path, kind, isShown });
				}
			}
			found.beyond += uncovered;
		};
	}
}

/** Whose changes they are: those of one thread count together. */
function ownerKey(caller: Caller): string {
	return caller.threadId ?? (caller.kind === 'execution' ? caller.executionId : caller.kind);
}

/** Takes the changes out of `found`, so that each is named once. */
function takeFoundChanges(found: FoundChanges): NamedChanges {
	const changed = found.changed.splice(0);
	const beyond = Math.max(0, changed.length - CHANGES_LISTED) + found.beyond;
	found.beyond = 0;
	return {
		...(changed.length === 0 ? {} : { changed: changed.slice(0, CHANGES_LISTED) }),
		...(beyond === 0 ? {} : { changedBeyond: beyond }),
	};
}
