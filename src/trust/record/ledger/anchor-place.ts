/** Keeps the anchors of the ledger where whoever can write the home may not write: `prowess.ledger.anchor`. */
import { readFile } from 'node:fs/promises';
import { deriveSignal } from '../../../base/time/derived-signal.ts';
import { toErrorMessage } from '../../../base/text/message-of.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import type { LogPort } from '../../../contract/ports/ports.ts';
import { gitFlags, nullDevice } from '../../../machine/shell/git-settings.ts';
import { runGit } from '../../../machine/git/run-git.ts';
import { type Resolve, resolveHost } from '../../../machine/http/resolve-host.ts';
import { sendHttpRequest } from '../../../machine/http/send.ts';
import { parseTargetUrl } from '../../../machine/http/target-url.ts';
import { fileError } from '../../../machine/paths/file-error.ts';
import { findProgram } from '../../../machine/shell/find-program.ts';

/** Time limit of a place outside the home for keeping or giving anchors. */
const ANCHOR_TIMEOUT_MS = 10_000;

/** Most bytes of anchors that are read from such a place. */
const KEPT_ANCHOR_BYTES = 50_000_000;

const GIT_NOTE = 'git-note:';
const ANCHOR_NOTES_REF = 'refs/notes/prowess-ledger';

interface AnchorPlaceDeps {
	/** The setting; empty: there is no such place. */
	place(): string;
	readonly allowedHosts: () => readonly string[];
	readonly resolve: Resolve;
	/** Environment that git runs in. */
	readonly environment: Readonly<Record<string, string>>;
	readonly log: LogPort;
}

export class AnchorPlace {
	readonly #deps: AnchorPlaceDeps;
	readonly #closing = new AbortController();
	/**
	 * Tail of the queue of additions, which run one after the other: the order of anchors is part of what they prove.
	 */
	#kept = Promise.resolve();

	constructor(deps: AnchorPlaceDeps) {
		this.#deps = deps;
	}

	/** Keeps the text outside. Only `close` waits for it. A failure is logged; the home has the text all the same. */
	keep(text: string): void {
		const place = this.#deps.place();
		if (place === '') {
			return;
		}
		this.#kept = this.#kept.then(async () => {
			try {
				await this.#within((signal) => this.#add(place, text, signal));
			} catch (error) {
				this.#deps.log.warn('anchors of the ledger could not be kept outside', { place, error: toErrorMessage(error) });
			}
		});
	}

	/**
	 * Reads the kept text, with the name of its place; undefined when the place cannot be read back. Rejects when
	 * reading fails.
	 */
	async read(signal: AbortSignal): Promise<{ readonly text: string; readonly source: string } | undefined> {
		const place = this.#deps.place();
		if (!place.startsWith(GIT_NOTE)) {
			return undefined;
		}
		await this.#kept;
		const repository = place.slice(GIT_NOTE.length);
		const object = await this.#noted(repository, signal);
		const { exitCode, stdout } = await this.#git(
			repository,
			['notes', `--ref=${ANCHOR_NOTES_REF}`, 'show', object],
			signal,
		);
		// `git notes show` also fails when nothing was kept yet.
		const text = exitCode === 0 ? stdout.toString('utf8') : '';
		return { text, source: `the Git notes of ${repository}` };
	}

	/** Waits for what is being kept, as long as it may take. */
	async close(): Promise<void> {
		await this.#kept;
		this.#closing.abort(new ProwessError('CANCELLED', 'the host is closing'));
	}

	async #within<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
		const limit = deriveSignal(this.#closing.signal, { what: 'keeping anchors', timeoutMs: ANCHOR_TIMEOUT_MS });
		try {
			return await work(limit.signal);
		} finally {
			limit.dispose();
		}
	}

	async #add(place: string, text: string, signal: AbortSignal): Promise<void> {
		if (place.startsWith(GIT_NOTE)) {
			await this.#addNote(place.slice(GIT_NOTE.length), text, signal);
		} else {
			await this.#post(place, text, signal);
		}
	}

	async #addNote(repository: string, text: string, signal: AbortSignal): Promise<void> {
		const object = await this.#noted(repository, signal);
		const args = ['notes', `--ref=${ANCHOR_NOTES_REF}`, 'append', '-m', text.trimEnd(), object];
		const { exitCode, stderr } = await this.#git(repository, args, signal);
		if (exitCode !== 0) {
			throw new Error(`git notes ended with ${exitCode}: ${stderr}`);
		}
	}

	/**
	 * Returns the object that the notes are attached to: the empty tree, which any repository can have. Rejects when
	 * the repository cannot be written.
	 */
	async #noted(repository: string, signal: AbortSignal): Promise<string> {
		const { exitCode, stdout, stderr } = await this.#git(
			repository,
			['hash-object', '-w', '-t', 'tree', nullDevice],
			signal,
		);
		if (exitCode !== 0) {
			throw new Error(`${repository} is no Git repository that can be written: ${stderr}`);
		}
		return stdout.toString('utf8').trim();
	}

	async #git(repository: string, args: readonly string[], signal: AbortSignal): ReturnType<typeof runGit> {
		const program = await findProgram('git', repository, this.#deps.environment);
		const identity = ['-c', 'user.name=Prowess', '-c', 'user.email=prowess@localhost'];
		const limits = { outputBytes: KEPT_ANCHOR_BYTES, timeoutMs: ANCHOR_TIMEOUT_MS };
		const all = [...gitFlags([]), ...identity, ...args];
		return await runGit(program, all, repository, this.#deps.environment, limits, signal);
	}

	async #post(url: string, text: string, signal: AbortSignal): Promise<void> {
		const target = parseTargetUrl(url);
		const addresses = await resolveHost(target, this.#deps.allowedHosts(), this.#deps.resolve, signal);
		const headers = { 'content-type': 'application/x-ndjson' };
		const body = Buffer.from(text);
		const { status } = await sendHttpRequest({ method: 'POST', target, addresses, headers, body }, signal);
		if (status < 200 || status > 299) {
			throw new ProwessError('REQUEST_FAILED', `${target.host} answers with status ${status}`, { status });
		}
	}
}

/** A ledger that anchors can be compared with. */
interface ComparableLedger {
	compareAnchors(text: string, source: string): Promise<readonly string[]>;
}

/** Differences to a file in which the user keeps what `keep` has sent. */
export async function compareAnchorFile(ledger: ComparableLedger, path: string): Promise<readonly string[]> {
	let text: string;
	try {
		text = await readFile(path, 'utf8');
	} catch (error) {
		throw fileError('read', path, error);
	}
	return await ledger.compareAnchors(text, path);
}

/** Differences between the ledger and what is kept outside; that it cannot be read is one, too. */
export async function faultsOutside(
	ledger: ComparableLedger,
	place: AnchorPlace,
	signal: AbortSignal,
): Promise<readonly string[]> {
	try {
		const kept = await place.read(signal);
		return kept === undefined ? [] : await ledger.compareAnchors(kept.text, kept.source);
	} catch (error) {
		signal.throwIfAborted();
		return [`the anchors that prowess.ledger.anchor names cannot be read: ${toErrorMessage(error)}`];
	}
}
