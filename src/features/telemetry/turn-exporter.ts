/** Sends how turns went to the user's collector. Loaded with the first turn of a host whose user has named one. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TracedItem, TurnTrace } from '../../protocol/thread/turn-trace.ts';
import type { HostPorts } from '../../contract/ports/ports.ts';
import { resolveAddresses, systemResolve } from '../../machine/http/resolve-host.ts';
import { sendHttpRequest } from '../../machine/http/send.ts';
import { parseTargetUrl } from '../../machine/http/target-url.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import { retryAfterMs } from '../../base/time/retry-after.ts';
import { newId, type OpId, type TurnId } from '../../protocol/rpc/ids.ts';
import { inEnglish, text } from '../../protocol/text/text.ts';
import type { Redactor } from '../../trust/record/redaction/redactor.ts';
import { resolveCollector, type CollectorAddress, type TelemetrySetting } from './collector-address.ts';
import { type CollectorAnswer, ExportQueue, type Waiting } from './export-queue.ts';
import { telemetryLimits } from './limits.ts';
import { encodeMetrics, encodeSpans, type Metric, type Reporter, type Span } from './otlp.ts';
import { TurnContexts } from './trace-context.ts';
import { toCallMetrics, toTurnMetrics } from './turn-metrics.ts';
import { type SpanSource, toCallSpan, toTurnSpans } from './turn-spans.ts';

export interface ExporterDeps {
	readonly setting: TelemetrySetting;
	readonly ports: Pick<HostPorts, 'settings' | 'log' | 'places'>;
	readonly environment: Readonly<Record<string, string | undefined>>;
	readonly redactor: Pick<Redactor, 'redactDeep'>;
	secret(name: string): Promise<string>;
}

/** Op that another program asked for, in no turn of an agent. `turnId`: all of that program's have it. */
export interface CallOfClient {
	readonly turnId: TurnId;
	readonly item: TracedItem & { readonly opId: OpId };
}

export class TurnExporter {
	readonly #deps: ExporterDeps;
	readonly #queue: ExportQueue;
	readonly #reporter: Promise<Reporter>;

	constructor(deps: ExporterDeps) {
		const { ports } = deps;
		this.#deps = deps;
		this.#reporter = readReporter(ports.places.dist);
		this.#queue = new ExportQueue({
			send: async (waiting, signal) => sendTo(await this.#collector(), waiting, ports.settings.organisation, signal),
			onState(problem) {
				if (problem === undefined) ports.log.info('the collector takes telemetry');
				else ports.log.warn('telemetry could not be sent; it is sent again where that helps', { problem });
			},
		});
	}

	/** Never rejects, and waits for nothing that leaves this process. */
	async add(trace: TurnTrace, source: SpanSource): Promise<void> {
		const reporter = await this.#reporter;
		const told = this.#withoutSecrets(trace);
		const endMs = Date.parse(told.endedAt ?? told.startedAt);
		const lost = this.#queue.takeDropped();
		const metrics = [...toTurnMetrics(told, source), ...(lost === 0 ? [] : [droppedMetric(lost)])];
		this.#queue.add({ to: 'traces', body: toBody(encodeSpans(reporter, toTurnSpans(told, source))) });
		this.#queue.add({
			to: 'metrics',
			body: toBody(encodeMetrics(reporter, metrics, Date.parse(told.startedAt), endMs)),
		});
	}

	/** Never rejects, and waits for nothing that leaves this process. */
	async addCall({ turnId, item }: CallOfClient, contexts: TurnContexts): Promise<void> {
		const reporter = await this.#reporter;
		const { input, output, ...bare } = this.#cleanItem(item);
		const told = this.#deps.setting.content ? { ...bare, input, ...(output !== undefined && { output }) } : bare;
		const span = toCallSpan(told, contexts.ofOp(turnId, item.opId), contexts.parentOf(item.opId));
		this.#queue.add({ to: 'traces', body: toBody(encodeSpans(reporter, [span])) });
		const metrics = encodeMetrics(reporter, toCallMetrics([told]), span.startMs, span.endMs);
		this.#queue.add({ to: 'metrics', body: toBody(metrics) });
	}

	close(): Promise<void> {
		return this.#queue.close();
	}

	/** A secret in the store may be another one meanwhile, so each request reads it. */
	#collector(): Promise<CollectorAddress> {
		const { setting, environment, secret } = this.#deps;
		return resolveCollector(setting, { environment, secret });
	}

	/** Ids and times stay as they are: they are made here, and a run of digits may look like a secret. */
	#cleanItem(item: TracedItem): TracedItem {
		const { itemId, opId, at } = item;
		const told = this.#deps.redactor.redactDeep(item) as TracedItem;
		return { ...told, at, ...(itemId !== undefined && { itemId }), ...(opId !== undefined && { opId }) };
	}

	#withoutSecrets(trace: TurnTrace): TurnTrace {
		const { redactor } = this.#deps;
		return {
			...trace,
			...(trace.said !== undefined && { said: redactor.redactDeep(trace.said) as TurnTrace['said'] }),
			items: trace.items.map((item) => this.#cleanItem(item)),
		};
	}
}

/** Sends one span, so that the user sees whether a collector takes it. Resolves with its base address; rejects with what is wrong. */
export async function sendTestSpan(
	{ setting, environment, secret, ports }: ExporterDeps,
	signal: AbortSignal,
): Promise<string> {
	const collector = await resolveCollector(setting, { environment, secret });
	const { spanId, traceId } = new TurnContexts().ofTurn(newId('trn'));
	const now = Date.now();
	const span: Span = {
		traceId,
		spanId,
		name: 'prowess telemetry test',
		kind: 'internal',
		startMs: now,
		endMs: now,
		attributes: {},
	};
	const body = toBody(encodeSpans(await readReporter(ports.places.dist), [span]));
	const limit = deriveSignal(signal, { what: 'sending a test span', timeoutMs: telemetryLimits.requestMs });
	try {
		const { organisation } = ports.settings;
		const { status } = await sendTo(collector, { to: 'traces', body }, organisation, limit.signal);
		if (status < 200 || status > 299) {
			const facts = { status, said: text('The collector answers with status {status}.', { status }) };
			throw new ProwessError('REQUEST_FAILED', `the collector answers with status ${status}`, facts);
		}
	} finally {
		limit.dispose();
	}
	return collector.base;
}

async function sendTo(
	{ base, headers }: CollectorAddress,
	{ to, body }: Waiting,
	organisation: HostPorts['settings']['organisation'],
	signal: AbortSignal,
): Promise<CollectorAnswer> {
	organisation?.checkExport();
	const target = parseTargetUrl(`${base}/v1/${to}`);
	const refusal = organisation?.refusalOfHost(target.host);
	if (refusal !== undefined) {
		throw new ProwessError('DENIED_BY_ORGANISATION', inEnglish(refusal), { said: refusal });
	}
	const addresses = await resolveAddresses(target, systemResolve, signal);
	const all = { ...headers, 'content-type': 'application/json' };
	const outgoing = { method: 'POST', target, addresses, headers: all, body, maxBytes: telemetryLimits.answerBytes };
	const { status, headers: answered } = await sendHttpRequest(outgoing, signal);
	return { status, retryAfterMs: retryAfterMs(answered, Date.now()) };
}

async function readReporter(dist: string): Promise<Reporter> {
	const version = await readOwnVersion(dist);
	return { version, resource: { 'service.name': 'prowess', 'service.version': version } };
}

async function readOwnVersion(dist: string): Promise<string> {
	try {
		const { version } = JSON.parse(await readFile(join(dist, '..', 'package.json'), 'utf8')) as { version?: unknown };
		return String(version);
	} catch {
		return 'unknown';
	}
}

function droppedMetric(value: number): Metric {
	return { name: 'prowess.telemetry.dropped', unit: '{request}', values: [{ attributes: {}, value }] };
}

function toBody(told: object): Buffer {
	return Buffer.from(JSON.stringify(told));
}
