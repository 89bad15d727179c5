/**
 * Anchors record the last row of each chain, with its hash, outside the database. A tail that was cut, a chain that was
 * removed or one that was calculated anew differs from them. The file has one JSON object per line, added only at the
 * end.
 */
import { closeSync, fdatasyncSync, fstatSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import type { ChainEnd } from './chain.ts';

export const ANCHORS_NAME = 'ledger-anchors.jsonl';

const FORMAT = 'prowess-ledger-anchors';
const ANCHORS_VERSION = 1;

export interface Anchor extends ChainEnd {
	/** ISO time at which the chain was seen so. */
	readonly at: string;
}

export type AnchorLine =
	| Anchor
	/** Hash of what the database holds of the removed beginnings of chains. */
	| { readonly removed: string; readonly at: string }
	/** The user has seen all differences to the lines before. */
	| { readonly acknowledged: true; readonly at: string };

export interface AnchorLog {
	/** In their order, since the user last acknowledged differences. */
	readonly anchors: readonly Anchor[];
	/** Hashes of what was removed, as far as they were ever right. */
	readonly removed: ReadonlySet<string>;
	/** Numbers of the lines that are none, counted from 1. */
	readonly unreadable: readonly number[];
	/** The first line is the one that a host writes when there is no such file yet. */
	readonly isWhole: boolean;
}

/** Throws when a later version wrote it. */
export function readAnchors(text: string): AnchorLog {
	let anchors: Anchor[] = [];
	let removed = new Set<string>();
	let unreadable: number[] = [];
	let isWhole = false;
	for (const [index, line] of text.split('\n').entries()) {
		const read = line.trim() === '' ? {} : parseAnchorLine(line);
		if (read === undefined) {
			unreadable.push(index + 1);
		} else if (read['format'] === FORMAT) {
			refuseNewerAnchors(read['version']);
			isWhole ||= index === 0;
		} else if (read['acknowledged'] === true) {
			[anchors, removed, unreadable, isWhole] = [[], new Set(), [], true];
		} else if (typeof read['removed'] === 'string') {
			removed.add(read['removed']);
		} else if (isAnchor(read)) {
			anchors.push(read);
		} else if (line.trim() !== '') {
			unreadable.push(index + 1);
		}
	}
	return { anchors, removed, unreadable, isWhole };
}

/** The lines as they are written down, here and elsewhere. */
export function anchorText(lines: readonly AnchorLine[]): string {
	return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** The file in the home. Opened for each use: several hosts add to it. */
export class AnchorFile {
	readonly #path: string;

	constructor(path: string) {
		this.#path = path;
	}

	/** Returns whether it had to be created. Throws when it cannot be used. */
	begin(): boolean {
		let file: number;
		try {
			file = openSync(this.#path, 'wx', 0o600);
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
				throw error;
			}
			this.read();
			return false;
		}
		try {
			writeSync(file, `${JSON.stringify({ format: FORMAT, version: ANCHORS_VERSION })}\n`);
			fdatasyncSync(file);
		} finally {
			closeSync(file);
		}
		return true;
	}

	/** On the disk when it returns. */
	append(lines: readonly AnchorLine[]): void {
		const file = openSync(this.#path, 'a+', 0o600);
		try {
			// A host that was killed may have left half a line: only that one is lost.
			writeSync(file, `${endsInLine(file) ? '' : '\n'}${anchorText(lines)}`);
			fdatasyncSync(file);
		} finally {
			closeSync(file);
		}
	}

	/** Reads the anchors; a missing file counts as empty. */
	read(): AnchorLog {
		try {
			return readAnchors(readFileSync(this.#path, 'utf8'));
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
				throw error;
			}
			return readAnchors('');
		}
	}
}

function endsInLine(file: number): boolean {
	const { size } = fstatSync(file);
	const last = Buffer.alloc(1);
	return size === 0 || (readSync(file, last, 0, 1, size - 1) === 1 && last[0] === 0x0a);
}

function parseAnchorLine(line: string): Record<string, unknown> | undefined {
	try {
		const value: unknown = JSON.parse(line);
		return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
	} catch {
		return undefined;
	}
}

function isAnchor(value: object): value is Anchor {
	const { writer, seq, hash, at } = value as Partial<Anchor>;
	return typeof writer === 'string' && Number.isSafeInteger(seq) && typeof hash === 'string' && typeof at === 'string';
}

function refuseNewerAnchors(version: unknown): void {
	if (typeof version === 'number' && version > ANCHORS_VERSION) {
		throw new Error(
			`${ANCHORS_NAME} was written by a later version (${version}, known ${ANCHORS_VERSION}): update Prowess, or set PROWESS_HOME to another folder`,
		);
	}
}
