/**
 * A cassette: all that came into the server of a turn and all that it asked for, as lines of one file. Each line is covered
 * by a hash that also covers the line before it, so a changed byte is found at its line. A longer text is stored once, by
 * its hash, before the first step that has it.
 */
import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { LedgerRow } from '../../protocol/approvals/ledger.ts';
import { text } from '../../protocol/text/text.ts';
import { readRegularFile } from '../../machine/paths/reading/read-regular-file.ts';
import { sha256 } from '../../trust/record/store/chain/canonical-json.ts';
import { replayLimits } from './limits.ts';
import type { ThreadRows } from './thread-rows.ts';

export const CASSETTE_VERSION = 1;

/**
 * A step between host and server, in the order in which the host saw them. `call`, `tell` and `cancel` go to the server,
 * `answer` comes back; `asked`, `withdrawn` and `told` come from the server, `answered` goes back. `n` joins those of one
 * request.
 */
export type Step = { readonly at: number } & (
	| { readonly k: 'call' | 'asked'; readonly n: number; readonly method: string; readonly params: unknown }
	| { readonly k: 'answer' | 'answered'; readonly n: number; readonly result: unknown }
	| { readonly k: 'answer' | 'answered'; readonly n: number; readonly error: StepError }
	| { readonly k: 'cancel' | 'withdrawn'; readonly n: number }
	| { readonly k: 'tell' | 'told'; readonly method: string; readonly params: unknown }
);

export interface StepError {
	readonly code: number;
	readonly message: string;
	readonly data?: unknown;
}

interface CassetteHead {
	readonly cassette: typeof CASSETTE_VERSION;
	/** Version of Prowess. */
	readonly version: string;
	readonly at: string;
	/** Rows of the threads that it goes on with, as they were before. */
	readonly before: ThreadRows;
}

interface CassetteEnd {
	/** `full`: it had reached its bound. */
	readonly end: 'whole' | 'full';
	readonly rows: readonly LedgerRow[];
	/** Last hash of the chain of these rows, with time and identity pinned. */
	readonly chain: string;
}

export interface Cassette {
	readonly head: CassetteHead;
	readonly steps: readonly Step[];
	/** Undefined: its process was killed before the end. */
	readonly end: CassetteEnd | undefined;
}

type CassetteLine = CassetteHead | CassetteEnd | { readonly text: string } | Step;

const START = 'prowess-cassette';
/** Replaces a text that is stored by its hash. A text that begins so is stored, too. */
const STORED = '#sha256:';

/** Writes a cassette line by line, so that a killed process leaves what it had come to. */
export class CassetteWriter {
	readonly path: string;
	readonly #stored = new Set<string>();
	#hash = START;
	#bytes = 0;
	#isFull = false;

	/** Throws as the system does; never takes the place of another file. */
	constructor(path: string, head: CassetteHead) {
		this.path = path;
		writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
		this.#add(head);
	}

	step(step: Step): void {
		if (!this.#isFull) this.#add(step);
	}

	end(end: CassetteEnd): void {
		this.#write({ ...end, end: this.#isFull ? 'full' : end.end });
	}

	/** Removes what was written. */
	discard(): void {
		rmSync(this.path, { force: true });
	}

	#add(line: CassetteHead | Step): void {
		const texts: string[] = [];
		const short = mapTexts(line, (each) => {
			if (each.length < replayLimits.storedTextChars && !each.startsWith(STORED)) return each;
			const name = sha256(each);
			if (!this.#stored.has(name)) {
				this.#stored.add(name);
				texts.push(each);
			}
			return `${STORED}${name}`;
		});
		for (const each of texts) this.#write({ text: each });
		this.#write(short as CassetteLine);
	}

	#write(line: CassetteLine): void {
		const json = JSON.stringify(line);
		const bytes = Buffer.byteLength(json) + 70;
		if (!('end' in line)) {
			this.#isFull ||= this.#bytes + bytes > replayLimits.cassetteBytes;
			if (this.#isFull) return;
		}
		this.#bytes += bytes;
		this.#hash = sha256(`${this.#hash}\n${json}`);
		appendFileSync(this.path, `${this.#hash} ${json}\n`);
	}
}

/** Rejects with DATA_MALFORMED, naming the line, where a byte was changed, and NOT_FOUND where there is no such file. */
export async function readCassette(path: string): Promise<Cassette> {
	if (!existsSync(path)) throw createMissingError(path);
	const bytes = await readRegularFile(path, replayLimits.cassetteBytes * 2).catch((error: unknown) => {
		throw createMalformedError(path, 0, error instanceof Error ? error.message : String(error));
	});
	const stored = new Map<string, string>();
	const steps: Step[] = [];
	let [head, end]: [CassetteHead | undefined, CassetteEnd | undefined] = [undefined, undefined];
	let hash = START;
	const lines = bytes.toString('utf8').split('\n');
	for (const [at, line] of lines.slice(0, -1).entries()) {
		const json = line.slice(65);
		hash = sha256(`${hash}\n${json}`);
		if (line.slice(0, 65) !== `${hash} `)
			throw createMalformedError(path, at + 1, 'its hash does not match, so it was changed');
		const read = parseLine(json);
		if (read === undefined) throw createMalformedError(path, at + 1, 'it is no line of a cassette');
		if ('text' in read && !('k' in read)) {
			stored.set(sha256(read.text), read.text);
			continue;
		}
		const whole = mapTexts(read, (each) =>
			each.startsWith(STORED) ? (stored.get(each.slice(8)) ?? each) : each,
		) as CassetteLine;
		if ('cassette' in whole) head = whole;
		else if ('end' in whole) end = whole;
		else if ('k' in whole) steps.push(whole);
	}
	if (head?.cassette !== CASSETTE_VERSION) throw createMalformedError(path, 1, 'it is no cassette of this version');
	return { head, steps, end };
}

/** Undefined: it is no line of ours. Params of a step are judged by its receiver. */
function parseLine(json: string): CassetteLine | undefined {
	try {
		const line = JSON.parse(json) as Partial<Record<string, unknown>>;
		const isObject = (value: unknown) => typeof value === 'object' && value !== null;
		const isWhole =
			'cassette' in line
				? isObject(line['before'])
				: 'end' in line
					? Array.isArray(line['rows']) && line['rows'].every(isObject)
					: 'k' in line
						? !('method' in line) || isObject(line['params'])
						: typeof line['text'] === 'string';
		return isWhole ? (line as unknown as CassetteLine) : undefined;
	} catch {
		return undefined;
	}
}

function createMalformedError(path: string, line: number, why: string): ProwessError {
	const place = line === 0 ? path : `${path}:${line}`;
	return new ProwessError('DATA_MALFORMED', `${place}: ${why}`, {
		path,
		line,
		said: text('The recording {place} cannot be replayed: {why}. Record the turn again.', { place, why }),
	});
}

/** Throws ALREADY_EXISTS where something lies there. */
export function refuseTakenPath(path: string): void {
	if (existsSync(path)) throw new ProwessError('ALREADY_EXISTS', `${path} is there already`, { path });
}

/** `wanted`: a file or a thread. */
export function createMissingError(wanted: string): ProwessError {
	return new ProwessError('NOT_FOUND', `there is no recording ${wanted}`, {
		path: wanted,
		said: text('There is no recording of {wanted}. Record a turn with: prowess run --record', { wanted }),
	});
}

/** Makes room for one more cassette in `folder`, and returns its path. */
export function nextCassettePath(folder: string, now: Date): string {
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	const kept = listCassettes(folder);
	for (const old of kept.slice(replayLimits.keptCassettes - 1)) rmSync(old, { force: true });
	return join(folder, `${now.toISOString().replaceAll(/[:.]/g, '-')}-${process.pid}.cassette`);
}

/** Paths of the cassettes of a folder, newest first. */
export function listCassettes(folder: string): string[] {
	try {
		return readdirSync(folder)
			.filter((name) => name.endsWith('.cassette'))
			.sort((a, b) => (basename(a) < basename(b) ? 1 : -1))
			.map((name) => join(folder, name));
	} catch {
		// None was ever recorded.
		return [];
	}
}

/** The same value with each text as `map` makes it; keys stay. */
export function mapTexts(value: unknown, map: (text: string) => string): unknown {
	if (typeof value === 'string') return map(value);
	if (Array.isArray(value)) return value.map((each) => mapTexts(each, map));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapTexts(each, map)]));
}
