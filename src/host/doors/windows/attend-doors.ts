/**
 * The window's end: attaches to the doors that work in one of its folders, and puts their questions to whoever sits here.
 * Only answers that end with the door or earlier are offered: what is kept for longer is decided where the gate is.
 */
import { realpathSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';
import { toErrorMessage } from '../../../base/text/message-of.ts';
import { type Disposable, DisposableStore } from '../../../base/disposable.ts';
import type { LogPort } from '../../../contract/ports/ports.ts';
import { attachTo } from '../../../features/background/attach.ts';
import type { Approval } from '../../../protocol/approvals/approvals.ts';
import { windowRequests } from '../../../protocol/doors/windows.ts';
import { isProwessError } from '../../../protocol/errors/errors.ts';
import { text } from '../../../protocol/text/text.ts';
import type { PersonDesk } from '../../../trust/gate/approvals/desk.ts';
import { windowLimits } from '../limits.ts';
import { type OpenDoorRecord, readDoorRecords } from './door-records.ts';

interface WindowDeps {
	readonly home: string;
	/** Paths of the folders that are open; none before they are trusted. */
	folders(): readonly string[];
	desk(): Promise<Pick<PersonDesk, 'ask' | 'question'>>;
	readonly log: Pick<LogPort, 'warn'>;
}

export class DoorAttendant implements Disposable {
	readonly #deps: WindowDeps;
	readonly #life = new AbortController();
	readonly #attached = new Map<string, Disposable>();
	#looking: Promise<void> = Promise.resolve();

	constructor(deps: WindowDeps) {
		this.#deps = deps;
	}

	/** Attaches to the doors that have opened since. Never rejects. */
	look(): Promise<void> {
		this.#looking = this.#looking.then(() => this.#look()).catch((error: unknown) => this.#warn(error));
		return this.#looking;
	}

	/** Takes back what it asks. Idempotent. */
	dispose(): void {
		this.#life.abort();
		for (const each of this.#attached.values()) each.dispose();
		this.#attached.clear();
	}

	async #look(): Promise<void> {
		const folders = this.#deps.folders().flatMap(findRealFolder);
		for (const [id, record] of await readDoorRecords(this.#deps.home)) {
			const room = windowLimits.mostDoors - this.#attached.size;
			const isOurs = folders.some((folder) => isWithin(folder, record.folder) || isWithin(record.folder, folder));
			if (room <= 0 || !isOurs || this.#attached.has(id) || this.#life.signal.aborted) continue;
			await this.#attach(id, record).catch((error: unknown) => this.#warn(error));
		}
	}

	async #attach(id: string, record: OpenDoorRecord): Promise<void> {
		const { signal } = this.#life;
		const attachment = await attachTo(record, windowLimits.questionBytes, signal);
		if (attachment === undefined) return;
		const life = new DisposableStore();
		life.add(attachment);
		life.add(
			attachment.peer.serve(windowRequests, {
				approve: async ({ approval }, asked) => ({
					answer: (await orNobody((await this.#deps.desk()).ask(null, () => forSomebodyElse(approval), asked))) ?? null,
				}),
				answer: async ({ question: { opId, question, options } }, asked) => {
					const draft = { opId, threadId: null, question, options };
					const said = await orNobody((await this.#deps.desk()).question(draft, asked));
					return { words: said?.words ?? null };
				},
			}),
		);
		attachment.onDidClose(() => {
			this.#attached.delete(id);
			life.dispose();
		});
		this.#attached.set(id, life);
		if (signal.aborted) this.dispose();
	}

	#warn(error: unknown): void {
		this.#deps.log.warn('a door of another process cannot be attended to', { error: toErrorMessage(error) });
	}
}

/** Undefined where nobody answers in time, or nobody may be asked. */
async function orNobody<T>(asked: Promise<T>): Promise<T | undefined> {
	try {
		return await asked;
	} catch (error) {
		if (isProwessError(error) && error.code === 'APPROVAL_EXPIRED') return undefined;
		throw error;
	}
}

/** In no thread of this window, and with nothing that this window would have to do, keep or explain. */
function forSomebodyElse(approval: Approval): Approval {
	const {
		wider: _wider,
		turnScope: _turn,
		hasTurnAsked: _asked,
		isReasonUsual: _usual,
		trial: _trial,
		...shown
	} = approval;
	return {
		...shown,
		threadId: null,
		pattern: null,
		isProjectOffered: false,
		isPartOfAll: false,
		askedBy: text('Another agent asks, which uses Prowess over MCP.'),
	};
}

function findRealFolder(path: string): readonly string[] {
	try {
		return [realpathSync(path)];
	} catch {
		return [];
	}
}

function isWithin(path: string, folder: string): boolean {
	const way = relative(folder, path);
	return way === '' || (!isAbsolute(way) && way.split(/[\\/]/)[0] !== '..');
}
