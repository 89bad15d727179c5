/**
 * Keeps the changes of threads, and of executions outside of any thread, with the text before each. An image is durable
 * before the write it is for; it stays until the user keeps or undoes the change, also over restarts.
 */
import { Emitter } from '../../base/emitter.ts';
import type { BeforeImages } from '../../contract/ops/op-implementation.ts';
import type { ChangeOwner, ChangesLeft, FileChange } from '../../protocol/approvals/changes.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import type { ClaimHolder } from '../../store/threads/lease-holder.ts';
import type { ChangeTracker, ExecutionChanges, Hunk } from '../../contract/changes.ts';
import type { PerformForUser, PerformOp } from '../../contract/ops/perform-op.ts';
import type { DocumentPort, HostPorts, LogPort } from '../../contract/ports/ports.ts';
import { withoutOuterFolders } from '../../machine/paths/names/outer-folders.ts';
import { entryOfMark, standsForBytes, textOfMark } from '../../machine/paths/reading/read-content.ts';
import type { WorkspacePaths } from '../../machine/paths/workspace-paths.ts';
import type { CommandWall } from '../../machine/sandbox/command-wall.ts';
import type { WorkspaceSweeps } from '../../machine/sweep/workspace-sweeps.ts';
import type { Redactor } from '../record/redaction/redactor.ts';
import type { HostStore } from '../record/store/thread/host-store.ts';
import { ComparedChanges, refuseLost } from './compared-changes.ts';
import { computeHunks } from './hunks.ts';
import { KeptImages } from './kept-images.ts';
import { LISTED_EXECUTIONS, LISTED_THREADS } from './limits.ts';
import { oneHunk } from './one-hunk.ts';
import { ThreadRestores } from './restore/restores.ts';
import { TurnImages } from './restore/turn-images.ts';
import { StoredChanges } from './stored-changes.ts';
import { pickByPaths, toOriginalOwner, Undo } from './undo.ts';

interface CheckpointDeps {
	readonly store: HostStore;
	readonly paths: WorkspacePaths;
	readonly documents: DocumentPort;
	readonly log: LogPort;
	/** True when the text that a write left may be kept as it is; false where it holds a secret. */
	mayKeep(text: string): boolean;
	/** The execution that a user started, of one that it started in turn. */
	rootOf(executionId: string): string;
	readonly perform: PerformOp;
	readonly performForUser: PerformForUser;
	readonly home: string;
	readonly holder: ClaimHolder;
	readonly server: () => Promise<Peer>;
	/** The host itself is about to write there. */
	expect(absolutePath: string): void;
	/** Has what commands changed that still run been kept as of now; never rejects. */
	lookAtCommands(): Promise<void>;
	/** The host's write there is over. */
	onOver(absolutePath: string): void;
	/** The user has written there, in an editor. */
	onEdited(absolutePath: string): void;
}

interface CheckpointParts extends Pick<
	CheckpointDeps,
	'store' | 'holder' | 'paths' | 'perform' | 'performForUser' | 'rootOf'
> {
	readonly ports: Pick<HostPorts, 'documents' | 'log' | 'places' | 'server'>;
	readonly redactor: Redactor;
	readonly commandSandbox: Pick<CommandWall, 'expect'>;
	readonly sweeps: WorkspaceSweeps;
}

interface AnnouncedChanges {
	readonly owner: ChangeOwner;
	readonly changes: readonly FileChange[];
	readonly undone: readonly string[];
}

export function createCheckpoints({ ports, redactor, commandSandbox, sweeps, ...deps }: CheckpointParts): Checkpoints {
	return new Checkpoints({
		...deps,
		documents: ports.documents,
		log: ports.log,
		mayKeep: (text) => redactor.redact(text) === text,
		home: ports.places.home,
		server: () => ports.server(),
		expect(absolutePath) {
			commandSandbox.expect(absolutePath);
			sweeps.expect(absolutePath);
		},
		onOver: (absolutePath) => sweeps.wrote(absolutePath),
		lookAtCommands: () => sweeps.lookNow(),
		onEdited(absolutePath) {
			commandSandbox.expect(absolutePath);
			sweeps.expect(absolutePath);
		},
	});
}

class Checkpoints implements ChangeTracker {
	readonly #deps: CheckpointDeps;
	readonly #changed = new Emitter<AnnouncedChanges>();
	readonly #latest = new Map<ChangeOwner, number>();
	readonly #stored: StoredChanges;
	readonly #compared: ComparedChanges;
	readonly #undo: Undo;
	readonly onDidChange = this.#changed.event;
	/** For the ops that write. */
	readonly images: BeforeImages;
	/** Images of what a thread's agent changed, by its turns. */
	readonly turns: TurnImages;
	readonly restores: ThreadRestores;

	constructor(deps: CheckpointDeps) {
		this.#deps = deps;
		this.#stored = new StoredChanges(deps.store, deps.mayKeep);
		this.#compared = new ComparedChanges(this.#stored, deps);
		this.turns = new TurnImages({ ...deps, stored: this.#stored });
		const kept = new KeptImages({
			stored: this.#stored,
			compared: this.#compared,
			log: deps.log,
			turns: this.turns,
			paths: deps.paths,
			rootOf: deps.rootOf,
			onOver: deps.onOver,
			onWritten: (owner) => this.#announce(owner),
		});
		this.images = kept;
		const announce = (owner: ChangeOwner) => this.#announce(owner);
		const written = kept.written.bind(kept);
		this.#undo = new Undo({ ...deps, stored: this.#stored, compared: this.#compared, announce, written });
		const onRestored = (threadId: ThreadId) => this.#announce(threadId);
		this.restores = new ThreadRestores({ ...deps, stored: this.#stored, turns: this.turns, kept, onRestored });
	}

	/** Goes on with what hosts have left that were killed. Never rejects. */
	async resume(signal: AbortSignal): Promise<void> {
		await Promise.all([this.restores.resume(signal), this.#undo.tidyLeft()]);
	}

	async list(owner: ChangeOwner): Promise<FileChange[]> {
		await this.restores.ready;
		return await this.#listed(owner);
	}

	async #listed(owner: ChangeOwner): Promise<FileChange[]> {
		const changes = (await this.#compared.all(owner)).map(({ change }) => change);
		return withoutOuterFolders(changes, ({ entry, kind }) => entry === 'folder' && kind !== 'modified');
	}

	async ofExecutions(): Promise<ExecutionChanges[]> {
		const executions = await this.#stored.call('changedByExecutions', LISTED_EXECUTIONS);
		const compared = await Promise.all(
			executions.map(async (each) => ({ ...each, changes: await this.list(each.executionId) })),
		);
		return compared.filter(({ changes }) => changes.length > 0);
	}

	async ofThreads(): Promise<{ owner: ChangeOwner; changes: FileChange[] }[]> {
		const owners = await this.#stored.call('changingThreads', LISTED_THREADS);
		const compared = await Promise.all(owners.map(async (owner) => ({ owner, changes: await this.list(owner) })));
		return compared.filter(({ changes }) => changes.length > 0);
	}

	async before(owner: ChangeOwner, path: string): ReturnType<ChangeTracker['before']> {
		const file = (await this.#stored.files(owner)).find((each) => each.path === path);
		if (file === undefined) {
			throw new ProwessError('NOT_FOUND', `${path} has no change of ${owner}`, { path, owner });
		}
		refuseLost(file);
		const { absolutePath } = file;
		const compared = await this.#compared.of(owner, file);
		const { without, now } = compared ?? { without: file.before ?? undefined, now: undefined };
		const before = standsForBytes(without) ? textOfMark(without) : without;
		return entryOfMark(now) === undefined ? { absolutePath, before } : { absolutePath, before, now: textOfMark(now) };
	}

	async hunks(owner: ChangeOwner, path: string): Promise<Hunk[]> {
		const { without = '', now = '' } = (await this.#compared.one(owner, path)) ?? {};
		return [without, now].some(standsForBytes) ? [] : (computeHunks(without, now) ?? []);
	}

	async keep(owner: ChangeOwner, paths: readonly string[] | undefined): Promise<ChangesLeft> {
		await this.#stored.forget(owner, pickByPaths(await this.#stored.files(owner), paths));
		return await this.#announce(owner);
	}

	async keepHunk(owner: ChangeOwner, path: string, hunk: Hunk): Promise<ChangesLeft> {
		const { file, without, now, parts } = await oneHunk(this.#compared, owner, path, hunk);
		// A created or deleted file is a single hunk: keep the whole file.
		if (without === undefined || now === undefined || parts.only === now) {
			return await this.keep(owner, [path]);
		}
		await this.#stored.set({ owner, path, absolutePath: file.absolutePath, before: parts.only, after: now });
		return await this.#announce(owner);
	}

	async undone(owner: ChangeOwner): Promise<string[]> {
		return await this.#undo.undone(owner);
	}

	async undo(
		owner: ChangeOwner,
		paths: readonly string[] | undefined,
		force: boolean,
		signal: AbortSignal,
	): Promise<ChangesLeft> {
		return await this.#undo.undo(owner, paths, force, signal);
	}

	async undoHunk(owner: ChangeOwner, path: string, hunk: Hunk, signal: AbortSignal): Promise<ChangesLeft> {
		return await this.#undo.undoHunk(owner, path, hunk, signal);
	}

	async redo(owner: ChangeOwner, signal: AbortSignal): Promise<ChangesLeft> {
		return await this.#undo.redo(owner, signal);
	}

	look(absolutePaths: readonly string[]): void {
		for (const path of absolutePaths) {
			if (this.#deps.documents.isEdited?.(path) === true) this.#deps.onEdited(path);
		}
		for (const absolutePath of absolutePaths.filter((path) => this.#stored.isWatched(path))) {
			this.#stored
				.call('ownersOf', absolutePath)
				.then(async (owners) => await Promise.all(owners.map((owner) => this.#announce(toOriginalOwner(owner)))))
				.catch((error: unknown) =>
					this.#deps.log.warn('a changed file could not be compared', { absolutePath, error: String(error) }),
				);
		}
	}

	async forget(owner: ChangeOwner): Promise<void> {
		await this.#stored.forget(owner, await this.#stored.files(owner));
		await this.#undo.forget(owner);
		await this.#stored.call('forgetWritten', owner);
		await this.#stored.call('forgetImages', owner);
		await this.#announce(owner);
	}

	/** The newest state wins when several are on their way. */
	async #announce(owner: ChangeOwner): Promise<ChangesLeft> {
		const mine = (this.#latest.get(owner) ?? 0) + 1;
		this.#latest.set(owner, mine);
		const [changes, undone] = await Promise.all([this.#listed(owner), this.#undo.undone(owner)]);
		try {
			if (this.#latest.get(owner) === mine) {
				this.#changed.fire({ owner, changes, undone });
			}
		} catch (error) {
			this.#deps.log.warn('a view of the changes failed', { owner, error: String(error) });
		}
		return { changes, undone, skipped: [] };
	}
}
