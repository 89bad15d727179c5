/**
 * Memories of a host, for the user and for the project that is open in it. Secrets are refused, and notes of an agent
 * wait for the user's review unless a setting says otherwise. Until the first note, no file exists and no worker runs.
 */
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { Emitter } from '../../base/emitter.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { OpParams, OpResult } from '../../protocol/op-table/ops.ts';
import { text } from '../../protocol/text/text.ts';
import type { Caller } from '../../contract/ops/caller.ts';
import type { LogPort, SettingsPort, WorkspacePort } from '../../contract/ports/ports.ts';
import { GivenPlaces } from './given-places.ts';
import type { EmbeddingPort } from '../models/provider-embeddings.ts';
import { MemoryWorker } from './memory-worker.ts';
import type { Memory, MemoryFilter } from './memory.ts';

interface MemoriesDeps {
	readonly home: string;
	readonly workerUrl: URL;
	readonly workspace: Pick<WorkspacePort, 'folders'>;
	readonly settings: Pick<SettingsPort, 'current'>;
	readonly log: Pick<LogPort, 'error' | 'warn'>;
	readonly embeddings: EmbeddingPort;
	redact(text: string): string;
	/** The user said in the caller's thread just now that this is to be remembered. */
	isWantedByUser(caller: Caller, text: string): boolean;
}

const MEMORY_FILE = 'memory.db';

export class Memories {
	readonly #deps: MemoriesDeps;
	readonly #path: string;
	readonly #worker: MemoryWorker;
	readonly #given: GivenPlaces;
	readonly #changed = new Emitter<void>();
	/** Fires when this host has noted, accepted or forgotten a memory. */
	readonly onDidChange = this.#changed.event;

	constructor(deps: MemoriesDeps) {
		this.#deps = deps;
		this.#path = join(deps.home, MEMORY_FILE);
		this.#worker = new MemoryWorker(deps.workerUrl, { path: this.#path }, (path) =>
			deps.log.error('the file of memories was damaged; it was put aside and a new one begun', { path }),
		);
		this.#given = new GivenPlaces({ worker: this.#worker, embeddings: deps.embeddings, log: deps.log });
	}

	/** Why the embedding model that the user has chosen did not help last; undefined: it did, or there is none. */
	get embeddingProblem(): string | undefined {
		return this.#given.problem;
	}

	/** Without an effect: rejects what cannot be noted. */
	check(
		{ text: noted, scope }: Pick<OpParams<'memory.remember'>, 'text' | 'scope'>,
		caller: Caller,
		folder?: string,
	): void {
		this.#refuseWhileOff(caller);
		if (scope === 'project' && this.#project(folder) === '') {
			throw new ProwessError('INVALID_PARAMS', 'no folder is open, so there is no project; the scope must be user', {
				said: text('No folder is open, so there is no project to remember this for.'),
			});
		}
		if (this.#deps.redact(noted) !== noted) {
			throw new ProwessError('SECRETS_IN_MEMORY', 'the text holds what looks like a secret, so it is not remembered');
		}
	}

	/** `folder`: of another project than the one that is open. */
	async note(
		{ text, scope, kind, expiresInDays }: OpParams<'memory.remember'>,
		caller: Caller,
		folder?: string,
	): Promise<OpResult<'memory.remember'>> {
		this.check({ text, scope }, caller, folder);
		const isOfUser = caller.kind === 'user' || this.#deps.isWantedByUser(caller, text);
		const isReviewed = isOfUser || !this.#deps.settings.current['prowess.memory.review'];
		const noted = await this.#worker.call('note', {
			text,
			project: scope === 'user' ? '' : this.#project(folder),
			kind,
			state: isReviewed ? 'kept' : 'inbox',
			by: isOfUser ? 'user' : 'agent',
			...(caller.kind === 'agent' ? { origin: { threadId: caller.threadId, turnId: caller.turnId } } : {}),
			expiresInDays,
		});
		this.#changed.fire();
		return noted;
	}

	async recall({ query, told }: OpParams<'memory.recall'>, caller: Caller): Promise<OpResult<'memory.recall'>> {
		this.#refuseWhileOff(caller);
		if (this.#isEmpty) {
			return { memories: [] };
		}
		const place = await this.#given.of(query, caller.threadId);
		const memories = await this.#worker.call('recall', { query, project: this.#project(), told, place });
		return { memories, ...(this.#given.problem !== undefined && { isLocal: true }) };
	}

	/** Rejects with NOT_FOUND. */
	async get(id: string, caller: Caller): Promise<Memory> {
		this.#refuseWhileOff(caller);
		return requireMemory(id, this.#isEmpty ? undefined : await this.#worker.call('get', id));
	}

	/** Rejects with NOT_FOUND. */
	async forget(id: string): Promise<Memory> {
		const memory = requireMemory(id, this.#isEmpty ? undefined : await this.#worker.call('forget', id));
		this.#changed.fire();
		return memory;
	}

	/** From now on it is recalled. Rejects with NOT_FOUND where none of this id waits. */
	async accept(id: string): Promise<Memory> {
		const memory = requireMemory(id, this.#isEmpty ? undefined : await this.#worker.call('accept', id));
		this.#changed.fire();
		return memory;
	}

	/**
	 * Lists the memories of the user and of the open project, or of the project of `folder`, or with `everywhere` of
	 * all projects.
	 */
	async list({
		folder,
		everywhere = false,
		...filter
	}: Omit<MemoryFilter, 'project'> & { readonly folder?: string | undefined; readonly everywhere?: boolean }): Promise<
		readonly Memory[]
	> {
		const project = everywhere ? undefined : this.#project(folder);
		if (this.#isEmpty) {
			return [];
		}
		const place = filter.query === undefined ? undefined : await this.#given.of(filter.query, null);
		return await this.#worker.call('list', { ...filter, project, place });
	}

	async close(): Promise<void> {
		this.#given.close();
		await this.#worker.close();
		this.#changed.dispose();
	}

	get #isEmpty(): boolean {
		return !existsSync(this.#path);
	}

	#refuseWhileOff(caller: Caller): void {
		if (caller.kind !== 'user' && !this.#deps.settings.current['prowess.memory.enabled']) {
			throw new ProwessError('NOT_AVAILABLE_HERE', 'the user has switched memory off (prowess.memory.enabled)', {
				said: text('Memory is switched off (prowess.memory.enabled).'),
			});
		}
	}

	/** Key of a project: its first folder, with links resolved, so that editor and command line mean the same one. */
	#project(folder = this.#deps.workspace.folders[0]?.path): string {
		if (folder === undefined) {
			return '';
		}
		try {
			return realpathSync.native(folder);
		} catch {
			// A folder that is gone keeps its memories by the name it had.
			return folder;
		}
	}
}

function requireMemory(id: string, memory: Memory | undefined): Memory {
	if (memory === undefined) {
		throw new ProwessError('NOT_FOUND', `there is no memory ${id}`, {
			id,
			said: text('This memory no longer exists.'),
		});
	}
	return memory;
}
