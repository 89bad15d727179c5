/**
 * Finds out which files of the workspace a command changes by itself, and what they held: looks before it and after it. Where
 * that fails, the command runs all the same, and its changes have no undo.
 */
import { randomUUID } from 'node:crypto';
import { join, sep } from 'node:path';
import { raceTimeout } from '../../base/time/bounded-wait.ts';
import { FolderJournal, sweepName } from './folder-journal.ts';
import { CLOSING_MS, FOLLOWED_MS, SHOWN_MS, SWEEP_MS, SWEPT_FILES } from './limits.ts';
import { addRest, type IdleTime, Whose } from './whose-change.ts';
import { WritesBeside, type WrittenByOthers } from './writes-beside.ts';
import { ThreadCalls } from '../threads/thread-calls.ts';
import { workerThread } from '../threads/worker-thread.ts';
import type { SweepCalls, SweepRequest, SweepStart, SweptChange } from './swept-change.ts';

interface SweepDeps {
	readonly workerUrl: URL;
	readonly home: string;
	/** Absolute paths of the workspace's folders. */
	folders(): readonly string[];
	/** Bytes that the copy of a folder may take; 0: there are no sweeps. */
	keptBytes(): number;
	/** True where the text of an editor of this window is not saved yet: it may be saved at any moment. Absent: nobody knows. */
	isUnsaved?(absolutePath: string): boolean;
	onFailed(error: unknown): void;
	/** A folder with more files is not looked at; absent: `SWEPT_FILES`. */
	readonly maxFiles?: number;
	/** Time for which a command in the background is watched; absent: `FOLLOWED_MS`. */
	readonly followedMs?: number;
	/** Time that the processes of a command may have run for what changed to count as its own; absent: `SHOWN_MS`. */
	readonly shownMs?: number;
}

/** Change of a file, by its absolute path. */
interface ChangedByCommand extends Omit<SweptChange, 'path'> {
	readonly absolutePath: string;
	/** False: nothing shows that the command did it, and not somebody else meanwhile. */
	readonly isShown: boolean;
}

export interface CommandChanges {
	readonly changes: readonly ChangedByCommand[];
	/** Files of which nobody knows whether they changed, or what they held. */
	readonly uncovered: number;
}

type LookedChange = Omit<ChangedByCommand, 'isShown'>;

interface LookedChanges extends Omit<CommandChanges, 'changes'> {
	readonly changes: readonly LookedChange[];
	/** Writes of this host itself. */
	readonly beside: WrittenByOthers;
}

/** Keeps what a look has found. */
export type Recording = (found: CommandChanges) => Promise<void>;

/** Looks at what one command changes while it runs. */
export interface CommandLooks {
	/** None of the command's processes ran meanwhile: what changed then is not its own. */
	rested(time: IdleTime): void;
	/** The command goes on. */
	look(): Promise<void>;
	/** The last look. */
	end(): Promise<void>;
	/** Makes the last look when the command has ended, and after `FOLLOWED_MS` at the latest. Resolves with it; never rejects. */
	endAfter(ended: Promise<unknown>): Promise<void>;
}

/** Command that runs. */
interface LookedAtCommand {
	/** Begins the recording of a look. */
	readonly begin: () => Recording;
	/** To whom its changes belong. */
	readonly owner: string;
	readonly number: number;
	/** Times in which it rested, each after the one before. */
	readonly rest: IdleTime[];
}

const SWEEPS_FOLDER = 'sweeps';

export class WorkspaceSweeps {
	readonly #deps: SweepDeps;
	readonly #worker: ThreadCalls<SweepCalls>;
	/** Names this host in the journals of folders. */
	readonly #holder = randomUUID();
	readonly #journals = new Map<string, FolderJournal>();
	/** Commands that run; the one that began first comes first. */
	readonly #running = new Set<LookedAtCommand>();
	#number = 0;
	/** Time of the last look: what the next one finds changed since. */
	#lookedMs = 0;
	readonly #refused = new Set<string>();
	/** Writes of this host itself. */
	readonly #beside = new WritesBeside();
	/** Ends the looks at commands that nobody waits for. */
	readonly #late = new Set<() => void>();
	readonly #ending = new Set<Promise<void>>();
	/** First look at the command that began last. */
	#beginning: Promise<unknown> = Promise.resolve();
	#isClosed = false;

	constructor(deps: SweepDeps) {
		this.#deps = deps;
		const thread = workerThread({
			script: deps.workerUrl,
			what: 'the sweep worker',
			name: 'prowess-sweep',
			data: { folder: join(deps.home, SWEEPS_FOLDER) } satisfies SweepStart,
		});
		this.#worker = new ThreadCalls(thread, {
			what: 'the sweep worker',
			failsWith: 'IO_ERROR',
			limitMs: SWEEP_MS,
		});
	}

	/**
	 * Resolves when the copy is up to date. `begin` is called when a look at the command begins; what it gives keeps what that
	 * one finds. Undefined: there are no sweeps here. Where commands run side by side, a change is told to the first of them,
	 * as one that is not shown to be its own if they have several owners.
	 */
	async before(owner: string, begin: () => Recording): Promise<CommandLooks | undefined> {
		if (!this.#isOn()) {
			return undefined;
		}
		const command: LookedAtCommand = { begin, owner, number: ++this.#number, rest: [] };
		// Each first look waits for the one before it, which makes its command known.
		const beginning = this.#beginning.then(async () => {
			const isUpToDate = await this.#bringUpToDate();
			if (isUpToDate) {
				this.#running.add(command);
				this.#inJournals((journal) => journal.began(command.number, owner));
			}
			return isUpToDate;
		});
		this.#beginning = beginning;
		if (!(await beginning)) {
			return undefined;
		}
		const endLooks = async () => {
			try {
				await this.#lookFor(command);
			} finally {
				this.#running.delete(command);
				this.#inJournals((journal) => journal.ended(command.number, owner));
			}
		};
		return {
			rested: (time) => addRest(command.rest, time),
			look: async () => {
				await this.#lookFor(command);
			},
			end: endLooks,
			endAfter: (ended) => this.#endAfter(ended, endLooks),
		};
	}

	/** Brings the copy up to date while somebody is asked about a command, so that the look before it finds little to do. */
	prepare(): void {
		if (this.#running.size > 0) {
			void this.lookNow();
		} else if (this.#isOn()) {
			this.#beginning = this.#beginning.then(() => this.#bringUpToDate());
		}
	}

	/** Looks at the commands that run, before what happens next can count as theirs. Never rejects. */
	async lookNow(): Promise<void> {
		if (this.#running.size > 0 && this.#isOn()) {
			await this.#bringUpToDate();
		}
	}

	/** Somebody else than a command is about to write there: until the next look, it is no change of one. */
	expect(absolutePath: string): void {
		this.#beside.begin(absolutePath);
		this.#inJournals((journal) => journal.wrote(absolutePath));
	}

	/** Ends that write. Without this, it may still come for `WRITE_MS`. */
	wrote(absolutePath: string): void {
		this.#beside.end(absolutePath);
		this.#inJournals((journal) => journal.wrote(absolutePath, true));
	}

	/** Resolves when the last looks at commands that have ended are over. */
	async settled(): Promise<void> {
		await Promise.all(this.#ending);
	}

	/** For a while, last looks go on; commands have ended. */
	async close(): Promise<void> {
		this.#isClosed = true;
		for (const end of this.#late) end();
		await raceTimeout(this.settled(), CLOSING_MS);
		await this.#worker.end();
	}

	#isOn(): boolean {
		return !this.#isClosed && this.#deps.keptBytes() > 0;
	}

	/**
	 * Sweeps once before a command. Changes made so far by running commands are recorded for them first; otherwise they
	 * would count as the content before this command.
	 */
	async #bringUpToDate(): Promise<boolean> {
		const [first] = this.#running;
		if (first === undefined) {
			return (await this.#sweep('before')) !== undefined;
		}
		// To another command it is no matter whether that is kept.
		return await this.#lookFor(first).catch((error: unknown) => {
			this.#deps.onFailed(error);
			return true;
		});
	}

	async #lookFor(command: LookedAtCommand): Promise<boolean> {
		const record = command.begin();
		const since = this.#lookedMs;
		const isBeside = () => [...this.#running].some(({ owner }) => owner !== command.owner);
		const wasBeside = isBeside();
		const found = await this.#sweep('after');
		if (found === undefined) {
			return false;
		}
		const whose = this.#whose(command, since, wasBeside || isBeside());
		const changes = found.changes.filter((change) => !isAmong(whose.others.wrote, change));
		const areShown = whose.areShown(changes.flatMap(({ after, goneMs }) => after?.changedMs ?? goneMs ?? []));
		const isShown = (change: LookedChange) =>
			areShown &&
			![found.beside, whose.others].some(({ mayHave }) => isAmong(mayHave, change)) &&
			this.#deps.isUnsaved?.(change.absolutePath) !== true;
		if (changes.length + found.uncovered > 0) {
			const judged = changes.map((change) => ({ ...change, isShown: isShown(change) }));
			await record({ changes: judged, uncovered: found.uncovered });
		}
		return true;
	}

	#whose({ owner, rest }: LookedAtCommand, since: number, isBeside: boolean): Whose {
		const { shownMs = SHOWN_MS } = this.#deps;
		// While another command of the owner runs, the rest of one says nothing.
		const rested = this.#running.size > 1 ? [] : rest;
		const known = { since, until: Date.now(), rested, shownMs };
		try {
			const others = this.#journalsHere().map((journal) => journal.doneByOthers(since, owner));
			const [wrote, mayHave] = (['wrote', 'mayHave'] as const).map((kind) => others.flatMap((each) => [...each[kind]]));
			const isAlone = !isBeside && others.every(({ ran }) => !ran);
			return new Whose({ ...known, isAlone, others: { wrote: new Set(wrote), mayHave: new Set(mayHave) } });
		} catch (error) {
			this.#deps.onFailed(error);
			return new Whose({ ...known, isAlone: false, others: { wrote: new Set(), mayHave: new Set() } });
		}
	}

	#journalsHere(): FolderJournal[] {
		return this.#deps.folders().map((root) => {
			const path = join(this.#deps.home, SWEEPS_FOLDER, `${sweepName(root)}.log`);
			const journal = this.#journals.get(root) ?? new FolderJournal(path, this.#holder);
			this.#journals.set(root, journal);
			return journal;
		});
	}

	/** A journal that cannot be written says of nothing that it is shown: no command fails for it. */
	#inJournals(write: (journal: FolderJournal) => void): void {
		for (const journal of this.#isOn() ? this.#journalsHere() : []) {
			try {
				write(journal);
			} catch (error) {
				this.#deps.onFailed(error);
			}
		}
	}

	#endAfter(ended: Promise<unknown>, end: () => Promise<void>): Promise<void> {
		const { promise, resolve } = Promise.withResolvers<void>();
		const endNow = () => {
			if (!this.#late.delete(endNow)) {
				return;
			}
			clearTimeout(timer);
			const ending = end()
				.catch((error: unknown) => this.#deps.onFailed(error))
				.finally(() => this.#ending.delete(ending));
			this.#ending.add(ending);
			resolve(ending);
		};
		const timer = setTimeout(endNow, this.#deps.followedMs ?? FOLLOWED_MS);
		timer.unref();
		this.#late.add(endNow);
		void ended.then(endNow, endNow);
		return promise;
	}

	async #sweep(kind: SweepRequest['kind']): Promise<LookedChanges | undefined> {
		const { maxFiles = SWEPT_FILES } = this.#deps;
		const folders = this.#deps.folders().filter((folder) => !this.#refused.has(folder));
		const look = this.#beside.beginLook();
		const startedMs = Date.now();
		try {
			const results = await Promise.all(
				folders.map((root) =>
					this.#worker
						.call('sweep', { kind, root, keptBytes: this.#deps.keptBytes(), maxFiles })
						.catch((error: unknown) => {
							// A look that fails would fail before each command, and take its time.
							this.#refused.add(root);
							throw error;
						}),
				),
			);
			const changes = results.flatMap((result, index) =>
				result.changes.map(({ path, ...rest }) => ({ ...rest, absolutePath: join(folders[index] ?? '', path) })),
			);
			const beside = this.#beside.since(look, this.#lookedMs);
			this.#lookedMs = startedMs;
			const uncovered = results.reduce((sum, result) => sum + result.uncovered, 0);
			return { changes: changes.filter((change) => !isAmong(beside.wrote, change)), uncovered, beside };
		} catch (error) {
			this.#deps.onFailed(error);
			return undefined;
		}
	}
}

/** A folder also when something in it is: it may have been made, or removed, with that. */
function isAmong(paths: ReadonlySet<string>, { absolutePath, before, after }: LookedChange): boolean {
	const isFolder = (after ?? before)?.kind === 'folder';
	return paths.has(absolutePath) || (isFolder && [...paths].some((path) => path.startsWith(`${absolutePath}${sep}`)));
}
