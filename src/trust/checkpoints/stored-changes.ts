/**
 * Reads and writes the changes in checkpoints.db: files of an owner with the text before, and what may be kept of the
 * text after.
 */
import { toErrorMessage } from '../../base/text/message-of.ts';
import type { ChangeOwner } from '../../protocol/approvals/changes.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { ChangedFile, NewChange } from '../record/store/checkpoint-store.ts';
import type { HostStore } from '../record/store/thread/host-store.ts';
import type { StoreInput, StoreCall, StoreResult } from '../record/store/thread/store-calls.ts';

export class StoredChanges {
	readonly #store: HostStore;
	readonly #mayKeep: (text: string) => boolean;
	/** Files with changes of somebody: only those are looked at when they change. */
	readonly #watched = new Set<string>();

	/** `mayKeep`: whether what a write left may be kept as it is: not where it holds a secret. */
	constructor(store: HostStore, mayKeep: (text: string) => boolean) {
		this.#store = store;
		this.#mayKeep = mayKeep;
	}

	async call<N extends StoreCall>(name: N, input: StoreInput<N>): Promise<StoreResult<N>> {
		try {
			return await this.#store.call(name, input);
		} catch (error) {
			const why = toErrorMessage(error);
			throw new ProwessError('STORE_UNAVAILABLE', `checkpoints.db: ${name} failed: ${why}`, {}, error);
		}
	}

	async files(owner: ChangeOwner): Promise<ChangedFile[]> {
		const files = await this.call('changedFiles', owner);
		for (const { absolutePath } of files) {
			this.#watched.add(absolutePath);
		}
		return files;
	}

	isWatched(absolutePath: string): boolean {
		return this.#watched.has(absolutePath);
	}

	mayKeep(text: string | null | undefined): boolean {
		return text === null || text === undefined || this.#mayKeep(text);
	}

	async set(change: Omit<NewChange, 'keepsAfter'>): Promise<void> {
		await this.call('setChange', { ...change, keepsAfter: this.mayKeep(change.after) });
	}

	async forget(owner: ChangeOwner, files: readonly ChangedFile[]): Promise<void> {
		await this.call('forget', { owner, absolutePaths: files.map(({ absolutePath }) => absolutePath) });
	}
}
