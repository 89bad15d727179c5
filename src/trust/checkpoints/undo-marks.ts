/**
 * Marks of what undos and redos put back right now, across the hosts of a home: one file for each, so that the next start
 * removes what a killed one has left beside it. A start without any costs a look at a folder.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from '../../protocol/text/zod.ts';
import type { ClaimHolder } from '../../store/threads/lease-holder.ts';
import { RESTORE_MARKS_FOLDER } from './restore/restore-marks.ts';

const UndoMark = z.object({ owner: z.string(), absolutePath: z.string() });

interface LeftUndo {
	readonly absolutePath: string;
	drop(): void;
}

export class UndoMarks {
	readonly #folder: string;
	readonly #holder: ClaimHolder;

	constructor({ home, holder }: { readonly home: string; readonly holder: ClaimHolder }) {
		this.#folder = join(home, RESTORE_MARKS_FOLDER);
		this.#holder = holder;
	}

	/** Does the work while the mark is there. */
	async during<T>(absolutePath: string, work: () => Promise<T>): Promise<T> {
		const name = randomUUID();
		const mark = join(this.#folder, `undo-${name}`);
		this.#holder.beat();
		mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
		const draft = join(this.#folder, `.${name}`);
		writeFileSync(draft, JSON.stringify({ owner: this.#holder.owner, absolutePath }), { mode: 0o600 });
		renameSync(draft, mark);
		try {
			return await work();
		} finally {
			rmSync(mark, { force: true });
		}
	}

	/** Returns those that nobody works on any more. */
	left(): LeftUndo[] {
		const names = statSync(this.#folder, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(this.#folder);
		return names.flatMap((name) => {
			const path = join(this.#folder, name);
			const mark = name.startsWith('undo-') ? readMark(path) : undefined;
			if (mark === undefined || this.#holder.isAlive(mark.owner, mark.takenAt)) return [];
			return [{ absolutePath: mark.absolutePath, drop: () => rmSync(path, { force: true }) }];
		});
	}
}

/** Undefined: it is gone by now, or cannot be read. */
function readMark(path: string): (z.infer<typeof UndoMark> & { readonly takenAt: number }) | undefined {
	try {
		return { ...UndoMark.parse(JSON.parse(readFileSync(path, 'utf8'))), takenAt: statSync(path).mtimeMs };
	} catch {
		return undefined;
	}
}
