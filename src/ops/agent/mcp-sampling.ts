/**
 * mcp.sample: what an MCP server asks of a model while it is used. Off unless the user's settings name the server; within its
 * budget each request is an op of whoever uses the server, shown whole, judged and recorded like any other.
 */
import { escapeInvisible } from '../../base/text/escape-invisible.ts';
import { mcpSample } from '../../protocol/ops/definitions/agent/mcp.ts';
import { costText } from '../../protocol/pages/usage-text.ts';
import type { OpOutcome } from '../../protocol/turn/broker.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { newId, type OpId } from '../../protocol/rpc/ids.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import type { OpContext, OpImplementations } from '../../contract/ops/op-implementation.ts';
import type { PerformOp } from '../../contract/ops/perform-op.ts';
import type { HostPorts } from '../../contract/ports/ports.ts';
import {
	type SamplingAnswer,
	samplingOff,
	type SamplingRequest,
} from '../../execution/mcp/sampling/sampling-request.ts';
import type { ModelAccess } from '../../features/models/model-access.ts';
import type { Reservation } from '../../features/models/model-budget.ts';
import { PersonCounter } from '../../features/models/person-counter.ts';
import type { PricedModel } from '../../features/models/priced-model.ts';

interface McpSamplingDeps {
	readonly perform: PerformOp;
	readonly settings: Pick<HostPorts['settings'], 'current'>;
	readonly models: Pick<ModelAccess, 'reserveFor' | 'sample' | 'priced'>;
}

/** A request of a server, from its budget to its end. */
interface PendingSampling {
	readonly server: string;
	readonly reserved: Reservation;
	/** All that the user is shown. */
	readonly shown: string;
}

export class McpSampling {
	readonly #deps: McpSamplingDeps;
	readonly #asked = new Map<OpId, PendingSampling>();

	constructor(deps: McpSamplingDeps) {
		this.#deps = deps;
	}

	/** Asks in the name of whoever uses the server. While they are asked, their op is shown as waiting. */
	askerFor(
		server: string,
		context: OpContext,
	): (request: SamplingRequest, signal: AbortSignal) => Promise<SamplingAnswer> {
		const waits = new PersonCounter(context);
		return (request, signal) => this.#ask(server, request, context, waits, signal);
	}

	implementation(): Pick<OpImplementations, 'mcp.sample'> {
		return {
			'mcp.sample': {
				prepare: (params, { opId }) =>
					Promise.resolve().then(() => {
						const asked = this.#asked.get(opId);
						if (asked?.server !== params.server) {
							throw new ProwessError('INVALID_STATE', 'only an MCP server asks for this, while it is used', {
								server: params.server,
							});
						}
						return {
							targets: [{ kind: 'mcp', server: params.server, tool: params.model }],
							detail: { kind: 'text', text: asked.shown },
							run: (context) => this.#deps.models.sample(params, asked.reserved, context),
						};
					}),
			},
		};
	}

	async #ask(
		server: string,
		request: SamplingRequest,
		{ caller }: OpContext,
		waits: PersonCounter,
		signal: AbortSignal,
	): Promise<SamplingAnswer> {
		const allowed = this.#deps.settings.current['prowess.mcp.sampling'];
		const budget = Object.hasOwn(allowed, server) ? allowed[server] : undefined;
		if (budget === undefined) {
			throw samplingOff(server);
		}
		const { reserved, inputTokens, maxTokens } = this.#deps.models.reserveFor(server, request);
		const opId = newId('op');
		try {
			const model = await this.#deps.models.priced(budget.model, signal);
			this.#asked.set(opId, {
				server,
				reserved,
				shown: formatSamplingRequest({ server, ...request, inputTokens, maxTokens }, model),
			});
			const { system, messages, temperature } = request;
			const params = {
				server,
				model: model.id,
				system,
				messages: [...messages],
				maxTokens,
				...(temperature === undefined ? {} : { temperature }),
			};
			const outcome = await this.#deps.perform(
				{ opId, op: 'mcp.sample', params },
				{
					caller,
					isNewId: true,
					onProgress: (progress) => waits.note(opId, progress.kind === 'waiting' ? progress.reason : undefined),
				},
				signal,
			);
			return toSamplingAnswer(outcome);
		} finally {
			waits.note(opId, undefined);
			this.#asked.delete(opId);
			// Where it was never sent.
			reserved.settle({ calls: 0, tokens: 0 });
		}
	}
}

function toSamplingAnswer(outcome: OpOutcome): SamplingAnswer {
	if (outcome.status !== 'done') {
		const { code, message, facts } = outcome.error;
		throw new ProwessError(code, message, facts);
	}
	const { text, model, end } = mcpSample.result.parse(outcome.result);
	return {
		role: 'assistant',
		content: { type: 'text', text },
		model,
		stopReason: end === 'done' ? 'endTurn' : 'maxTokens',
	};
}

/** All of it: what was approved is what is sent. */
function formatSamplingRequest(
	{ server, system, messages, inputTokens, maxTokens }: SamplingRequest & { server: string; inputTokens: number },
	{ id, price }: PricedModel,
): string {
	const dollars = ((price?.input ?? 0) * inputTokens + (price?.output ?? 0) * maxTokens) / 1_000_000;
	const cost = price === undefined ? 'its price is not known' : `about ${inEnglish(costText(dollars))} at most`;
	const lines = [
		`Server: ${server}`,
		`Model: ${id}`,
		`About ${inputTokens} tokens are sent, ${maxTokens} at most come back: ${cost}`,
		...(system === '' ? [] : ['', `system: ${system}`]),
		...messages.flatMap(({ role, content }) => ['', `${role}: ${content}`]),
	];
	return escapeInvisible(lines.join('\n'), 'lines');
}
