/**
 * Changes what is installed in a scope, all or nothing. The new files are complete on the disk before one rename
 * replaces the old ones, and a journal records the intent. A process that is killed in between leaves a journal: the
 * next process restores the old files, or finishes where the lock file already names the new version. Run only under
 * the scope's lock.
 */
import { access, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { v7 } from 'uuid';
import { CapabilityKey } from '../../protocol/capability/marketplace.ts';
import * as z from '../../protocol/text/zod.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import { replaceDurably, syncFolder, writeDurably } from '../../machine/home-files/durable-file.ts';
import type { PackageFile } from '../package-file.ts';
import type { LockedCapability, ScopeFolder } from './scope-folder.ts';

/** In the order in which they come. */
export const CHANGE_STEPS = ['stage', 'journal', 'set aside', 'move in', 'lock', 'keep', 'clean'] as const;
export type ChangeStep = (typeof CHANGE_STEPS)[number];

interface Change {
	/** `<type>/<name>`. */
	readonly key: string;
	/** Undefined: nothing is to be there. */
	readonly files: readonly PackageFile[] | undefined;
	readonly locked: LockedCapability | undefined;
	/** The version that gives way is kept, to be brought back. */
	readonly keepsOld: boolean;
}

const ChangeJournal = z.object({
	id: z.uuid(),
	key: CapabilityKey,
	/** The lock file has an entry with this id when the change is done; null: it has none. */
	lockedId: z.uuid().nullable(),
	hadTarget: z.boolean(),
	keepsOld: z.boolean(),
});
type ChangeJournal = z.infer<typeof ChangeJournal>;

/** `onStep` is told before each step. Rejects with what went wrong, and then all is as it was. */
export async function applyChange(
	folder: ScopeFolder,
	change: Change,
	onStep: (step: ChangeStep) => void,
	signal: AbortSignal,
): Promise<void> {
	const { key, files, locked, keepsOld } = change;
	const target = folder.target(key);
	const lock = await folder.readLock();
	const journal: ChangeJournal = {
		id: v7(),
		key,
		lockedId: locked?.id ?? null,
		hadTarget: await isPathAccessible(target),
		keepsOld,
	};
	const staged = join(folder.staging, journal.id);
	try {
		onStep('stage');
		await folder.prepare(key);
		if (files !== undefined) {
			await writeFiles(staged, files, folder.fileMode, signal);
		}
		signal.throwIfAborted();
		onStep('journal');
		await replaceDurably(folder.journal, JSON.stringify(journal), folder.fileMode);
		onStep('set aside');
		if (journal.hadTarget) {
			await rename(target, resolveBackupPath(folder, journal));
		}
		onStep('move in');
		if (files !== undefined) {
			await rename(staged, target);
		}
		await syncFolder(dirname(target));
		onStep('lock');
		const { [key]: _old, ...others } = lock.capabilities;
		await folder.writeLock({ ...lock, capabilities: locked === undefined ? others : { ...others, [key]: locked } });
	} catch (error) {
		// A failed recovery leaves the journal, so the next process recovers.
		const isDone = await recoverChange(folder).catch(() => false);
		if (!isDone) throw error;
		return;
	}
	onStep('keep');
	await finishChange(folder, journal);
	onStep('clean');
	await sweepStaging(folder);
}

/** Ends what another one has begun, and removes what it left. True when that was a change, and it is now done. */
export async function recoverChange(folder: ScopeFolder): Promise<boolean> {
	const text = await folder.readJournal();
	const journal = text === undefined ? undefined : readJournal(text, folder.journal);
	await folder.refuseLinks(journal?.key ?? '');
	let isDone = false;
	if (journal !== undefined) {
		const locked = (await folder.readLock()).capabilities[journal.key];
		isDone = journal.lockedId === null ? locked === undefined : locked?.id === journal.lockedId;
		if (isDone) {
			await finishChange(folder, journal);
		} else {
			await undoChange(folder, journal);
		}
	}
	await sweepStaging(folder);
	return isDone;
}

/** Can be done again from wherever it was broken off. */
async function finishChange(folder: ScopeFolder, journal: ChangeJournal): Promise<void> {
	const backup = resolveBackupPath(folder, journal);
	if (journal.keepsOld) {
		if (await isPathAccessible(backup)) {
			await rm(folder.previous(journal.key), { recursive: true, force: true });
			await mkdir(dirname(folder.previous(journal.key)), { recursive: true, mode: 0o700 });
			await rename(backup, folder.previous(journal.key));
		}
	} else {
		await rm(folder.previous(journal.key), { recursive: true, force: true });
	}
	await rm(folder.journal, { force: true });
}

/** The same. */
async function undoChange(folder: ScopeFolder, journal: ChangeJournal): Promise<void> {
	const target = folder.target(journal.key);
	const backup = resolveBackupPath(folder, journal);
	const hasBackup = await isPathAccessible(backup);
	if ((hasBackup || !journal.hadTarget) && (await isPathAccessible(target))) {
		await rename(target, join(folder.staging, v7()));
	}
	if (hasBackup) {
		await rename(backup, target);
		await syncFolder(dirname(target));
	}
	await rm(folder.journal, { force: true });
}

async function sweepStaging(folder: ScopeFolder): Promise<void> {
	for (const name of await readdir(folder.staging).catch(() => [])) {
		await rm(join(folder.staging, name), { recursive: true, force: true });
	}
}

function resolveBackupPath(folder: ScopeFolder, { id }: ChangeJournal): string {
	return join(folder.staging, `${id}.old`);
}

function readJournal(content: string, path: string): ChangeJournal {
	try {
		return ChangeJournal.parse(JSON.parse(content));
	} catch (error) {
		const message = `${path} cannot be read, so nothing is changed here. Move it away after a look at the folder beside it`;
		throw new ProwessError(
			'INVALID_STATE',
			message,
			{
				path,
				said: text(
					'{path} cannot be read, so nothing is changed here. Move it away after a look at the folder beside it.',
					{ path },
				),
			},
			error,
		);
	}
}

/** Without any right to be run: what is a program is decided by who starts it. */
async function writeFiles(
	folder: string,
	files: readonly PackageFile[],
	mode: number,
	signal: AbortSignal,
): Promise<void> {
	const folders = new Set<string>([folder]);
	await mkdir(folder);
	for (const { path, bytes } of files) {
		signal.throwIfAborted();
		const at = join(folder, ...path.split('/'));
		await mkdir(dirname(at), { recursive: true });
		await writeDurably(at, bytes, mode);
		for (let up = dirname(at); up !== folder; up = dirname(up)) {
			folders.add(up);
		}
	}
	for (const each of folders) {
		await syncFolder(each);
	}
}

async function isPathAccessible(path: string): Promise<boolean> {
	try {
		await access(path);
		return true;
	} catch {
		return false;
	}
}
