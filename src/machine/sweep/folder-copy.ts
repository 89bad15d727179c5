/**
 * Copy of what the files of a workspace folder hold, by their content, with the size and times that each had, and of its links
 * and folders: so that after a command it is known what it changed, and what was there. Synchronous: runs in the sweep worker
 * only. A file is read again when its size, its times or its number on the disk are others. Ignored files, `.git`,
 * `node_modules` and files that usually hold secrets are left out. A copy that is damaged is made anew.
 */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { isSecretName } from '../paths/names/secret-names.ts';
import { linkTargetIn } from '../paths/reading/read-content.ts';
import { isPlaceholderName } from '../sandbox/left/placeholders.ts';
import { walkEntries } from '../search/walk.ts';
import { TooManyFiles } from './large-folders.ts';
import { SWEEP_BUSY_MS, KEPT_SWEPT_CHANGES, READING_MS, SWEPT_FILE_BYTES, UNSETTLED_MS } from './limits.ts';
import type { SweepRequest, SweepResult, SweptChange, SweptContent } from './swept-change.ts';

/** Types of what is no file; that of a file is left out. */
const [FOLDER_TYPE, LINK_TYPE] = [constants.S_IFDIR, constants.S_IFLNK];
const PERMISSION_BITS = 0o7777;
/** Permissions that the owner of a folder has in it when it comes back. */
const OWNER_BITS = 0o700;

const SCHEMA = `
CREATE TABLE IF NOT EXISTS files (path TEXT PRIMARY KEY, stamp TEXT NOT NULL, hash TEXT, permissions INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS contents (hash TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT`;

interface SeenFile {
	/** Size, times and number on the disk; empty: to be read again. */
	readonly stamp: string;
	/** Undefined: what it holds is not kept. For a link, that of where it leads; for a folder, that of nothing. */
	readonly hash: string | undefined;
	/** Permissions, and the type where it is no file, as the system numbers them together. */
	readonly mode: number;
}

interface SweepableEntry {
	readonly path: string;
	readonly stamp: string;
	readonly size: number;
	readonly mode: number;
	readonly changedMs: number;
	/** True when the file may change again within the same step of its disk's clock. */
	readonly isUnsettled: boolean;
}

export class FolderCopy {
	readonly #root: string;
	readonly #db: DatabaseSync;
	readonly #files = new Map<string, SeenFile>();
	#keptBytes: number;

	/** `root` free of links. */
	constructor(root: string, path: string) {
		this.#root = root;
		this.#db = new DatabaseSync(path);
		// A cache: after a power cut it is made anew.
		this.#db.exec(
			`PRAGMA busy_timeout = ${SWEEP_BUSY_MS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; ${SCHEMA}`,
		);
		for (const row of this.#db.prepare('SELECT * FROM files').all()) {
			const hash = (row['hash'] as string | null) ?? undefined;
			const seen = { stamp: String(row['stamp']), hash, mode: Number(row['permissions']) };
			this.#files.set(String(row['path']), seen);
		}
		this.#keptBytes = this.#dropUnused();
	}

	/** Brings the copy up to date, and says what differed from it. With `maxBytes` reached, what files hold is no longer kept. */
	sweep({ keptBytes: maxBytes, maxFiles, kind }: Omit<SweepRequest, 'root'>): SweepResult {
		const wantsChanges = kind === 'after';
		const endMs = performance.now() + READING_MS;
		if (this.#keptBytes >= maxBytes) {
			this.#keptBytes = this.#dropUnused();
		}
		const found = this.#found(maxFiles);
		const changes: SweptChange[] = [];
		const gone = new Set(this.#files.keys());
		let uncovered = 0;
		let folders = 0;
		const isWhole = () => !wantsChanges || Math.max(folders, changes.length - folders) <= KEPT_SWEPT_CHANGES;
		const addChange = (change: SweptChange) => {
			folders += (change.after ?? change.before)?.kind === 'folder' ? 1 : 0;
			changes.push(change);
		};
		this.#db.exec('BEGIN');
		try {
			for (const file of found) {
				gone.delete(file.path);
				const known = this.#files.get(file.path);
				// Files that a command has changed are read at any rate, others as far as there is time.
				const isFile = readTypeBits(file.mode) === 0;
				const mayRead = !isFile || ((wantsChanges || performance.now() < endMs) && this.#keptBytes < maxBytes);
				const isToBeRead = known?.hash === undefined && mayRead && file.size <= SWEPT_FILE_BYTES;
				if (known?.stamp === file.stamp && (wantsChanges || !isToBeRead)) {
					continue;
				}
				const bytes = mayRead ? this.#read(file) : undefined;
				const hash = bytes === undefined ? undefined : createHash('sha256').update(bytes).digest('hex');
				const isSame = hash !== undefined && known?.hash === hash && isSameMode(known.mode, file.mode);
				const isFound = wantsChanges && !isSame;
				uncovered += bytes === undefined || (isFound && !isWhole()) ? 1 : 0;
				if (isFound && isWhole()) {
					const after = { ...sweptContent(bytes, file.mode), changedMs: file.changedMs };
					addChange({ path: file.path, before: this.#contentOf(known), after });
				}
				this.#note(file, hash, bytes);
			}
			for (const path of gone) {
				if (wantsChanges && isWhole()) {
					const goneMs = this.#changedFolderMs(path);
					addChange({ path, before: this.#contentOf(this.#files.get(path)), after: undefined, goneMs });
				} else if (wantsChanges) {
					uncovered += 1;
				}
				this.#forget(path);
			}
			this.#db.exec('COMMIT');
		} catch (error) {
			this.#db.exec('ROLLBACK');
			throw error;
		}
		return isWhole() ? { changes, uncovered } : { changes: [], uncovered: uncovered + changes.length };
	}

	close(): void {
		this.#db.close();
	}

	/** Time of the last change of the folder that held a file: all that is left to tell when the file went. */
	#changedFolderMs(path: string): number {
		const folder = statOrUndefined(join(this.#root, dirname(path)));
		return folder?.ctimeMs ?? (dirname(path) === '.' ? Date.now() : this.#changedFolderMs(dirname(path)));
	}

	/** Bytes that are left. */
	#dropUnused(): number {
		this.#db.exec('DELETE FROM contents WHERE hash NOT IN (SELECT hash FROM files WHERE hash IS NOT NULL)');
		const total = this.#db.prepare('SELECT coalesce(sum(length(bytes)), 0) AS total FROM contents').get();
		return Number(total?.['total']);
	}

	/** Throws where there are too many: whoever stopped in the middle would take the rest for removed. */
	#found(maxFiles: number): SweepableEntry[] {
		const entries: SweepableEntry[] = [];
		let seen = 0;
		const nowMs = Date.now();
		for (const { kind, segments } of walkEntries(this.#root)) {
			seen += kind === 'file' ? 1 : 0;
			if (seen > maxFiles) {
				throw new TooManyFiles(this.#root, maxFiles);
			}
			const isLeftOut = kind === 'folder' && isPlaceholderName(segments.at(-1) ?? '');
			if (segments.includes('node_modules') || isSecretName(segments) || isLeftOut) {
				continue;
			}
			const path = segments.join('/');
			const stat = statOrUndefined(join(this.#root, path));
			const entry = stat === undefined ? undefined : toSweepable(path, stat, nowMs);
			if (entry !== undefined) entries.push(entry);
		}
		return entries;
	}

	/** Undefined: too large, not ours to read, or not below the root when it is open. */
	#read({ path, size, mode }: SweepableEntry): Buffer | undefined {
		if (size > SWEPT_FILE_BYTES) {
			return undefined;
		}
		if (readTypeBits(mode) === FOLDER_TYPE) {
			return Buffer.alloc(0);
		}
		try {
			if (readTypeBits(mode) === LINK_TYPE) {
				const target = readlinkSync(join(this.#root, path), { encoding: 'buffer' });
				return linkTargetIn(target) === undefined ? undefined : target;
			}
			const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
			const file = openSync(join(this.#root, path), flags);
			try {
				const isBelow =
					process.platform !== 'linux' || readlinkSync(`/proc/self/fd/${file}`).startsWith(`${this.#root}/`);
				return isBelow && fstatSync(file).isFile() ? readFileSync(file) : undefined;
			} finally {
				closeSync(file);
			}
		} catch {
			return undefined;
		}
	}

	#note({ path, stamp, mode, isUnsettled }: SweepableEntry, hash: string | undefined, bytes: Buffer | undefined): void {
		const seen = { stamp: isUnsettled && hash !== undefined ? '' : stamp, hash, mode };
		this.#files.set(path, seen);
		this.#db
			.prepare('INSERT OR REPLACE INTO files (path, stamp, hash, permissions) VALUES (?, ?, ?, ?)')
			.run(path, seen.stamp, hash ?? null, mode);
		if (hash !== undefined && bytes !== undefined) {
			const packed = deflateRawSync(bytes, { level: 1 });
			const { changes } = this.#db
				.prepare('INSERT OR IGNORE INTO contents (hash, bytes) VALUES (?, ?)')
				.run(hash, packed);
			this.#keptBytes += changes === 1 ? packed.length : 0;
		}
	}

	#forget(path: string): void {
		this.#files.delete(path);
		this.#db.prepare('DELETE FROM files WHERE path = ?').run(path);
	}

	#contentOf(known: SeenFile | undefined): SweptContent | undefined {
		if (known === undefined) {
			return undefined;
		}
		const row =
			known.hash === undefined
				? undefined
				: this.#db.prepare('SELECT bytes FROM contents WHERE hash = ?').get(known.hash);
		const bytes = row === undefined ? undefined : inflateRawSync(row['bytes'] as Uint8Array);
		return sweptContent(bytes, known.mode);
	}
}

/** Undefined also where a folder on the way has become something else, or lets nobody look at what it holds. */
function statOrUndefined(path: string): Stats | undefined {
	try {
		return lstatSync(path);
	} catch {
		return undefined;
	}
}

/** Undefined: neither a file, a link nor a folder. */
function toSweepable(path: string, stat: Stats, nowMs: number): SweepableEntry | undefined {
	const permissions = stat.mode & PERMISSION_BITS;
	if (stat.isDirectory()) {
		const mode = FOLDER_TYPE | permissions | OWNER_BITS;
		// Each entry in a folder is told by itself.
		return { path, stamp: `folder ${mode}`, size: 0, mode, changedMs: stat.ctimeMs, isUnsettled: false };
	}
	if (!stat.isFile() && !stat.isSymbolicLink()) {
		return undefined;
	}
	return {
		path,
		stamp: `${stat.size} ${stat.mtimeMs} ${stat.ctimeMs} ${stat.ino}`,
		size: stat.size,
		mode: stat.isFile() ? permissions : LINK_TYPE,
		changedMs: stat.ctimeMs,
		isUnsettled: nowMs - stat.ctimeMs < UNSETTLED_MS,
	};
}

function readTypeBits(mode: number): number {
	return mode & ~PERMISSION_BITS;
}

/** Other permissions of a folder alone are no change of it. */
function isSameMode(a: number, b: number): boolean {
	return a === b || (readTypeBits(a) === FOLDER_TYPE && readTypeBits(b) === FOLDER_TYPE);
}

function sweptContent(bytes: Uint8Array | undefined, mode: number): SweptContent {
	const type = readTypeBits(mode);
	const permissions = mode & PERMISSION_BITS;
	return type === LINK_TYPE || type === FOLDER_TYPE
		? { bytes, permissions, kind: type === LINK_TYPE ? 'link' : 'folder' }
		: { bytes, permissions };
}
