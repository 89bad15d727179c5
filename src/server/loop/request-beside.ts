/** Requests beside the conversation, for summaries, checks and running capabilities: sent, and traced with the turn. */
import { deriveSignal } from '../../base/time/derived-signal.ts';
import type { OpHost } from '../host/host-broker.ts';
import { type Wait, type WaitSkips, withFailover } from '../models/failover/failover.ts';
import type { ModelLine } from '../models/failover/model-line.ts';
import type { ModelPart, ModelPort, ModelRequest, ModelUsage } from '../models/model-port.ts';
import { computeRequestCost } from '../models/windows/prices.ts';
import type { LoopJournal } from '../turn/journal.ts';
import { type BeginStep, readErrorCode } from '../turn/stage-trace.ts';
import { failoverNotices } from './failover-notices.ts';
import { totalUsage } from './total-usage.ts';

/** Parts of a loop that a request beside its conversation needs. */
export interface BesideDeps {
	readonly models: ModelLine;
	readonly journal: LoopJournal;
	readonly host: Pick<OpHost, 'redacted'>;
	readonly wait?: Wait | undefined;
	readonly skips?: WaitSkips | undefined;
	/** Traces the requests. */
	readonly beginStep?: BeginStep | undefined;
}

interface BesideQuestion {
	readonly purpose: RequestPurpose;
	/** Name of the wait in its error. */
	readonly what: string;
	readonly timeoutMs: number;
	create(): ModelRequest;
	/** Reads the answer; undefined: it says nothing. */
	read(answer: string): string | undefined;
}

/**
 * Asks the models of a line, and resolves with what was read of the answer, without secrets; with undefined when nobody
 * could say. Rejects only when the signal aborts.
 */
export async function askBeside(
	{ purpose, what, timeoutMs, create, read }: BesideQuestion,
	{ models, journal, host, wait, skips, beginStep }: BesideDeps,
	signal: AbortSignal,
): Promise<string | undefined> {
	const onUsage = (usage: ModelUsage, model: ModelPort) => journal.setUsage(totalUsage(journal.usage, usage, model));
	const limited = deriveSignal(signal, { what, timeoutMs });
	try {
		const request = create();
		const answer = await withFailover(
			models,
			(model, onOutput) => requestModelText(model, request, { purpose, onOutput, onUsage, beginStep }, limited.signal),
			{ wait, skips, ...failoverNotices(journal) },
			limited.signal,
		);
		const text = read(answer);
		return text === undefined ? undefined : (await host.redacted([text], limited.signal))[0];
	} catch {
		signal.throwIfAborted();
		return undefined;
	} finally {
		limited.dispose();
	}
}

interface ModelTextRequest {
	readonly purpose: RequestPurpose;
	/** From then on another model cannot take over. */
	onOutput(): void;
	/** Each answer costs, also one that is of no use. */
	onUsage(usage: ModelUsage, model: ModelPort): void;
	readonly beginStep: BeginStep | undefined;
}

/** Sends a request and collects the model's answer as one text. Rejects as the request does. */
async function requestModelText(
	model: ModelPort,
	request: ModelRequest,
	{ purpose, onOutput, onUsage, beginStep }: ModelTextRequest,
	signal: AbortSignal,
): Promise<string> {
	let text = '';
	for await (const part of withTracedRequests(model, purpose, beginStep).stream(request, signal)) {
		if (part.kind === 'textDelta') {
			onOutput();
			text += part.text;
		} else if (part.kind === 'finish') {
			onUsage(part.usage, model);
		}
	}
	return text;
}

/** Purpose of a request that is not the turn itself. */
type RequestPurpose = 'summary' | 'capability' | 'check';

/** The same model; its requests stand in the trace of the turn. */
export function withTracedRequests(
	model: ModelPort,
	purpose: RequestPurpose,
	beginStep: BeginStep | undefined,
): ModelPort {
	return beginStep === undefined
		? model
		: {
				...model,
				stream: (request, signal) =>
					streamTraced(() => model.stream(request, signal), model, purpose, beginStep, signal),
			};
}

async function* streamTraced(
	stream: () => AsyncIterable<ModelPart>,
	model: ModelPort,
	purpose: string,
	beginStep: BeginStep,
	signal: AbortSignal,
): AsyncGenerator<ModelPart> {
	const end = beginStep('Request', { model: model.id, purpose });
	let used: ReturnType<typeof tracedUsage> = {};
	// A reader that reads no further has stopped the request.
	let outcome = 'stopped';
	try {
		for await (const part of stream()) {
			if (part.kind === 'finish') {
				used = tracedUsage(part.usage, model);
				outcome = 'ok';
			}
			yield part;
		}
		outcome = 'ok';
	} catch (error) {
		outcome = signal.aborted ? 'stopped' : readErrorCode(error);
		throw error;
	} finally {
		end(outcome, used);
	}
}

/** Returns the tokens that a request has used, and the cost when the model's price is known. */
export function tracedUsage(
	usage: ModelUsage | undefined,
	{ price }: Pick<ModelPort, 'price'>,
): Readonly<Record<string, number>> {
	if (usage === undefined) {
		return {};
	}
	const { inputTokens, outputTokens, cachedInputTokens } = usage;
	return {
		inputTokens,
		outputTokens,
		...(cachedInputTokens > 0 && { cachedInputTokens }),
		...(price !== undefined && { cost: computeRequestCost(usage, price) }),
	};
}
