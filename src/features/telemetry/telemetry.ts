/**
 * Tells the user's own collector how turns went: off unless the user's settings name one. A turn never waits for it: it is
 * read from the server once the turn has ended.
 */
import { toErrorMessage } from '../../base/text/message-of.ts';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import type { HostPorts } from '../../contract/ports/ports.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import type { OpId, ThreadId, TurnId } from '../../protocol/rpc/ids.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { traceRequests } from '../../protocol/thread/turn-trace.ts';
import type { Redactor } from '../../trust/record/redaction/redactor.ts';
import { telemetryLimits } from './limits.ts';
import { formatTraceparent, parseTraceparent, TurnContexts } from './trace-context.ts';
import type { CallOfClient, TurnExporter } from './turn-exporter.ts';

interface TelemetryDeps {
	readonly ports: Pick<HostPorts, 'settings' | 'log' | 'places'>;
	readonly environment: Readonly<Record<string, string | undefined>>;
	readonly redactor: Pick<Redactor, 'redactDeep'>;
	secret(name: string): Promise<string>;
	/** Agent whose thread it is; undefined: it is the user's own. */
	agentOf(threadId: ThreadId): { readonly agent?: string | undefined } | undefined;
}

/** A model names its sub-agents, often in words of its task, which are told to nobody. */
const SUB_AGENT_NAME = 'sub-agent';

export class Telemetry {
	readonly contexts = new TurnContexts();
	readonly #deps: TelemetryDeps;
	readonly #reading = new Set<Promise<void>>();
	/** For the setting as it was when it was made. */
	#exporter: { readonly setting: string; readonly made: Promise<TurnExporter> } | undefined;

	constructor(deps: TelemetryDeps) {
		this.#deps = deps;
	}

	get isOn(): boolean {
		return this.#setting.endpoint !== '';
	}

	/** A turn has begun: what will tell of it is loaded meanwhile. */
	began(): void {
		if (this.isOn) this.#exporterNow().catch(() => {});
	}

	/** A turn has ended in that server; asks for its trace at once, because the server may end next. */
	ended(server: Peer, turnId: TurnId): void {
		if (this.isOn) this.#trackTelling(this.#tell(server, turnId));
	}

	/** An op that another program asked for, in no turn of ours, has ended. */
	endedCall(call: CallOfClient): void {
		if (this.isOn) this.#trackTelling(this.#exporterNow().then((exporter) => exporter.addCall(call, this.contexts)));
	}

	/** The turn or op was started below a span of another program, which said its `traceparent`; anything else is passed over. */
	startedIn(id: TurnId | OpId, traceparent: unknown): void {
		const parent = this.isOn && typeof traceparent === 'string' ? parseTraceparent(traceparent) : undefined;
		if (parent !== undefined) this.contexts.startedIn(id, parent);
	}

	/** Value of `traceparent` for what an op asks of another program; undefined: nothing is told of it. */
	traceparentOf(turnId: TurnId, opId: OpId): string | undefined {
		return this.isOn ? formatTraceparent(this.contexts.ofOp(turnId, opId)) : undefined;
	}

	/**
	 * Sends one span to that collector, or to the one that the settings name. Resolves with its base address. Rejects with
	 * INVALID_PARAMS, SECRET_NOT_FOUND, DENIED_BY_ORGANISATION or REQUEST_FAILED. The headers of the settings go to no other address.
	 */
	async test(endpoint: string | undefined, signal: AbortSignal): Promise<string> {
		const { ports, environment, redactor, secret } = this.#deps;
		const setting = this.#setting;
		const asked = endpoint ?? setting.endpoint;
		if (asked === '') {
			throw new ProwessError('INVALID_PARAMS', 'name a collector, or set prowess.telemetry', {
				said: text('Name a collector, or set prowess.telemetry.'),
			});
		}
		const headers = asked === setting.endpoint ? setting.headers : {};
		const { sendTestSpan } = await import('./turn-exporter.ts');
		const deps = { setting: { ...setting, endpoint: asked, headers }, ports, environment, redactor, secret };
		return await sendTestSpan(deps, signal);
	}

	/** Sends what is left within a limit. */
	async close(): Promise<void> {
		await Promise.all(this.#reading);
		await (await this.#exporter?.made.catch(() => undefined))?.close();
	}

	#trackTelling(telling: Promise<void>): void {
		const reading = telling.catch((error: unknown) =>
			this.#deps.ports.log.warn('telemetry could not be made', { error: toErrorMessage(error) }),
		);
		this.#reading.add(reading);
		void reading.then(() => this.#reading.delete(reading));
	}

	get #setting() {
		return this.#deps.ports.settings.current['prowess.telemetry'];
	}

	async #tell(server: Peer, turnId: TurnId): Promise<void> {
		const { content } = this.#setting;
		const limit = deriveSignal(new AbortController().signal, {
			what: 'reading a trace',
			timeoutMs: telemetryLimits.traceMs,
		});
		try {
			const trace = await server.call(traceRequests.show, { turnId, ...(content && { content }) }, limit.signal);
			const { ports, agentOf } = this.#deps;
			const providers = ports.settings.current['prowess.providers'];
			const ofThread = agentOf(trace.threadId);
			const agent = ofThread && (ofThread.agent ?? SUB_AGENT_NAME);
			const source = { contexts: this.contexts, providers, agent };
			await (await this.#exporterNow()).add(trace, source);
		} finally {
			limit.dispose();
		}
	}

	async #exporterNow(): Promise<TurnExporter> {
		const setting = this.#setting;
		const written = JSON.stringify(setting);
		if (this.#exporter?.setting !== written) {
			void this.#exporter?.made.then((old) => old.close()).catch(() => {});
			const { ports, environment, redactor, secret } = this.#deps;
			const made = import('./turn-exporter.ts').then(
				({ TurnExporter: Exporter }) => new Exporter({ setting, ports, environment, redactor, secret }),
			);
			this.#exporter = { setting: written, made };
		}
		return await this.#exporter.made;
	}
}
