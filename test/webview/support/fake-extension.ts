/** The extension's end of the conversation, whole: serves every request of the protocol from plain data that a spec can change. */
import { agentRequests } from '../../../src/protocol/agents/agent-view.ts';
import { type LastRestore, type RestoreFile, restoreRequests } from '../../../src/protocol/thread/restores.ts';
import {
	type Desk,
	deskNotifications,
	deskRequests,
	isOfferedForAll,
} from '../../../src/protocol/approvals/approvals.ts';
import { changeNotifications, changeRequests, type FileChange } from '../../../src/protocol/approvals/changes.ts';
import {
	chatNotifications,
	type ServerState,
	viewNotifications,
	type SuggestedTask,
	viewRequests,
	type ViewSettings,
	type WorkspaceState,
} from '../../../src/protocol/pages/chat-view.ts';
import {
	formNotifications,
	type PageAddress,
	type PageContent,
	pageNotifications,
	pageRequests,
} from '../../../src/protocol/pages/capability-page.ts';
import { type TypedInput, mergeTypedInput } from '../../../src/protocol/pages/typed-input.ts';
import type { ActiveFile, ContextRef } from '../../../src/protocol/thread/context.ts';
import { ProwessError } from '../../../src/protocol/errors/errors.ts';
import { newId, type ThreadId, type TurnId } from '../../../src/protocol/rpc/ids.ts';
import { checkedImage, type ImageRef } from '../../../src/protocol/ops/images.ts';
import { capabilitiesRequests } from '../../../src/protocol/pages/capabilities-view.ts';
import { ledgerPageRequests } from '../../../src/protocol/pages/ledger-page.ts';
import { tracePageRequests } from '../../../src/protocol/pages/trace-page.ts';
import { type ModelInfo, modelNotifications, modelRequests } from '../../../src/protocol/turn/models.ts';
import type { LevelInForce } from '../../../src/protocol/ops/permission-level.ts';
import { Peer } from '../../../src/protocol/rpc/peer.ts';
import { postMessageWire, type PostMessageEnd } from '../../../src/protocol/rpc/post-message-wire.ts';
import { text } from '../../../src/protocol/text/text.ts';
import type { ThreadInfo } from '../../../src/protocol/thread/thread.ts';
import {
	type FoundSecrets,
	type SecretsWish,
	threadNotifications,
	type OverruleHow,
	threadRequests,
} from '../../../src/protocol/thread/thread-requests.ts';
import { FakeCapabilities } from './fake-capabilities.ts';
import { FakeLedger, INTACT } from './fake-ledger.ts';
import { FakeTraces } from './fake-traces.ts';
import { levelNotifications, levelRequests } from '../../../src/protocol/thread/thread-level.ts';
import { AT, FakeThread } from './fake-thread.ts';

interface PickedForForm {
	value: string | null;
	choices: string[];
}

interface Call {
	readonly method: string;
	readonly params: unknown;
}

interface ShownPage {
	readonly address: PageAddress;
	readonly content: PageContent | null;
}

export class FakeExtension {
	readonly peer: Peer;
	readonly calls: Call[] = [];
	readonly threads = new Map<ThreadId, FakeThread>();
	/** Bytes of pictures in base64, by id. */
	readonly images = new Map<string, string>();
	/** Judgements that the user has overruled. */
	readonly overruled: { readonly turnId: TurnId; readonly how: OverruleHow }[] = [];
	/** Folders that the page wants MCP servers to be let change. */
	readonly letWrite: [server: string, path: string][] = [];
	threadId: ThreadId | null = null;
	server: ServerState = { kind: 'running' };
	workspace: WorkspaceState = { trusted: true, folders: ['/srv/sample'], isSample: false };
	settings: ViewSettings = { sendWith: 'enter', tellsActiveFile: true };
	activeFile: ActiveFile | null = null;
	level: LevelInForce = { level: 'ask', widest: 'full', why: null };
	strings: Record<string, string> = {};
	/** Drafts and queues that a page kept. */
	typed: TypedInput = { drafts: {}, queues: {} };
	/** `view/start` waits for it. */
	beforeStart: Promise<void> | undefined;
	desk: Desk = { approvals: [], questions: [] };
	changes: FileChange[] = [];
	undone: FileChange[] = [];
	/** Files that a way back would change. */
	restorable: RestoreFile[] = [];
	/** Message that leaves the conversation on a way back. */
	saidBefore: { text: string; context: [] } | null = null;
	lastRestore: LastRestore | null = null;
	/** Content of a page about capabilities. */
	shown: ShownPage = { address: { kind: 'overrides', of: '', title: 'Page' }, content: null };
	readonly capabilitiesView = new FakeCapabilities();
	readonly ledger = new FakeLedger();
	/** A picture is stored, and files are found, after it. */
	storing: Promise<void> = Promise.resolve();
	/** Problems with the text typed into the form of a page, by the names of its fields. */
	formProblems: Readonly<Record<string, string>> = {};
	/** A form is answered after it. */
	beforeSubmitted: Promise<void> | undefined;
	/** Value that the user picks for a field of a form, and the choices. */
	pickedForForm: PickedForForm | Promise<PickedForForm> = { value: null, choices: [] };
	/** Text typed into forms, in the order it came. */
	readonly keptForms: unknown[] = [];
	readonly traces = new FakeTraces();
	/** Number of ops that are reported as recorded; undefined: all that are asked about. */
	recorded: number | undefined;
	isLedgerIntact = true;
	/** Providers that are passed over. */
	resting: { provider: string; seconds: number }[] = [];
	models: ModelInfo[] = [
		{ id: 'tour/tour', name: 'Tour', provider: 'tour', source: 'scripted' },
		{ id: 'anthropic/sonnet', name: 'Sonnet', provider: 'anthropic', source: 'provider', contextWindow: 200_000 },
	];
	/** The list of models waits for it. */
	beforeModels: Promise<void> | undefined;
	/** Use of each turn. */
	turnUse: { tookMs: number | null; tokens: number; cost: number | null } = { tookMs: null, tokens: 0, cost: null };
	/** Suggestions wait for it. */
	untilSuggested: Promise<void> | undefined;
	/** A question beside the thread is answered after it. */
	untilAnswered: Promise<void> | undefined;
	/** Code of an answer is shown as a change in the editor. */
	hasPlace = false;
	tasks: SuggestedTask[] = [{ icon: 'map', text: 'Explain how this project is structured' }];
	/** Files that the user picks. */
	picked: ContextRef[] = [];
	capabilities: { type: string; name: string; description: string; source: string; hint?: string }[] = [];
	suggestions: { ref: ContextRef; label: string; detail: string; isOff?: true }[] = [];
	/** A `thread/prompt` begins its turn at once, and says so after it. */
	untilTaken: Promise<void> | undefined;
	/** Error with which each `thread/prompt`, `thread/steer` and question beside the turn fails. */
	promptFailure: ProwessError | undefined;
	/** In every message: it is taken only once the user has said what becomes of them. */
	secrets: FoundSecrets | undefined;
	/** Runs before `thread/open` answers. */
	beforeOpen: (() => Promise<void> | void) | undefined;
	/** While it is set, an answer waits for it, as for a dialog of the editor that is cancelled then. */
	untilCancelled: Promise<void> | undefined;
	readonly #waiting: { matches: (call: Call) => boolean; resolve: (call: Call) => void }[] = [];

	constructor(end: PostMessageEnd) {
		this.peer = new Peer(
			postMessageWire({
				...end,
				listen: (receive) =>
					end.listen((frame) => {
						this.#note(frame);
						receive(frame);
					}),
			}),
		);
		this.#serveThreads();
		this.#serveDesk();
		this.#serveRestores();
		this.#serveView();
	}

	addThread(info: Partial<ThreadInfo> = {}): FakeThread {
		const thread = new FakeThread((update) => this.peer.notify(threadNotifications.update, update), info);
		this.threads.set(thread.id, thread);
		return thread;
	}

	/** The first call of a method from now on, or one already made after `from`. */
	called(method: string, from = this.calls.length): Promise<Call> {
		const made = this.calls.slice(from).find((call) => call.method === method);
		return made === undefined
			? new Promise((resolve) => this.#waiting.push({ matches: (call) => call.method === method, resolve }))
			: Promise.resolve(made);
	}

	setDesk(desk: Partial<Desk>): void {
		this.desk = { ...this.desk, ...desk };
		this.peer.notify(deskNotifications.changed, this.desk);
	}

	setModels(models: readonly ModelInfo[]): void {
		this.models = [...models];
		this.peer.notify(modelNotifications.changed, {});
	}

	setLevel(level: LevelInForce): void {
		this.level = level;
		this.peer.notify(levelNotifications.changed, { threadId: this.threadId, inForce: level });
	}

	setChanges(threadId: ThreadId, changes: FileChange[]): void {
		this.changes = changes;
		this.peer.notify(changeNotifications.changed, { threadId, changes, undone: [] });
	}

	setPage(content: PageContent): void {
		this.shown = { ...this.shown, content };
		this.peer.notify(pageNotifications.changed, this.shown);
	}

	setServer(server: ServerState): void {
		this.server = server;
		this.peer.notify(viewNotifications.server, server);
	}

	setWorkspace(workspace: WorkspaceState): void {
		this.workspace = workspace;
		this.peer.notify(viewNotifications.workspace, workspace);
	}

	#note(frame: unknown): void {
		if (typeof frame === 'object' && frame !== null && 'kind' in frame && frame.kind === 'request') {
			const { method, params } = frame as unknown as Call;
			const call = { method, params };
			this.calls.push(call);
			for (const waiter of this.#waiting.filter(({ matches }) => matches(call))) {
				this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
				waiter.resolve(call);
			}
		}
	}

	#refuseSecrets(wish: SecretsWish = 'ask'): void {
		if (this.secrets !== undefined && wish === 'ask') {
			throw new ProwessError('SECRETS_IN_MESSAGE', 'the message contains secrets', this.secrets);
		}
	}

	#thread(id: ThreadId): FakeThread {
		const thread = this.threads.get(id);
		if (thread === undefined) {
			throw new ProwessError('THREAD_NOT_FOUND', `there is no thread ${id}`);
		}
		return thread;
	}

	/** Stores a picture as the server does, and returns its reference. */
	attach(data: string, name: string | undefined): ImageRef {
		const bytes = Buffer.from(data, 'base64');
		const id = newId('img');
		const ref = { id, ...checkedImage(bytes, name ?? 'The picture'), bytes: bytes.length };
		this.images.set(id, data);
		return { ...ref, ...(name === undefined ? {} : { name }) };
	}

	#serveThreads(): void {
		this.peer.serve(threadRequests, {
			create: async ({ modelId, mode }) => this.addThread({ modelId, mode, title: '' }).snapshot.info,
			list: async ({ query }) => ({
				threads: [...this.threads.values()]
					.map(({ snapshot }) => snapshot.info)
					.filter(({ title }) => query === undefined || title.toLowerCase().includes(query.toLowerCase())),
			}),
			titles: async ({ threadIds }) => ({
				threads: [...this.threads.values()]
					.map(({ snapshot: { info } }) => ({ id: info.id, title: info.title }))
					.filter(({ id }) => threadIds.includes(id)),
			}),
			open: async ({ threadId, items }) => {
				await this.beforeOpen?.();
				return this.#thread(threadId).open(items);
			},
			earlier: async ({ threadId, before, limit }) => this.#thread(threadId).earlier(before, limit),
			messages: async ({ threadId }) => {
				const { items } = this.#thread(threadId).snapshot;
				const begun = items.filter((item) => item.kind === 'user').filter(({ isSteering }) => isSteering !== true);
				return { messages: begun, next: null };
			},
			prompt: async ({ threadId, text, secrets, messageId }) => {
				this.#refuseSecrets(secrets);
				if (this.promptFailure !== undefined) {
					throw this.promptFailure;
				}
				const turnId = this.#thread(threadId).begin(text, messageId);
				await this.untilTaken;
				return { turnId };
			},
			tell: () => Promise.reject(new Error('the page tells agents nothing')),
			steer: async ({ threadId, text, secrets, messageId }) => {
				this.#refuseSecrets(secrets);
				if (this.promptFailure !== undefined) {
					throw this.promptFailure;
				}
				return { turnId: this.#thread(threadId).steer(text, messageId) };
			},
			rerun: async ({ threadId, turnId, text, secrets }) => {
				this.#refuseSecrets(secrets);
				const thread = this.#thread(threadId);
				thread.emit({ type: 'thread.cut', turnIds: [turnId] });
				return { turnId: thread.begin(text ?? 'again') };
			},
			restore: async ({ threadId }) => {
				const thread = this.#thread(threadId);
				const { setAside: _, ...info } = thread.snapshot.info;
				thread.emit({ type: 'thread.changed', info });
				return {};
			},
			rewind: async () => ({ turnIds: [] }),
			said: async () => ({ text: '', context: [] }),
			fork: async ({ threadId }) => ({ thread: this.#thread(threadId).snapshot.info, said: null }),
			attach: async ({ data, name }) => {
				await this.storing;
				return this.attach(data, name);
			},
			image: async ({ id }) => ({ data: this.images.get(id) ?? null }),
			useNext: async () => ({}),
			overrule: async ({ turnId, how }) => {
				this.overruled.push({ turnId, how });
				return {};
			},
			stop: async ({ threadId }) => {
				const thread = this.#thread(threadId);
				if (thread.snapshot.turnId !== null) {
					thread.emit({ type: 'turn.end', turnId: thread.snapshot.turnId, outcome: 'stopped', durationMs: 10 });
				}
				return {};
			},
			takeOver: async ({ threadId }) => {
				this.#thread(threadId).release();
				return {};
			},
			update: async ({ threadId, title, modelId, mode, effort, shelf }) => {
				const thread = this.#thread(threadId);
				const { shelf: before, ...unshelved } = thread.snapshot.info;
				const put = shelf === undefined ? before : (shelf ?? undefined);
				const info = {
					...unshelved,
					...(put === undefined ? {} : { shelf: put }),
					...(title === undefined ? {} : { title }),
					...(modelId === undefined ? {} : { modelId }),
					...(mode === undefined ? {} : { mode }),
					...(typeof effort === 'string' ? { effort } : {}),
				};
				thread.emit({ type: 'thread.changed', info });
				return info;
			},
			unused: async () => ({ threadIds: [] }),
			delete: async ({ threadId }) => {
				const thread = this.#thread(threadId);
				this.threads.delete(threadId);
				thread.emit({ type: 'thread.deleted' });
				return {};
			},
			words: async () => ({ text: '' }),
			output: async () => ({ text: null }),
			export: async () => ({ fileName: 'thread.md', text: '' }),
		});
	}

	/** Approvals whose command is to be tried first. */
	readonly tried: string[] = [];

	#undone(): string[] {
		return this.undone.map(({ path }) => path);
	}

	#serveDesk(): void {
		this.peer.serve(deskRequests, {
			list: async () => this.desk,
			approve: async ({ id }) => {
				if (this.untilCancelled !== undefined) {
					await this.untilCancelled;
					return { taken: false };
				}
				const taken = this.desk.approvals.some((approval) => approval.id === id);
				this.setDesk({ approvals: this.desk.approvals.filter((approval) => approval.id !== id) });
				return { taken };
			},
			approveAll: async ({ ids, answer }) => {
				const taken = this.desk.approvals
					.filter(({ id }) => ids.includes(id))
					.filter((each) => isOfferedForAll(each, answer));
				this.setDesk({ approvals: this.desk.approvals.filter((approval) => !taken.includes(approval)) });
				return { taken: taken.map(({ id }) => id) };
			},
			tryFirst: async ({ id }) => {
				this.tried.push(id);
				return {};
			},
			showDiff: async () => ({}),
			reply: async ({ id }) => {
				const taken = this.desk.questions.some((question) => question.id === id);
				this.setDesk({ questions: this.desk.questions.filter((question) => question.id !== id) });
				return { taken };
			},
		});
		this.peer.serve(agentRequests, {
			list: async () => ({ agents: [] }),
			stop: async () => ({}),
			handOffs: async () => ({ handOffs: [] }),
			handOff: async () => ({}),
		});
		this.peer.serve(levelRequests, {
			of: async () => this.level,
			choose: async ({ level }) => {
				this.setLevel({ ...this.level, level });
				return this.level;
			},
		});
		const without = (paths: readonly string[] | undefined) =>
			paths === undefined ? [] : this.changes.filter(({ path }) => !paths.includes(path));
		this.peer.serve(changeRequests, {
			list: async () => ({ changes: this.changes, undone: this.#undone() }),
			show: async () => ({}),
			keep: async ({ paths }) => {
				this.changes = without(paths);
				return { changes: this.changes, undone: this.#undone(), skipped: [] };
			},
			undo: async ({ paths, force }) => {
				const asked = this.changes.filter(({ path }) => paths?.includes(path) ?? true);
				const skipped = asked.filter(({ touchedSince }) => touchedSince && !force).map(({ path }) => path);
				this.undone = asked.filter(({ path }) => !skipped.includes(path));
				this.changes = this.changes.filter((change) => !this.undone.includes(change));
				return { changes: this.changes, undone: this.#undone(), skipped };
			},
			redo: async () => {
				this.changes = [...this.changes, ...this.undone.splice(0)];
				return { changes: this.changes, undone: this.#undone(), skipped: [] };
			},
		});
	}

	#serveRestores(): void {
		const done = { restored: 1, left: [], said: null };
		this.peer.serve(restoreRequests, {
			preview: async () => ({ files: this.restorable }),
			begin: async ({ conversation, files }) => {
				this.lastRestore = { files: files ? this.restorable.length : 0, conversation, at: new Date().toISOString() };
				return { ...done, said: conversation ? this.saidBefore : null };
			},
			redo: async () => {
				this.lastRestore = null;
				return done;
			},
			last: async () => ({ last: this.lastRestore }),
		});
	}

	#serveView(): void {
		const done = async () => ({});
		this.peer.serve(modelRequests, {
			list: async () => {
				await this.beforeModels;
				return {
					models: this.models,
					selected: this.models[0]?.id ?? null,
					problems: [],
					resting: this.resting,
				};
			},
			askAgain: async ({ provider }) => {
				const paused = this.resting.map((each) => each.provider);
				this.resting = this.resting.filter((each) => each.provider !== provider);
				this.peer.notify(modelNotifications.changed, {});
				return { paused };
			},
			check: async () => ({ models: [] }),
			tryTool: async () => ({ calls: true }),
			discover: async () => ({ looked: [], found: [] }),
		});
		this.peer.on(chatNotifications, {
			keyboard: () => {},
			title: () => {},
			keep: (changed) => {
				this.typed = mergeTypedInput(this.typed, changed);
			},
		});
		this.peer.serve(viewRequests, {
			start: async () => {
				await this.beforeStart;
				return {
					threadId: this.threadId,
					server: this.server,
					workspace: this.workspace,
					settings: this.settings,
					activeFile: this.activeFile,
					strings: this.strings,
					typed: this.typed,
				};
			},
			show: async ({ threadId }) => {
				this.threadId = threadId;
				return {};
			},
			showAllowed: done,
			showWhy: done,
			command: done,
			complete: async ({ query }) => {
				await this.untilSuggested;
				const found = this.suggestions.filter(({ label }) => label.includes(query));
				return { items: found.slice(0, 50), isCut: found.length > 50 };
			},
			pickFiles: async () => {
				await this.storing;
				return { refs: this.picked };
			},
			capabilities: async () => ({ items: this.capabilities }),
			resolveDrop: async ({ uris }) => {
				await this.storing;
				return { refs: uris.map((uri) => ({ kind: 'file' as const, path: uri.split('/').at(-1) ?? uri })) };
			},
			tellActiveFile: async ({ tells }) => {
				this.settings = { ...this.settings, tellsActiveFile: tells };
				this.peer.notify(viewNotifications.settings, this.settings);
				return {};
			},
			openFile: done,
			openLink: done,
			copy: done,
			insertAtCursor: done,
			aside: async () => {
				await this.untilAnswered;
				if (this.promptFailure !== undefined) {
					throw this.promptFailure;
				}
				return { answer: 'Because of the **tax**.' };
			},
			applyCode: async () => ({ isShown: this.hasPlace }),
			stopCommand: done,
			stopRun: done,
			runAct: done,
			suggestTasks: async () => ({ tasks: this.tasks }),
			continueInBackground: done,
			showInTerminal: done,
			letServerWrite: async ({ server, path }) => {
				this.letWrite.push([server, path]);
				return {};
			},
			saveMedia: done,
			showOutput: done,
			showRecorded: done,
			showTrace: done,
			turnOnCodeIndex: () => {
				this.tasks = this.tasks.filter(({ turnsOnCodeIndex }) => turnsOnCodeIndex !== true);
				return done();
			},
			turnUse: async () => this.turnUse,
			verifyRecorded: async ({ opIds }) => ({ recorded: this.recorded ?? opIds.length, isIntact: this.isLedgerIntact }),
			exportThread: done,
		});
		this.peer.serve(capabilitiesRequests, {
			start: async () => ({ revealed: this.capabilitiesView.revealed, strings: this.strings }),
			read: async (asked) => this.capabilitiesView.read(asked),
			act: done,
		});
		this.peer.serve(ledgerPageRequests, {
			start: async () => ({ filter: this.ledger.filter, strings: this.strings }),
			rows: async ({ filter, before }) => this.ledger.read(filter, before),
			entries: async ({ id }) => ({ entries: this.ledger.entries.get(id) ?? [] }),
			verify: async () => this.ledger.verdict,
			export: done,
			acknowledge: async () => {
				this.ledger.verdict = INTACT;
				return { done: true };
			},
			openThread: done,
			copy: done,
		});
		this.peer.serve(tracePageRequests, {
			start: async () => ({ shown: this.traces.shown, strings: this.strings }),
			read: async (shown) => this.traces.read(shown),
			findRecording: async () => ({ isRecorded: this.traces.replayed !== undefined }),
			replay: async (_turn, signal) => await this.traces.replay(signal),
			recordNext: done,
			showRecorded: done,
			copyText: done,
			copy: done,
		});
		this.peer.on(formNotifications, { keep: (typed) => void this.keptForms.push(typed) });
		this.peer.serve(pageRequests, {
			start: async () => ({ ...this.shown, strings: this.strings }),
			act: done,
			submit: async () => {
				await this.beforeSubmitted;
				return { problems: this.formProblems };
			},
			pick: async () => this.pickedForForm,
			leave: done,
			openFile: done,
			openLink: done,
			copy: done,
		});
	}
}

/** Thread that most specs begin with, and to which what is asked belongs. */
export const HERE = newId('thr');

export function approval(given: Partial<Desk['approvals'][number]> = {}): Desk['approvals'][number] {
	return {
		id: newId('apr'),
		opId: newId('op'),
		threadId: HERE,
		op: 'shell.run',
		title: 'Run npm test',
		risk: 'RESTRICTED',
		act: 'runs',
		warning: null,
		reason: text('Running commands needs your approval.'),
		detail: { kind: 'command', argv: ['npm', 'test', '--', '--grep', 'adds two numbers'], cwd: '/srv/sample' },
		isOnceOffered: true,
		isPartOfAll: true,
		pattern: 'shell.run npm test',
		isProjectOffered: true,
		threadScope: text('this exact command'),
		askedAt: AT,
		expiresAt: '2026-11-20T13:00:00.000Z',
		...given,
	};
}
