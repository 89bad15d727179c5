/**
 * Gives running capabilities access to models: the host's side. The host counts what an execution uses, redacts secrets
 * in what it says, and lets the server answer.
 */
import { ProwessError } from '../../protocol/errors/errors.ts';
import { CAPABILITY_MODEL_PREFIX, LLM_SERVICE } from '../../protocol/ops/definitions/agent/llm.ts';
import type { OpParams, OpResult } from '../../protocol/op-table/ops.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import { subTurnRequests } from '../../protocol/turn/sub-turn.ts';
import { text } from '../../protocol/text/text.ts';
import type { Caller } from '../../contract/ops/caller.ts';
import type { OpContext } from '../../contract/ops/op-implementation.ts';
import type { CapabilityManager } from '../../execution/runs/capability-manager.ts';
import type { HostPorts } from '../../contract/ports/ports.ts';
import type { Redactor } from '../../trust/record/redaction/redactor.ts';
import { type AskServer, askServer } from './ask-server.ts';
import { ANSWER_TOKENS, overestimateTokens, subTurnDefaults } from './limits.ts';
import { type LiveSubTurnDeps, LiveSubTurns } from './live-sub-turns.ts';
import { ModelBudgets, type Reservation } from './model-budget.ts';
import { type AskedOfProvider, providedAnswer } from './provided-answer.ts';
import { type PricedModel, pricedModel } from './priced-model.ts';
import { type ExecutionCaller, listSubTurnTools, requireExecutionCaller } from './tools-of.ts';
import { type Answerer, whoAnswers } from './who-answers.ts';

interface ModelAccessDeps extends Omit<LiveSubTurnDeps, 'askServer'> {
	readonly server: () => Promise<Peer>;
	readonly settings: HostPorts['settings'];
	readonly redactor: Pick<Redactor, 'redactDeep'>;
	/** They are made after this. */
	readonly capabilities: () => Pick<CapabilityManager, 'rootOf' | 'isWithinProvider' | 'run' | 'noteStep'>;
}

/** Request of an MCP server to a model. */
interface Sampled {
	readonly system: string;
	readonly messages: readonly { readonly content: string }[];
	readonly maxTokens: number;
}

interface ReservedSampling {
	readonly reserved: Reservation;
	/** Estimated tokens of the input, rather too many than too few. */
	readonly inputTokens: number;
	/** Tokens left for the answer. */
	readonly maxTokens: number;
}

export class ModelAccess {
	readonly #deps: ModelAccessDeps;
	readonly #askServer: AskServer;
	readonly #budgets: ModelBudgets;
	/** Budgets of MCP servers, by their names. */
	readonly #samplings: ModelBudgets;
	/** Requests that this host has the server answer now. */
	readonly live: LiveSubTurns;

	constructor(deps: ModelAccessDeps) {
		this.#deps = deps;
		this.#askServer = askServer(deps.server);
		this.live = new LiveSubTurns({ ...deps, askServer: this.#askServer });
		this.#budgets = new ModelBudgets(() => ({
			calls: deps.settings.current['prowess.capabilities.modelCalls'],
			tokens: deps.settings.current['prowess.capabilities.modelTokens'],
		}));
		this.#samplings = new ModelBudgets(
			(server) => deps.settings.current['prowess.mcp.sampling'][server] ?? { calls: 0, tokens: 0 },
			(server, _op, what) => {
				const why = `it has used ${what} (prowess.mcp.sampling)`;
				const message = `the MCP server ${server} may not ask a model: ${why}`;
				return new ProwessError('MCP_SAMPLING_REFUSED', message, { server, why });
			},
		);
	}

	/**
	 * Reserves as much as an MCP server may use for its request. Throws MCP_SAMPLING_REFUSED when its budget is used
	 * up.
	 */
	reserveFor(server: string, { system, messages, maxTokens }: Sampled): ReservedSampling {
		const inputTokens = overestimateTokens([system, ...messages.map(({ content }) => content)]);
		const wanted = { calls: 1, tokens: inputTokens + maxTokens };
		const reserved = this.#samplings.reserve(server, 'mcp.sample', wanted, inputTokens + 1);
		return { reserved, inputTokens, maxTokens: reserved.tokens - inputTokens };
	}

	/** The model that answers an MCP server. Rejects with NO_MODEL. */
	async priced(named: string | undefined, signal: AbortSignal): Promise<PricedModel> {
		const chosen = this.#deps.settings.current['prowess.capabilities.model'];
		const ofCapabilities = chosen === '' || chosen.startsWith(CAPABILITY_MODEL_PREFIX) ? undefined : chosen;
		return await pricedModel(this.#askServer, named ?? ofCapabilities, signal);
	}

	/** Answers one request of an MCP server, in the name of the caller that uses the server. */
	async sample(
		{ model, system, messages, maxTokens, temperature }: OpParams<'mcp.sample'>,
		reserved: Reservation,
		context: OpContext,
	): Promise<OpResult<'mcp.sample'>> {
		const asked = { system, messages, maxTokens, ...(temperature === undefined ? {} : { temperature }) };
		const { threadId } = context.caller;
		const {
			text,
			end,
			usage,
			model: by,
		} = await this.live.during(reserved, undefined, context, (subTurnId, server, signal) =>
			server.call(
				subTurnRequests.complete,
				this.#clean({ subTurnId, threadId, model, timeMs: context.limitMs, ...asked }),
				signal,
			),
		);
		return { text, model: by, end, usage };
	}

	/** Without any effect. Throws when the one that is named may not be. */
	whoAnswers(named: string | undefined, caller: Caller): Answerer {
		const isWithinProvider =
			caller.kind === 'execution' && this.#deps.capabilities().isWithinProvider(caller.executionId, LLM_SERVICE);
		return whoAnswers(named, this.#deps.settings.current, isWithinProvider);
	}

	async chat(params: OpParams<'llm.chat'>, answerer: Answerer, context: OpContext): Promise<OpResult<'llm.chat'>> {
		const { text, model, end, usage } = await this.#complete('llm.chat', params, answerer, context);
		return { text, model, end, usage };
	}

	async oneshot(
		{ prompt, ...params }: OpParams<'llm.oneshot'>,
		answerer: Answerer,
		context: OpContext,
	): Promise<OpResult<'llm.oneshot'>> {
		const messages = [{ role: 'user' as const, content: prompt }];
		const asked = { ...params, messages, system: '', temperature: 0 };
		const { text, model, end, usage, output } = await this.#complete('llm.oneshot', asked, answerer, context);
		return { text, model, end, usage, output };
	}

	async runSubTurn(params: OpParams<'agent.run'>, context: OpContext): Promise<OpResult<'agent.run'>> {
		const { instructions, prompt, documents, schema, budget, temperature } = params;
		const caller = requireExecutionCaller(context.caller);
		const model = this.#modelOfSubTurn(params.model, caller);
		const tools = listSubTurnTools(params.tools, caller);
		const { iterations = subTurnDefaults.iterations, tokens = subTurnDefaults.tokens } = budget;
		const least = overestimateTokens([instructions, prompt]);
		const reserved = this.#budgets.reserve(this.#payerOf(caller), 'agent.run', { calls: iterations, tokens }, least);
		// A command that it may run asks for hosts by itself.
		const ops = tools.includes('shell.run') ? [...tools, 'net.connect'] : tools;
		const narrowed: ExecutionCaller = { ...caller, ops: new Set<string>(ops) };
		return await this.live.during(reserved, narrowed, context, (subTurnId, server, signal) =>
			server.call(
				subTurnRequests.run,
				this.#clean({
					subTurnId,
					threadId: caller.threadId,
					model,
					timeMs: context.limitMs,
					instructions,
					prompt,
					documents,
					tools,
					iterations: reserved.calls,
					tokens: reserved.tokens,
					...(schema === undefined ? {} : { schema }),
					...(temperature === undefined ? {} : { temperature }),
				}),
				signal,
			),
		);
	}

	/** Forgets the budget of an execution that makes no further requests. */
	forget(executionId: string): void {
		this.#budgets.forget(executionId);
	}

	async #complete(
		op: 'llm.chat' | 'llm.oneshot',
		params: OpParams<'llm.chat'> & Pick<OpParams<'llm.oneshot'>, 'schema'>,
		answerer: Answerer,
		context: OpContext,
	): Promise<OpResult<'llm.oneshot'>> {
		const { system, messages, maxTokens, temperature, schema } = params;
		const caller = requireExecutionCaller(context.caller);
		const input = overestimateTokens([system, JSON.stringify(schema ?? ''), ...messages.map(({ content }) => content)]);
		const wanted = input + (maxTokens ?? ANSWER_TOKENS);
		const reserved = this.#budgets.reserve(this.#payerOf(caller), op, { calls: 1, tokens: wanted }, input + 1);
		const most = maxTokens !== undefined || reserved.tokens < wanted ? reserved.tokens - input : undefined;
		const asked = {
			system,
			messages,
			...(most === undefined ? {} : { maxTokens: most }),
			...(temperature === undefined ? {} : { temperature }),
			...(schema === undefined ? {} : { schema }),
		};
		if (answerer.kind === 'capability') {
			return await this.#completeByCapability(answerer, asked, reserved, context);
		}
		const { threadId } = caller;
		return await this.live.during(reserved, undefined, context, (subTurnId, server, signal) =>
			server.call(
				subTurnRequests.complete,
				this.#clean({
					subTurnId,
					threadId,
					model: answerer.model,
					timeMs: context.limitMs,
					...asked,
				}),
				signal,
			),
		);
	}

	/** Being asked counts as a request, whatever comes of it; what it asks of models itself counts beside it. */
	async #completeByCapability(
		answerer: Extract<Answerer, { kind: 'capability' }>,
		asked: AskedOfProvider,
		reserved: Reservation,
		context: OpContext,
	): Promise<OpResult<'llm.oneshot'>> {
		const inputTokens = overestimateTokens([asked.system, ...asked.messages.map(({ content }) => content)]);
		let outputTokens = 0;
		try {
			const ports = { capabilities: this.#deps.capabilities(), askServer: this.#askServer };
			const emitAnswerText = (text: string) => {
				outputTokens = overestimateTokens([text]);
				context.emit(text);
			};
			const answer = await providedAnswer(ports, answerer, this.#clean(asked), emitAnswerText, context);
			return { ...answer, model: answerer.model, usage: { inputTokens, outputTokens, estimated: true } };
		} finally {
			reserved.settle({ calls: 1, tokens: inputTokens + outputTokens });
		}
	}

	/** The execution that pays: what it starts, and what answers it, takes of its budget. */
	#payerOf({ executionId }: ExecutionCaller): string {
		return this.#deps.capabilities().rootOf(executionId);
	}

	/** A loop of tools needs a connected model, also where a capability answers what has none. */
	#modelOfSubTurn(named: string | undefined, caller: ExecutionCaller): string | null {
		const answerer = this.whoAnswers(named, caller);
		if (answerer.kind === 'model') {
			return answerer.model;
		}
		if (named === undefined) {
			return null;
		}
		const message = `model "${named}": a capability answers llm.chat and llm.oneshot, not sub-turns. Name a connected model, or none`;
		throw new ProwessError('INVALID_PARAMS', message, {
			model: named,
			said: text('"{model}" is a capability, which does not answer sub-turns. Name a connected model, or none.', {
				model: named,
			}),
		});
	}

	/** No secret reaches a model. */
	#clean<T>(asked: T): T {
		return this.#deps.redactor.redactDeep(asked) as T;
	}
}
