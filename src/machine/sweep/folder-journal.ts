/**
 * Journal of a workspace folder that the hosts of this machine share: which commands run in it, and what hosts write there
 * themselves, in the home beside the copy of the folder. Without it, the files that another run changes meanwhile
 * would look like changes of one's own command.
 */
import { hash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { isProcessRunning } from '../../store/running-process.ts';
import { JOURNAL_BYTES, WRITE_MS } from './limits.ts';
import type { WrittenByOthers } from './writes-beside.ts';

/** Line of the journal. Times are of the wall clock: it is the one that the disk stamps files with. */
type JournalLine = JournalEntry & { readonly holder: string; readonly pid: number; readonly at: number };

type JournalEntry =
	| { readonly kind: 'began' | 'ended'; readonly command: number; readonly owner: string }
	/** `isOver`: a write that an earlier line has announced. */
	| { readonly kind: 'wrote'; readonly path: string; readonly isOver?: boolean };

/** Acts of others in the folder since a time. */
interface DoneByOthers extends WrittenByOthers {
	/** A command of another owner ran meanwhile. */
	readonly ran: boolean;
}

/** Name of what is kept of a folder, without its end. */
export function sweepName(root: string): string {
	return hash('sha256', root, 'hex').slice(0, 32);
}

export class FolderJournal {
	readonly #path: string;
	readonly #holder: string;

	/** `holder`: names this host among those of the machine. */
	constructor(path: string, holder: string) {
		this.#path = path;
		this.#holder = holder;
	}

	began(command: number, owner: string): void {
		mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
		this.#dropOld();
		this.#append({ kind: 'began', command, owner });
	}

	ended(command: number, owner: string): void {
		this.#append({ kind: 'ended', command, owner });
	}

	/** Costs nothing to speak of where no command has ever run: there is no journal then. */
	wrote(path: string, isOver = false): void {
		if (existsSync(this.#path)) this.#append({ kind: 'wrote', path, ...(isOver ? { isOver } : {}) });
	}

	/** Throws when the journal cannot be read: then nobody knows what others did. */
	doneByOthers(since: number, owner: string): DoneByOthers {
		const lines = this.#read();
		const running = new Map<string, JournalLine>();
		const [wrote, mayHave] = [new Set<string>(), new Set<string>()];
		let ran = false;
		for (const line of lines.filter(({ holder }) => holder !== this.#holder)) {
			if (line.kind === 'wrote') {
				// Writes that began before that look may have come before it or after it.
				if (line.isOver !== true && line.at > since) wrote.add(line.path);
				else if (line.at >= since || (line.isOver !== true && line.at > since - WRITE_MS)) mayHave.add(line.path);
				else mayHave.delete(line.path);
			} else if (line.owner !== owner) {
				const id = `${line.holder} ${line.command}`;
				if (line.kind === 'began') running.set(id, line);
				else running.delete(id);
				ran ||= line.kind === 'ended' && line.at >= since;
			}
		}
		// Commands of a killed host have ended with it.
		return { ran: ran || [...running.values()].some(({ pid }) => isProcessRunning(pid)), wrote, mayHave };
	}

	#append(line: JournalEntry): void {
		const text = `${JSON.stringify({ ...line, holder: this.#holder, pid: process.pid, at: Date.now() })}\n`;
		appendFileSync(this.#path, text, { mode: 0o600 });
	}

	#read(): JournalLine[] {
		return readFileSync(this.#path, 'utf8')
			.split('\n')
			.flatMap((line) => {
				try {
					return line === '' ? [] : [JSON.parse(line) as JournalLine];
				} catch {
					// Cut short by a host that was killed.
					return [];
				}
			});
	}

	/** Begins it anew once it is large and no other host has a command there. */
	#dropOld(): void {
		try {
			if (statSync(this.#path).size > JOURNAL_BYTES && !this.doneByOthers(Number.POSITIVE_INFINITY, '').ran) {
				truncateSync(this.#path);
			}
		} catch {
			// None yet.
		}
	}
}
