/**
 * Label of each thread: the texts from outside, or with secrets, that its model has been sent. The host adds to it from what
 * each op returned, before the model can read it. A text stays, because no host can know that it has left what the model is
 * sent: a compaction may keep its words. Only a new thread has no label. A sub-agent and the thread that it
 * works for share one. The labels outlive the host, in a file of our home that no op, server or page reaches.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type * as LateLabelsModule from './tighten-by-labels.ts';
import type { Caller } from '../../../contract/ops/caller.ts';
import { isMarked, formatLabel, type ReadText, type Secrecy, type TextSource } from '../../../contract/labels.ts';
import type { LogPort } from '../../../contract/ports/ports.ts';
import { LatestReading } from '../../../machine/home-files/latest-reading.ts';
import { SharedJson } from '../../../machine/home-files/shared-json.ts';
import { madeAt, type OpId, type ThreadId } from '../../../protocol/rpc/ids.ts';
import { text } from '../../../protocol/text/text.ts';
import * as z from '../../../protocol/text/zod.ts';
import type { AgentRecords } from '../access/agent-records.ts';
import { MADE_ELSEWHERE_FILE, MAX_LABELLED, MAX_TEXT_NAME_CHARS, MAX_TEXTS_OF_THREAD } from './limits.ts';
import type { MadeElsewhere } from './made-elsewhere.ts';
import type { GateDecision, GateInput } from '../policy/gate-decision.ts';
import type { ReturnedText } from './texts-of-op.ts';

/** Whatever stands there: a source that nobody knows counts as one from outside. */
const KeptText = z.object({
	source: z.string() as z.ZodType<string> as z.ZodType<TextSource>,
	name: z.string(),
	secrecy: z.string() as z.ZodType<string> as z.ZodType<Secrecy>,
	opId: z.string().optional(),
});

const KeptLabel = z.object({ id: z.string(), texts: z.array(KeptText) });

const KeptLabels = z.object({
	/** Last changed last. */
	labels: z.array(KeptLabel),
	/** Time in milliseconds: a thread that is older and has no label here may have had one. */
	forgottenUntil: z.number().default(0),
});
type KeptLabels = z.infer<typeof KeptLabels>;

/** Id of what has a label: a thread, a schedule or goal that one has made, or an execution that works for no thread. */
type LabelId = string;

/** Returns what the caller of an op works for. */
export function findLabelId(caller: Caller): LabelId | null {
	return caller.threadId ?? (caller.kind === 'execution' ? caller.executionId : null);
}

interface ThreadLabelsDeps {
	readonly home: string;
	readonly log: Pick<LogPort, 'warn'>;
	/** Absent: there are no sub-agents. */
	readonly agents?: Pick<AgentRecords, 'rootOf'>;
}

/** Name of the file of the home that keeps them. */
const LABELS_FILE = 'thread-labels.json';

type LateLabels = typeof LateLabelsModule;

const NO_LABELS: KeptLabels = { labels: [], forgottenUntil: 0 };

export class ThreadLabels {
	readonly #agents: ThreadLabelsDeps['agents'];
	readonly #file: SharedJson<KeptLabels>;
	readonly #kept: LatestReading<KeptLabels>;
	/** Threads of which this host knows what is kept: nobody else adds to it while one works here. */
	readonly #known = new Set<LabelId>();
	/** Labels that threads are about to get, because of what began them. */
	readonly #beginning = new Map<LabelId, Promise<void>>();

	/** Connections of commands, by what they work for, since the host started. */
	readonly #connections = new Map<LabelId, number>();
	/** Files that commands made while they were connected; undefined until it is known that there are some. */
	#made: MadeElsewhere | undefined;
	readonly #deps: ThreadLabelsDeps;
	#late: LateLabels | undefined;

	constructor(deps: ThreadLabelsDeps) {
		const { home, log, agents } = deps;
		this.#deps = deps;
		this.#agents = agents;
		this.#file = new SharedJson<KeptLabels>({
			path: join(home, LABELS_FILE),
			schema: KeptLabels,
			empty: NO_LABELS,
			consequence: text('what leaves this machine needs approval'),
			misfit: 'the label of this thread cannot be kept. Begin a new thread',
		});
		this.#kept = new LatestReading<KeptLabels>({ read: () => this.#read(), empty: NO_LABELS, log });
	}

	/** Loads what judges labels: nothing needs it before the first text from outside, or the first question. */
	async load(): Promise<LateLabels> {
		return (this.#late ??= await import('./tighten-by-labels.ts'));
	}

	/** Files that commands made while they were connected, as new as this call; undefined when there are none. */
	async made(signal: AbortSignal, isWanted = false): Promise<MadeElsewhere | undefined> {
		if (this.#made === undefined && (isWanted || existsSync(join(this.#deps.home, MADE_ELSEWHERE_FILE)))) {
			const { MadeElsewhere: Made } = await this.load();
			this.#made ??= new Made(this.#deps);
		}
		await this.#made?.refresh(signal);
		return this.#made;
	}

	/** The second of each pair of absolute paths gets what the first holds. Rejects with INVALID_STATE when that cannot be noted. */
	async carryMade(pairs: readonly (readonly [from: string, to: string])[], signal: AbortSignal): Promise<void> {
		await (await this.made(signal))?.carry(pairs, signal);
	}

	/** Returns the decision after the texts that the thread has read. */
	tighten(input: GateInput, decision: GateDecision): GateDecision {
		if (this.#late !== undefined) return this.#late.tightenByLabels(input, decision);
		// Fails the op: whoever has texts has waited for `ready`.
		if (input.texts?.length) {
			throw new Error(
				'the labels of this thread are judged before they are loaded: wait for `ready` of its labels first',
			);
		}
		return decision;
	}

	/** To be waited for before `of`. Rejects when a label could not be kept, and when the signal aborts. */
	async ready(id: LabelId | null, signal: AbortSignal): Promise<void> {
		if (id === null) return;
		await this.#beginning.get(id);
		if (this.#kept.problem !== undefined || !this.#known.has(id)) {
			await this.#kept.refresh(signal);
			this.#known.add(id);
		}
		if (this.of(id).length > 0) await this.load();
	}

	/** Texts from outside, or with secrets, in what the model of the thread is sent. */
	of(id: LabelId | null): readonly ReadText[] {
		return id === null ? [] : this.#textsOf(this.#rootOf(id));
	}

	/**
	 * Adds what an op returned, or is about to. Resolves once it is on the disk; rejects with INVALID_STATE when it cannot be, and
	 * then the text must not be handed out.
	 */
	async add(id: LabelId | null, texts: readonly ReturnedText[], opId: OpId, signal: AbortSignal): Promise<void> {
		const marked = texts
			.filter(isMarked)
			.map((each) => ({ ...each, name: each.name.slice(0, MAX_TEXT_NAME_CHARS), opId }));
		if (id !== null && marked.length > 0) {
			await this.#join(this.#rootOf(id), marked, signal);
		}
	}

	/**
	 * Hands the label on: to a schedule that a thread has made, to a thread that a schedule begins, or that is told of another.
	 * Resolves and rejects as `add` does.
	 */
	async copy(from: LabelId, to: LabelId, signal: AbortSignal): Promise<void> {
		await this.#kept.refresh(signal);
		const texts = this.#textsOf(this.#rootOf(from));
		if (texts.length > 0) {
			await this.#join(this.#rootOf(to), texts, signal);
		}
	}

	/** The user, or what was made by `from` earlier, says something in the thread, which is told what these were. */
	begin(threadId: ThreadId, from: readonly LabelId[]): void {
		this.#known.delete(threadId);
		const never = new AbortController().signal;
		const before = this.#beginning.get(threadId) ?? Promise.resolve();
		const beginning = from.reduce((last, each) => last.then(() => this.copy(each, threadId, never)), before);
		if (from.length === 0) return;
		this.#beginning.set(threadId, beginning);
		// Keeps one that failed: nothing of the thread may be judged without its label.
		beginning.then(
			() => this.#beginning.get(threadId) === beginning && this.#beginning.delete(threadId),
			() => undefined,
		);
	}

	/** A command connects to a host. */
	noteConnection(id: LabelId): void {
		this.#connections.set(id, this.connections(id) + 1);
	}

	connections(id: LabelId): number {
		return this.#connections.get(id) ?? 0;
	}

	/** The file goes with its labels, and its lock stays: threads from before then may have had one. */
	async #read(): Promise<KeptLabels> {
		const kept = await this.#file.read();
		if (kept !== NO_LABELS || !existsSync(join(this.#deps.home, `${LABELS_FILE}.db`))) return kept;
		const found = { labels: [], forgottenUntil: Date.now() };
		await this.#file.change((now) => (now === NO_LABELS ? found : now), new AbortController().signal);
		return await this.#file.read();
	}

	#rootOf(id: LabelId): LabelId {
		return this.#agents?.rootOf(id as ThreadId) ?? id;
	}

	#textsOf(id: string): readonly ReadText[] {
		if (this.#kept.problem !== undefined) {
			return [LOST_TEXT];
		}
		const { labels, forgottenUntil } = this.#kept.current;
		const texts = labels.find((each) => each.id === id)?.texts;
		return texts ?? (isForgotten(id, forgottenUntil) ? [LOST_TEXT] : []);
	}

	async #join(id: string, texts: readonly ReadText[], signal: AbortSignal): Promise<void> {
		await this.load();
		// Finds out first whether the file is gone, or this would be the first label of a new one.
		await this.#kept.refresh(signal);
		if (joinLabelTexts(this.#textsOf(id), texts) === undefined) {
			return;
		}
		await this.#file.change((kept) => {
			const { labels, forgottenUntil } = kept;
			const before =
				labels.find((each) => each.id === id)?.texts ?? (isForgotten(id, forgottenUntil) ? [LOST_TEXT] : []);
			const after = joinLabelTexts(before, texts);
			if (after === undefined) return kept;
			const all = [...labels.filter((each) => each.id !== id), { id, texts: [...after] }];
			const forgotten = all.slice(0, -MAX_LABELLED);
			const until = Math.max(forgottenUntil, ...forgotten.map((each) => (madeAt(each.id) ?? Date.now()) + 1));
			return { labels: all.slice(-MAX_LABELLED), forgottenUntil: until };
		}, signal);
		await this.#kept.refresh(signal);
	}
}

/** Stands for texts that nobody can name any more; no rule covers it. */
const LOST_TEXT: ReadText = { source: 'unknown', name: '', secrecy: 'workspace' };

function isForgotten(id: string, forgottenUntil: number): boolean {
	return forgottenUntil > 0 && (madeAt(id) ?? 0) < forgottenUntil;
}

/** Undefined: nothing is new. */
function joinLabelTexts(before: readonly ReadText[], texts: readonly ReadText[]): readonly ReadText[] | undefined {
	const known = new Set(before.map(createTextIdentity));
	const added = texts.filter((each) => {
		const isNew = !known.has(createTextIdentity(each));
		known.add(createTextIdentity(each));
		return isNew;
	});
	if (added.length === 0 || before.length > MAX_TEXTS_OF_THREAD) {
		return undefined;
	}
	const all = [...before, ...added];
	return all.length <= MAX_TEXTS_OF_THREAD ? all : [...all.slice(0, MAX_TEXTS_OF_THREAD), LOST_TEXT];
}

function createTextIdentity(read: ReadText): string {
	return `${formatLabel(read)} ${read.secrecy}`;
}
