/** The server's composition root: who creates what, top to bottom. Everything is made when the host says `server/start`. */
import { join } from 'node:path';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { watchForStandstill } from '../base/time/standstill.ts';
import { offerRequests } from '../protocol/offer/capability-offer.ts';
import { ProwessError } from '../protocol/errors/errors.ts';
import { credentialRequests, embeddingRequests, modelRequests } from '../protocol/turn/models.ts';
import type { Peer, RequestHandlers } from '../protocol/rpc/peer.ts';
import { hostNotifications, PROTOCOL_VERSION, serverNotifications, serverRequests } from '../protocol/server.ts';
import { subTurnNotifications, subTurnRequests } from '../protocol/turn/sub-turn.ts';
import { threadNotifications, threadRequests } from '../protocol/thread/thread-requests.ts';
import { traceRequests } from '../protocol/thread/turn-trace.ts';
import { openMigratedDatabase } from '../store/open-database.ts';
import { ImageStore } from '../store/threads/image-store.ts';
import { LimitStore } from '../store/threads/limit-store.ts';
import { processLeaseHolder } from '../store/threads/process-lease-holder.ts';
import { threadMigrations } from '../store/threads/thread-migrations.ts';
import { ThreadStore } from '../store/threads/thread-store.ts';
import { WindowStore } from '../store/threads/window-store.ts';
import { checkServerHealth } from './doctor.ts';
import { MessageBudgets } from './history/budget.ts';
import { LearnedLimits } from './history/learned-limits.ts';
import { PeerBroker } from './host/host-broker.ts';
import { createOverruleDesk } from './host/overrule-desk.ts';
import { hostLog, type Log } from './host/log.ts';
import { meteredEmbeddings } from './models/embeddings.ts';
import { Calibrations } from './models/windows/calibrations.ts';
import { createModelCatalog, type ModelCatalog } from './models/windows/catalog.ts';
import { guessContextWindow } from './models/windows/context-window.ts';
import { Breakers } from './models/failover/breakers.ts';
import { createEditorModels } from './models/editor-model.ts';
import { beginMetered } from './models/metered.ts';
import type { GetKey } from './models/provider-model.ts';
import { Refusals } from './models/streams/refusals.ts';
import { Windows } from './models/windows/windows.ts';
import { explainOffer } from './prompt/explain-offer.ts';
import { subTurns } from './sub-turn/sub-turns.ts';
import { createImageReader } from './threads/thread-images.ts';
import { callStore } from './threads/store-failure.ts';
import { createTraces } from './threads/traces.ts';
import { PipelineBuilder } from './threads/pipeline-builder.ts';
import type { Threads } from './threads/threads.ts';
import { GOING_AWAY } from './pipeline/run-turn.ts';

/** Raised with each release. */
const SERVER_VERSION = '0.1.0';

type StartParams = Parameters<RequestHandlers<typeof serverRequests>['start']>[0];

interface ComposedServer extends Disposable {
	/** Ends what runs, in order; what streams is stored. Idempotent. */
	close(): Promise<void>;
}

interface RunningServer extends Disposable {
	readonly threads: Threads;
	readonly traces: RequestHandlers<typeof traceRequests>;
	readonly models: ModelCatalog;
	readonly breakers: Breakers;
	readonly embed: RequestHandlers<typeof embeddingRequests>['embed'];
	readonly subTurns: RequestHandlers<typeof subTurnRequests>;
	readonly doctor: () => ReturnType<typeof checkServerHealth>;
	readonly change: (change: Partial<Pick<StartParams, 'settings' | 'workspace'>>) => void;
}

export function composeServer(host: Peer): ComposedServer {
	const owned = new DisposableStore();
	const log = hostLog(host);
	owned.add(watchForStandstill((forMs) => log.warn('the server stood still', { forMs })));
	let starting: Promise<RunningServer> | undefined;

	const requireRunning = async (): Promise<RunningServer> => {
		if (starting === undefined) {
			throw new ProwessError('INVALID_STATE', 'server/start has not been called');
		}
		return starting;
	};

	owned.add(
		host.serve(serverRequests, {
			start: async (params) => {
				if (params.protocolVersion !== PROTOCOL_VERSION) {
					throw new ProwessError(
						'VERSION_MISMATCH',
						`the host speaks protocol ${params.protocolVersion}, this server ${PROTOCOL_VERSION}`,
						{ host: params.protocolVersion, server: PROTOCOL_VERSION },
					);
				}
				if (starting !== undefined) {
					throw new ProwessError('INVALID_STATE', 'server/start was called twice');
				}
				const attempt = startServer(host, params, log);
				starting = attempt;
				try {
					owned.add(await attempt);
				} catch (error) {
					starting = undefined;
					throw error;
				}
				return { protocolVersion: PROTOCOL_VERSION, version: SERVER_VERSION, pid: process.pid };
			},
			doctor: async () => ({ checks: (await requireRunning()).doctor() }),
		}),
	);
	owned.add(
		host.serve(
			threadRequests,
			afterStart(async () => (await requireRunning()).threads.handlers),
		),
	);
	owned.add(
		host.serve(traceRequests, {
			list: async (params, signal) => (await requireRunning()).traces.list(params, signal),
			show: async (params, signal) => (await requireRunning()).traces.show(params, signal),
		}),
	);
	owned.add(
		host.serve(offerRequests, {
			explain: async (params, signal) => {
				const { models, selected } = await (await requireRunning()).models.list(signal);
				const window = models.find(({ id }) => id === selected)?.contextWindow;
				return explainOffer(params, window ?? guessContextWindow(selected ?? ''));
			},
		}),
	);
	owned.add(
		host.serve(subTurnRequests, {
			complete: async (params, signal) => (await requireRunning()).subTurns.complete(params, signal),
			run: async (params, signal) => (await requireRunning()).subTurns.run(params, signal),
			form: async (params, signal) => (await requireRunning()).subTurns.form(params, signal),
			read: async (params, signal) => (await requireRunning()).subTurns.read(params, signal),
		}),
	);
	owned.add(
		host.serve(embeddingRequests, { embed: async (asked, signal) => (await requireRunning()).embed(asked, signal) }),
	);
	owned.add(
		host.serve(modelRequests, {
			list: async (_params, signal) => (await requireRunning()).models.list(signal),
			check: async ({ provider, key }, signal) => ({
				models: [...(await (await requireRunning()).models.check(provider, key, signal))],
			}),
			askAgain: async ({ provider }) => {
				const { breakers } = await requireRunning();
				const paused = breakers.open().map((each) => each.provider);
				breakers.answered(provider);
				return { paused };
			},
			tryTool: async ({ provider, key, model }, signal) => ({
				calls: await (await requireRunning()).models.tryTool(provider, key, model, signal),
			}),
			discover: async (_params, signal) => {
				const { models } = await requireRunning();
				const found = await models.discover(signal);
				return { looked: [...models.localPlaces], found: found.map((one) => ({ ...one, models: [...one.models] })) };
			},
		}),
	);
	const whenRunning = (work: (server: RunningServer) => void) => {
		starting
			?.then(work)
			.catch((error: unknown) => log.error('a notification could not be followed', { error: String(error) }));
	};
	owned.add(
		host.on(hostNotifications, {
			settings: ({ settings }) => whenRunning((server) => server.change({ settings })),
			workspace: (workspace) => whenRunning((server) => server.change({ workspace })),
			models: () =>
				whenRunning(({ models }) => {
					models.refresh();
					host.notify(serverNotifications.modelsChanged, {});
				}),
		}),
	);
	return {
		dispose: () => owned.dispose(),
		close: async () => owned.dispose(),
	};
}

async function startServer(host: Peer, params: StartParams, log: Log): Promise<RunningServer> {
	let { settings, workspace } = params;
	const owned = new DisposableStore();
	const { db, putAside } = callStore(() => openMigratedDatabase(join(params.home, 'threads.db'), threadMigrations));
	owned.add(db);
	if (putAside !== undefined) {
		log.error('the file of threads was damaged; it was put aside and a new one begun', { putAside });
	}
	const broker = owned.add(new PeerBroker(host));
	const images = new ImageStore(db);
	callStore(() => images.forgetUnused());
	const imageData = createImageReader(images);
	const breakers = new Breakers(
		() => host.notify(serverNotifications.modelsChanged, {}),
		() => settings['prowess.models.pause'],
	);
	const refusals = new Refusals();
	const editorModels = owned.add(createEditorModels(host, imageData, refusals));
	const windows = new Windows({ kept: new WindowStore(db), log: log.warn });
	const calibrations = new Calibrations();
	const getKey: GetKey = async (providerId, signal) =>
		(await host.call(credentialRequests.get, { providerId }, signal)).key;
	const own = createModelCatalog({
		calibrations,
		breakers,
		refusals,
		imageData,
		windows,
		settings: () => settings,
		getKey,
		lm: editorModels,
		log: log.warn,
	});
	const { tape } = params;
	const catalog =
		tape === undefined ? own : (await import('./models/taped-models.ts')).tapeModels(tape, own, { host, breakers });
	const models: ModelCatalog = {
		...catalog,
		async line(wanted, signal) {
			// Before anything of the turn is read or sent.
			const { meter, access, skillTools } = await beginMetered(host, wanted, signal);
			const resolved = await catalog.line(wanted, signal);
			const said = { ...(access === undefined ? {} : { access }), ...(skillTools === undefined ? {} : { skillTools }) };
			return { ...resolved, models: resolved.models.with(meter), ...said };
		},
	};
	const learned = new LearnedLimits({ kept: new LimitStore(db), log: log.warn });
	const budgets = new MessageBudgets(learned, calibrations);
	const closing = new AbortController();
	const store = new ThreadStore(db, processLeaseHolder(params.host));
	const threads = new PipelineBuilder()
		.with('session_store', store)
		.with('security', broker)
		.with('conversation_store', images)
		.with('provider_registry', models)
		.with('token_budgets', budgets)
		.with('settings', () => settings)
		.with('workspace', () => workspace)
		.with('closing', closing.signal)
		.with('log', log)
		.build({ hasEditor: params.host === 'editor', overrules: createOverruleDesk(host) }, (update) =>
			host.notify(threadNotifications.update, update),
		);
	await threads.recover();
	return {
		threads,
		traces: createTraces(store),
		models,
		embed: (asked, signal) => meteredEmbeddings(asked, { host, settings, getKey }, signal),
		breakers,
		subTurns: subTurns({
			closing: closing.signal,
			budgets,
			models,
			modelOf: (threadId) => callStore(() => store.thread(threadId))?.model_id ?? null,
			hostOf: (subTurnId) => broker.ofSubTurn(subTurnId),
			spent: (...spent) => void threads.spent(...spent),
			beginStep: (threadId, ...step) => threads.beginStep(threadId, ...step),
			tell: (progress) => host.notify(subTurnNotifications.progress, progress),
			settings: () => settings,
			workspace: () => workspace,
			hasEditor: params.host === 'editor',
		}),
		doctor: () =>
			checkServerHealth(db, {
				putAside,
				workspace,
				settings,
				passedOver: breakers.open(),
				refused: refusals.list(),
				windows: models.windows(),
				learned: learned.list(),
			}),
		change(change) {
			settings = change.settings ?? settings;
			workspace = change.workspace ?? workspace;
			if (change.settings !== undefined) {
				models.refresh();
				host.notify(serverNotifications.modelsChanged, {});
			}
		},
		dispose() {
			threads.abandon();
			closing.abort(GOING_AWAY);
			owned.dispose();
		},
	};
}

/** The same handlers, each waiting for the start. */
function afterStart(
	handlers: () => Promise<RequestHandlers<typeof threadRequests>>,
): RequestHandlers<typeof threadRequests> {
	const waiting = Object.keys(threadRequests).map((name) => [
		name,
		async (params: never, signal: AbortSignal) =>
			(await handlers())[name as keyof typeof threadRequests](params, signal),
	]);
	return Object.fromEntries(waiting) as RequestHandlers<typeof threadRequests>;
}
