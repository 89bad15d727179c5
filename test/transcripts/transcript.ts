/** Runs turns over a real store with a scripted model and a host in memory, and writes down everything that happened. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Emitter } from '../../src/base/emitter.ts';
import { applyUpdate } from '../../src/protocol/thread/apply-update.ts';
import type { ThreadId } from '../../src/protocol/rpc/ids.ts';
import type { ContextRef } from '../../src/protocol/thread/context.ts';
import { ImageRef } from '../../src/protocol/ops/images.ts';
import { readSettings } from '../../src/protocol/settings/read-settings.ts';
import type { SettingName } from '../../src/protocol/settings/settings.ts';
import { type Mode, type ThreadEvent, ThreadSnapshot, type ThreadUpdate } from '../../src/protocol/thread/thread.ts';
import { Breakers } from '../../src/server/models/failover/breakers.ts';
import { type ModelCandidate, ModelLine } from '../../src/server/models/failover/model-line.ts';
import type { ModelCatalog } from '../../src/server/models/windows/catalog.ts';
import { MessageBudgets } from '../../src/server/history/budget.ts';
import { LearnedLimits } from '../../src/server/history/learned-limits.ts';
import { Calibrations } from '../../src/server/models/windows/calibrations.ts';
import { TRACED_STEPS } from '../../src/server/turn/stage-trace.ts';
import type { Log } from '../../src/server/host/log.ts';
import { otherThreads } from '../../src/server/threads/past/other-threads.ts';
import { Threads } from '../../src/server/threads/threads.ts';
import type { Database } from '../../src/store/database.ts';
import { openMigratedDatabase } from '../../src/store/open-database.ts';
import { processLeaseHolder } from '../../src/store/threads/process-lease-holder.ts';
import { threadMigrations } from '../../src/store/threads/thread-migrations.ts';
import { ImageStore } from '../../src/store/threads/image-store.ts';
import { ThreadStore } from '../../src/store/threads/thread-store.ts';
import { tempDir } from '../support/temp-dir.ts';
import type { MemoryHost } from './memory-host.ts';
import type { ScriptedModel } from './scripted-model.ts';

type ModelList = Awaited<ReturnType<ModelCatalog['list']>>;

export interface Stage {
	readonly model: ScriptedModel;
	readonly host: MemoryHost;
	/** Models that take over. */
	readonly fallbacks?: readonly ModelCandidate[];
	readonly mode?: Mode;
	readonly trusted?: boolean;
	readonly settings?: Partial<Record<SettingName, unknown>>;
	/** Instead of a list with none. */
	readonly listModels?: () => Promise<ModelList>;
	/** Instead of a new one. */
	readonly database?: Database;
}

const signal = new AbortController().signal;
const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

export class Transcript {
	readonly threads: Threads;
	readonly store: ThreadStore;
	readonly events: ThreadEvent[] = [];
	readonly #stage: Stage;
	readonly #sent = new Emitter<ThreadUpdate>();
	readonly #closing = new AbortController();
	readonly #close: () => void;
	#first: ThreadSnapshot | undefined;
	#updates: ThreadUpdate[] = [];

	constructor(stage: Stage) {
		this.#stage = stage;
		const db = stage.database ?? openMigratedDatabase(join(tempDir(), 'threads.db'), threadMigrations).db;
		const settings = readSettings((name) => stage.settings?.[name]).settings;
		const folders = [{ name: 'work', path: '/project' }];
		this.store = new ThreadStore(db, processLeaseHolder('editor'));
		this.threads = new Threads(
			this.store,
			new ImageStore(db),
			{
				host: stage.host,
				budgets: new MessageBudgets(new LearnedLimits(), new Calibrations()),
				closing: this.#closing.signal,
				models: {
					line: async () => ({
						models: new ModelLine(stage.model, stage.fallbacks ?? [], new Breakers()),
						steps: [],
					}),
					list: stage.listModels ?? (async () => ({ models: [], selected: stage.model.id, problems: [], resting: [] })),
				},
				settings: () => settings,
				workspace: () => ({ folders, trusted: stage.trusted ?? true, platform: 'linux' }),
				threads: otherThreads(this.store),
				hasEditor: true,
				log: silent,
				wait: async () => {},
			},
			(update) => {
				this.#updates.push(update);
				this.events.push(...update.events);
				this.#sent.fire(update);
			},
		);
		this.#close = () => {
			this.threads.abandon();
			this.#closing.abort();
			db.dispose();
		};
	}

	async create(): Promise<ThreadId> {
		const created = await this.threads.handlers.create({ modelId: null, mode: this.#stage.mode ?? 'agent' , effort: null }, signal);
		const threadId = created.id as ThreadId;
		this.#first = ThreadSnapshot.parse(await this.threads.handlers.open({ threadId, items: 1000 }, signal));
		return threadId;
	}

	/** Resolves when the turn has ended. */
	async prompt(threadId: ThreadId, text: string, context: ContextRef[] = []): Promise<void> {
		const ended = this.until((event) => event.type === 'turn.end');
		await this.threads.handlers.prompt({ threadId, text, context }, signal);
		await ended;
	}

	/** A picture, as the view hands in one that was pasted. */
	async attach(bytes: Buffer): Promise<ImageRef> {
		return ImageRef.parse(await this.threads.handlers.attach({ data: bytes.toString('base64') }, signal));
	}

	/** Resolves with the first event from now on that fits. */
	until(fits: (event: ThreadEvent) => boolean): Promise<void> {
		return new Promise((resolve) => {
			const subscription = this.#sent.event(({ events }) => {
				if (events.some(fits)) {
					subscription.dispose();
					resolve();
				}
			});
		});
	}

	/** Asserts the state that every turn must leave, whatever happened; then compares the transcript with the file. */
	async matches(name: string, threadId: ThreadId): Promise<void> {
		const fresh = await this.threads.handlers.open({ threadId, items: 1000 }, signal);
		assert.deepEqual(this.#applied(), fresh, 'the updates lead to another thread than the one that is stored');
		assert.ok(
			fresh.items.every((item) => item.kind !== 'tool' || !['pending', 'waiting', 'running'].includes(item.status)),
			'a tool call has no end',
		);
		const file = join(import.meta.dirname, `${name}.txt`);
		const found = this.#written(threadId);
		if (!existsSync(file)) {
			writeFileSync(file, found);
		}
		assert.equal(found, readFileSync(file, 'utf8'));
	}

	close(): void {
		this.#close();
	}

	#applied(): ThreadSnapshot {
		assert.ok(this.#first !== undefined);
		return this.#updates.reduce((snapshot, update) => {
			const next = applyUpdate(snapshot, update);
			assert.notEqual(next, 'gap');
			return next as ThreadSnapshot;
		}, this.#first);
	}

	#written(threadId: ThreadId): string {
		const requests = this.#stage.model.requests.map(({ messages }, index) => {
			const tail = messages.map((message) => `  ${line(message)}`);
			return [`request ${index + 1}`, ...tail].join('\n');
		});
		const ops = this.#stage.host.performed.map(({ op, params }) => `${op} ${line(withoutBeginning(op, params))}`);
		const askedAhead = this.#stage.host.askedAhead.flatMap((list, index) => [`list ${index + 1}`, ...list]);
		const stored = this.store.messages(threadId).map(({ body }) => line(JSON.parse(body)));
		const [turn] = this.store.turns(threadId).slice(-1);
		const trace = (JSON.parse(turn?.trace ?? '[]') as { stage: string; outcome: string }[])
			.filter(({ stage }) => !(TRACED_STEPS as readonly string[]).includes(stage))
			.map(({ stage, outcome }) => `${stage} ${outcome}`);
		const sections = {
			'The model was asked': requests,
			...(askedAhead.length === 0 ? {} : { 'The host asked ahead': askedAhead }),
			'The host performed': ops,
			'The thread heard': merged(this.events).map((event) => line(event)),
			'The history holds': stored,
			'The stages': trace,
		};
		const whole = Object.entries(sections).map(([title, lines]) => `# ${title}\n${lines.join('\n')}\n`);
		return stable(whole.join('\n'));
	}
}

/** Where one delta ends and the next begins is a matter of time. */
function merged(events: readonly ThreadEvent[]): ThreadEvent[] {
	const result: ThreadEvent[] = [];
	for (const event of events) {
		const last = result.at(-1);
		if (event.type === 'item.delta' && last?.type === 'item.delta' && last.itemId === event.itemId) {
			result[result.length - 1] = { ...last, text: last.text + event.text };
		} else {
			result.push(event);
		}
	}
	return result;
}

export function line(value: unknown): string {
	return JSON.stringify(value, (_key, each: unknown) =>
		typeof each === 'string' && each.length > 300 ? `${each.slice(0, 60)}<${each.length} characters>${each.slice(-40)}` : each,
	);
}

/** Ids by the order in which they appear; times and durations without their value. */
export function stable(text: string): string {
	const names = new Map<string, string>();
	const counts = new Map<string, number>();
	return text
		.replaceAll(/\b(thr|trn|itm|op|sub|img)_[0-9a-f]{8}-[0-9a-f-]{27}/g, (id, prefix: string) => {
			const known = names.get(id);
			if (known !== undefined) {
				return known;
			}
			counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
			const name = `${prefix}_${counts.get(prefix)}`;
			names.set(id, name);
			return name;
		})
		.replaceAll(/("readOn":\{"id":"|result_read with id )[0-9a-f]{8}\b/g, '$1<result>')
		.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
		// Shares of texts that name folders of this machine.
		.replaceAll(/"contextParts":\{[^}]*\},?/g, '')
		.replaceAll(/"durationMs":[\d.]+/g, '"durationMs":"<ms>"')
		// Said only of waits that are long enough, so it depends on the machine.
		.replaceAll(/"waitedMs":[\d.]+,/g, '');
}

/** The list that a thread begins with is asked for by the user's own words, which stand above. */
function withoutBeginning(op: string, params: unknown): unknown {
	if (op !== 'capability.list') return params;
	const { best: _best, ...rest } = params as { readonly best?: unknown };
	return rest;
}
