/**
 * Holds the policies of the workspace's folders and rereads changed ones before a decision. Reads nothing of an
 * untrusted workspace.
 */
import { toErrorMessage } from '../../../../base/text/message-of.ts';
import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findErrno } from '../../../../machine/paths/file-error.ts';
import { folderLook } from '../../../../machine/home-files/folder-look.ts';
import { readLocatedText } from '../../../../machine/paths/reading/read-file.ts';
import type { WorkspacePaths } from '../../../../machine/paths/workspace-paths.ts';
import type { LogPort, WorkspacePort } from '../../../../contract/ports/ports.ts';
import { MAX_POLICY_BYTES } from '../limits.ts';
import { mergeStrictRules, NO_STRICT_RULES, type StrictRules } from '../rules/strict-rule.ts';
import { parseWorkspacePolicy, type WorkspacePolicy } from './workspace-policy.ts';

const POLICY_FILE = '.prowess/policy.yaml';

interface KnownPolicy {
	/** State of the file when it was read; undefined: the file could not be examined, so it is read again. */
	readonly stamp: string | undefined;
	readonly policy: WorkspacePolicy;
}

const EMPTY_POLICY: WorkspacePolicy = { ...NO_STRICT_RULES, refused: [] };

export class WorkspacePolicies {
	readonly #workspace: Pick<WorkspacePort, 'folders' | 'isTrusted'>;
	readonly #paths: WorkspacePaths;
	readonly #log: Pick<LogPort, 'warn'>;
	/** Policies of the project that this is a worktree of: they count, too. */
	readonly #ofOrigin: WorkspacePolicies | undefined;
	#known = new Map<string, KnownPolicy>();
	#current: StrictRules = NO_STRICT_RULES;
	#reading: Promise<void> | undefined;
	/** For those who asked while it was being read: what they see must not be older than their question. */
	#nextReading: Promise<void> | undefined;

	constructor(
		workspace: Pick<WorkspacePort, 'folders' | 'isTrusted'>,
		paths: WorkspacePaths,
		log: Pick<LogPort, 'warn'>,
		ofOrigin?: WorkspacePolicies,
	) {
		this.#ofOrigin = ofOrigin;
		this.#workspace = workspace;
		this.#paths = paths;
		this.#log = log;
	}

	/** All folders together. */
	get current(): StrictRules {
		return this.#ofOrigin === undefined ? this.#current : mergeStrictRules([this.#current, this.#ofOrigin.current]);
	}

	/** Each with the place it is at. */
	get problems(): readonly string[] {
		const own = [...this.#known.values()].flatMap(({ policy }) => [...policy.unreadable, ...policy.refused]);
		return [...own, ...(this.#ofOrigin?.problems ?? [])];
	}

	/**
	 * Brings the policies up to date: they are at least as new as this call. Rejects only when the signal aborts: a
	 * file that cannot be read tightens.
	 */
	async refresh(signal: AbortSignal): Promise<void> {
		await Promise.all([this.#readSince(), this.#ofOrigin?.refresh(signal)]);
		signal.throwIfAborted();
	}

	/** Shares one reading among all callers that wait at the same moment. */
	#readSince(): Promise<void> {
		if (this.#reading === undefined) {
			return this.#readNow();
		}
		const readAgain = () => {
			this.#nextReading = undefined;
			return this.#readNow();
		};
		this.#nextReading ??= this.#reading.then(readAgain, readAgain);
		return this.#nextReading;
	}

	#readNow(): Promise<void> {
		this.#reading = this.#readAll().finally(() => {
			// The next reading, if any caller waits for one, becomes the current one.
			this.#reading = this.#nextReading;
		});
		return this.#reading;
	}

	async #readAll(): Promise<void> {
		if (!this.#workspace.isTrusted) {
			return;
		}
		const { folders } = this.#workspace;
		const several = folders.length > 1;
		const all = await Promise.all(
			folders.map(async ({ name, path }) => {
				return [path, await this.#read(path, several ? name : undefined, this.#known.get(path))] as const;
			}),
		);
		for (const [path, { policy }] of all) {
			const before = this.#known.get(path)?.policy;
			const said = [...(before?.unreadable ?? []), ...(before?.refused ?? [])];
			for (const problem of [...policy.unreadable, ...policy.refused].filter((each) => !said.includes(each))) {
				this.#log.warn(`policy of the workspace: ${problem}`);
			}
		}
		this.#known = new Map(all);
		this.#current = mergeStrictRules(all.map(([, { policy }]) => policy));
	}

	async #read(root: string, folder: string | undefined, known: KnownPolicy | undefined): Promise<KnownPolicy> {
		const file = folder === undefined ? POLICY_FILE : `${folder}/${POLICY_FILE}`;
		try {
			const look = await folderLook(root);
			const without = look === undefined ? undefined : `without its folder ${look}`;
			if (without !== undefined && known?.stamp === without) {
				return known;
			}
			if (await this.#hasNoFolder(folder)) {
				return { stamp: without, policy: EMPTY_POLICY };
			}
			const located = await this.#paths.locate(this.#paths.resolve(file));
			if (located.kind === 'missing') {
				return { stamp: 'missing', policy: EMPTY_POLICY };
			}
			const stat = await lstat(located.realPath, { bigint: true });
			const stamp = [folder, located.realPath, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(' ');
			if (known?.stamp === stamp) {
				return known;
			}
			if (located.size > MAX_POLICY_BYTES) {
				return { stamp, policy: createBrokenPolicy(`${file}: longer than ${MAX_POLICY_BYTES} bytes`) };
			}
			const { text } = await readLocatedText(located, new AbortController().signal);
			return { stamp, policy: parseWorkspacePolicy(text, file, folder) };
		} catch (error) {
			return { stamp: undefined, policy: createBrokenPolicy(`${file}: ${toErrorMessage(error)}`) };
		}
	}

	/** The usual case, seen with half the looks at the disk that it takes to locate a file which is not there. */
	async #hasNoFolder(folder: string | undefined): Promise<boolean> {
		const root = await this.#paths.locate(this.#paths.resolve(folder ?? '.'));
		try {
			await lstat(join(root.realPath, dirname(POLICY_FILE)));
			return false;
		} catch (error) {
			return findErrno(error) === 'ENOENT';
		}
	}
}

function createBrokenPolicy(problem: string): WorkspacePolicy {
	return { ...EMPTY_POLICY, unreadable: [problem] };
}
