/**
 * Models of a server whose turns are recorded or replayed. A recording tells the host what each model was asked and what
 * it said, part by part. A replay has its models from the host: no address, no key and no code of a vendor is in it, and
 * the clock of its process is that of the recording.
 */
import { toErrorMessage } from '../../base/text/message-of.ts';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { type TapedFault, tapeClock, tapeNotifications, tapeRequests } from '../../protocol/turn/tape.ts';
import type { Breakers } from './failover/breakers.ts';
import { ModelLine } from './failover/model-line.ts';
import type { ResolvedModels } from './failover/resolution.ts';
import type { ModelPart, ModelPort, ModelRequest } from './model-port.ts';
import type { ModelCatalog } from './windows/catalog.ts';

type Facts = Omit<ModelPort, 'stream' | 'prepare' | 'quotas'>;

/** `catalog`: the models of the settings. `breakers`: those of the server. */
export function tapeModels(
	how: 'record' | 'replay',
	catalog: ModelCatalog,
	{ host, breakers }: { readonly host: Peer; readonly breakers: Breakers },
): ModelCatalog {
	if (how === 'record') return recordModels(catalog, host);
	host.on(tapeClock, { clock: ({ at }) => pinClock(at) });
	return replayModels(catalog, host, breakers);
}

function recordModels(catalog: ModelCatalog, host: Peer): ModelCatalog {
	let answers = 0;
	const tapeModel = (model: ModelPort): ModelPort => ({
		...keepLive(model),
		stream(request, signal) {
			answers += 1;
			return recordAnswer(host, answers, model, request, signal);
		},
	});
	return {
		...catalog,
		async line(wanted, signal) {
			const asked = { wanted };
			const resolved = await catalog.line(wanted, signal).catch((error: unknown) => {
				signal.throwIfAborted();
				host.notify(tapeNotifications.line, { asked, result: { fault: toFault(error) } });
				throw error;
			});
			const { models, steps, passedOver } = resolved;
			const next = models.following.map(({ id, baseUrl }) => ({ id, ...(baseUrl !== undefined && { baseUrl }) }));
			const line = { current: readFacts(models.current), next, steps: [...steps] };
			host.notify(tapeNotifications.line, {
				asked,
				result: { line: { ...line, ...(passedOver !== undefined && { passedOver }) } },
			});
			const following = models.following.map((candidate) => ({
				...candidate,
				open: async (until: AbortSignal) => {
					const opened = { id: candidate.id };
					const model = await candidate.open(until).catch((error: unknown) => {
						until.throwIfAborted();
						host.notify(tapeNotifications.opened, { asked: opened, result: { fault: toFault(error) } });
						throw error;
					});
					host.notify(tapeNotifications.opened, { asked: opened, result: { model: readFacts(model) } });
					return tapeModel(model);
				},
			}));
			return {
				...resolved,
				models: new ModelLine(tapeModel(models.current), following, models.breakers, models.retrySpread),
			};
		},
		async list(signal) {
			const list = await catalog.list(signal);
			host.notify(tapeNotifications.listed, { asked: {}, result: { list } });
			return list;
		},
	};
}

/** The parts of an answer, each told before it is handed on. */
async function* recordAnswer(
	host: Peer,
	answer: number,
	model: ModelPort,
	request: ModelRequest,
	signal: AbortSignal,
): AsyncGenerator<ModelPart> {
	host.notify(tapeNotifications.asked, { asked: { model: model.id, request }, result: { answer } });
	try {
		for await (const part of model.stream(request, signal)) {
			host.notify(tapeNotifications.heard, { answer, heard: { part } });
			yield part;
		}
	} catch (error) {
		if (!signal.aborted) host.notify(tapeNotifications.heard, { answer, heard: { fault: toFault(error) } });
		throw error;
	}
	host.notify(tapeNotifications.heard, { answer, heard: { ended: readFacts(model) } });
}

function replayModels(catalog: ModelCatalog, host: Peer, breakers: Breakers): ModelCatalog {
	return {
		...catalog,
		async line(wanted, signal) {
			const result = await host.call(tapeRequests.line, { wanted }, signal);
			if ('fault' in result) throw fromFault(result.fault);
			const { current, next, steps, passedOver } = result.line;
			const candidates = next.map(({ id, baseUrl }) => ({
				id,
				baseUrl,
				async open(until: AbortSignal) {
					const opened = await host.call(tapeRequests.opened, { id }, until);
					if ('fault' in opened) throw fromFault(opened.fault);
					return replayModel(host, opened.model as unknown as Facts);
				},
			}));
			return {
				models: new ModelLine(replayModel(host, current as unknown as Facts), candidates, breakers),
				steps,
				...(passedOver !== undefined && {
					passedOver: passedOver as NonNullable<ResolvedModels['passedOver']>,
				}),
			};
		},
		async list(signal) {
			return (await host.call(tapeRequests.listed, {}, signal)).list as Awaited<ReturnType<ModelCatalog['list']>>;
		},
		resolve: () => refuseInReplay('resolve'),
		check: () => refuseInReplay('check'),
		tryTool: () => refuseInReplay('tryTool'),
		discover: () => refuseInReplay('discover'),
	};
}

function replayModel(host: Peer, recorded: Facts): ModelPort {
	const model = { ...recorded };
	return Object.assign(model, {
		async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
			const { answer } = await host.call(tapeRequests.asked, { model: model.id, request }, signal);
			for (;;) {
				const heard = await host.call(tapeRequests.heard, { answer }, signal);
				if ('fault' in heard) throw fromFault(heard.fault);
				if ('ended' in heard) {
					Object.assign(model, heard.ended);
					return;
				}
				yield heard.part as ModelPart;
			}
		},
	});
}

function refuseInReplay(what: string): never {
	throw new ProwessError('INVALID_STATE', `a replay asks no endpoint: ${what}`, {
		said: text('A replay asks no endpoint.'),
	});
}

/** Facts of a model may change while it answers, so they are read anew each time. */
function keepLive(model: ModelPort): ModelPort {
	return {
		...model,
		get takesImages() {
			return model.takesImages;
		},
		get contextWindow() {
			return model.contextWindow;
		},
	};
}

function readFacts({
	stream: _stream,
	prepare: _prepare,
	quotas: _quotas,
	...facts
}: ModelPort): Record<string, unknown> {
	return facts;
}

function toFault(error: unknown): TapedFault {
	return isProwessError(error)
		? { code: error.code, message: error.message, facts: { ...error.facts } }
		: { code: 'INTERNAL', message: toErrorMessage(error), facts: {} };
}

/** Makes the error that was recorded; its code was one of ours. */
function fromFault({ code, message, facts }: TapedFault): ProwessError {
	return new ProwessError(code as ProwessError['code'], message, facts);
}

/** The time of the process that stands still between two messages of the host; undefined: it goes on as everywhere. */
let pinnedAt: number | undefined;

/** Only for a process of its own: all that reads the time in it is told that one. Limits count monotonic time and go on. */
function pinClock(at: number): void {
	const isFirst = pinnedAt === undefined;
	pinnedAt = at;
	if (!isFirst) return;
	const SystemDate = Date;
	const readPinned = () => pinnedAt ?? 0;
	globalThis.Date = class extends SystemDate {
		constructor(...given: readonly [] | ConstructorParameters<DateConstructor>) {
			super(...((given.length === 0 ? [readPinned()] : given) as ConstructorParameters<DateConstructor>));
		}

		static override now = readPinned;
	} as DateConstructor;
}
