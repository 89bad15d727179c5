/**
 * Door for MCP clients: some ops as tools, in one thread of the principal `mcp`, with its own level and rate.
 * Each call goes through the gate and has exactly one outcome in the ledger, like a call of our own agent.
 */
import {
	type CallToolRequestParams,
	type CallToolResult,
	CLIENT_CAPABILITIES_META_KEY,
	type ClientCapabilities,
	type ContentBlock,
	type ElicitRequestFormParams,
	inputRequired,
	type InputRequiredResult,
	ProtocolError,
	ProtocolErrorCode,
	Server,
	type ServerContext,
} from '@modelcontextprotocol/server';
import { cutText } from '../../../base/text/one-line.ts';
import type { PersonPort } from '../../../contract/ports/ports.ts';
import { textForModel } from '../../../protocol/errors/error-text.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import type { PermissionLevel } from '../../../protocol/ops/permission-level.ts';
import { pickNarrowerLevel } from '../../../protocol/ops/permission-level.ts';
import type { OpDef } from '../../../protocol/ops/define-op.ts';
import { newId, type ThreadId, type TurnId } from '../../../protocol/rpc/ids.ts';
import type { OpOutcome } from '../../../protocol/turn/broker.ts';
import type { TrustedBase } from '../../trusted-base.ts';
import type { Client } from '../clients.ts';
import { ANSWER_KEY } from './asked-by-form.ts';
import { type FormCall, AskedCalls } from './asked-calls.ts';
import { mcpDoorLimits } from '../limits.ts';
import { mayTakeMinutes, offeredOp, offeredTools } from './offered-tools.ts';
import { readTaskWish, TaskCalls } from './task-calls.ts';
import { ClientProgress } from './client-progress.ts';
import { TracedCall } from './traced-call.ts';

interface McpDoorDeps {
	readonly base: TrustedBase;
	readonly client: Client;
	readonly version: string;
	/** Level of the thread, if that of the user's settings is not narrower. */
	readonly level: PermissionLevel;
	log(message: string): void;
}

const RATE_MINUTE_MS = 60_000;
const STATE_UNKNOWN = 'this answer is for a call that is over';
const CANNOT_ASK =
	'This client cannot be asked, and no window of VS Code that has the folder open with Prowess gave an answer. The user can ' +
	'open one and answer there, allow it with a rule (prowess.approvals.allow), start the server with a wider --level, or use a client that supports elicitation.';

/** Calls before the door has its base: the person of the client is known to the host first. */
export function createAskedCalls(words: (approval: Parameters<PersonPort['approve']>[0]) => string) {
	const calls = new AskedCalls();
	return { calls, person: calls.person(words) };
}

export class McpDoor {
	readonly #deps: McpDoorDeps;
	readonly #calls: AskedCalls;
	readonly #tasks: TaskCalls;
	readonly #threadId: ThreadId = newId('thr');
	readonly #turnId: TurnId = newId('trn');
	readonly #life = new AbortController();
	/** Times of the calls of the last minute. */
	readonly #times: number[] = [];
	#begun: Promise<void> | undefined;

	constructor(deps: McpDoorDeps, calls: AskedCalls) {
		this.#deps = deps;
		this.#calls = calls;
		const { client, log } = deps;
		this.#tasks = new TaskCalls({ calls, ask: askAtOnce, check: (right) => client.check(right), log });
	}

	/** Creates a server for each connection or request; all of them are this door. */
	createServer(): Server {
		const { version, log } = this.#deps;
		const server = new Server(
			{ name: 'prowess', title: 'Prowess', version },
			{
				capabilities: { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
				instructions:
					'Tools work in the folder that this server was started for. What needs an approval is asked by elicitation and in VS Code. ' +
					'Find capabilities with capability_list and run one with capability_start.',
				inputRequired: { roundTimeoutMs: mcpDoorLimits.answerMs },
			},
		);
		server.onerror = (error) => log(error.message);
		server.setRequestHandler('tools/list', () => ({ tools: offeredTools() }));
		server.setRequestHandler('tools/call', async ({ params }, context) => {
			const canAsk = clientCapabilities(server, context)?.elicitation;
			return await this.#call(params, context, canAsk?.form !== undefined || isBareName(canAsk));
		});
		this.#tasks.serve(server);
		return server;
	}

	/** Stops what runs; what waits for an answer has none. */
	close(): void {
		const reason = new ProwessError('CANCELLED', 'the MCP client has gone');
		this.#deps.client.dispose();
		this.#calls.stop(reason);
		this.#life.abort(reason);
	}

	async #call(
		asked: CallToolRequestParams,
		context: ServerContext,
		isAskable: boolean,
	): Promise<CallToolResult | InputRequiredResult> {
		const { name, arguments: params = {} } = asked;
		const state = context.mcpReq.requestState();
		if (typeof state === 'string') {
			const again = this.#calls.find(state);
			if (again === undefined) return toFailedResult({ code: 'INVALID_STATE', message: STATE_UNKNOWN });
			this.#calls.fillIn(state, context.mcpReq.inputResponses);
			return await this.#untilNext(again, context);
		}
		// Clients of 2026 have no tasks of this kind.
		const ttl = context.mcpReq.envelope === undefined ? readTaskWish(asked) : undefined;
		const refuse = (error: RefusedCall): CallToolResult => {
			if (ttl === undefined) return toFailedResult(error);
			// A client that asks for a task cannot read a result in its place.
			throw new ProtocolError(ProtocolErrorCode.InternalError, textForModel(error));
		};
		const offered = offeredOp(name);
		if (offered === undefined) {
			return refuse({
				code: 'UNKNOWN_TOOL',
				message: `there is no tool "${name.slice(0, 100)}"`,
				facts: { tool: name.slice(0, 100) },
			});
		}
		if (ttl !== undefined && !mayTakeMinutes(offered.op)) {
			throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `${name} is not carried out as a task`);
		}
		const busy = this.#refusal();
		if (busy !== undefined) return refuse(busy);
		try {
			this.#deps.client.check('prompt');
			await (this.#begun ??= this.#begin());
		} catch (error) {
			this.#begun = undefined;
			return refuse(error as ProwessError);
		}
		const stop = new AbortController();
		const opId = newId('op');
		const { base } = this.#deps;
		const told = new ClientProgress(context.mcpReq, (words) => base.redact(words));
		const about = { opId, turnId: this.#turnId, tool: name, input: params, def: offered.def, meta: asked._meta };
		const traced = new TracedCall(base.telemetry, about);
		const outcome = base
			.perform(
				{ opId, op: offered.op, params },
				{
					caller: { kind: 'agent', threadId: this.#threadId, turnId: this.#turnId },
					isNewId: true,
					onProgress: (progress) => {
						this.#calls.noteProgress(progress);
						traced.noteProgress(progress);
						told.tell(progress);
					},
				},
				stop.signal,
			)
			.finally(() => told.end());
		outcome.then((end) => traced.tellEnd(end)).catch(() => {});
		const call = this.#calls.begin({ opId, op: name, outcome, isAskable, stop: (reason) => stop.abort(reason) });
		if (ttl !== undefined) {
			const { task } = this.#tasks.begin(ttl, call, (end) => toCallResult(offered.def, end, call));
			return { content: [], task };
		}
		return await this.#untilNext(call, context);
	}

	async #untilNext(call: FormCall, { mcpReq }: ServerContext): Promise<CallToolResult | InputRequiredResult> {
		const onAbort = () => {
			this.#calls.endForm(call.id);
			call.stop(new ProwessError('CANCELLED', 'the client cancelled the call'));
		};
		mcpReq.signal.addEventListener('abort', onAbort, { once: true });
		if (mcpReq.signal.aborted) onAbort();
		try {
			let step = await this.#calls.next(call);
			while ('form' in step) {
				if (mcpReq.envelope !== undefined) {
					const inputRequests = { [ANSWER_KEY]: inputRequired.elicit(step.form) };
					return inputRequired({ inputRequests, requestState: step.state });
				}
				this.#calls.fillIn(step.state, await askAtOnce(step, mcpReq));
				step = await this.#calls.next(call);
			}
			const def = offeredOp(call.op)?.def;
			return def === undefined
				? toFailedResult({ code: 'UNKNOWN_TOOL', message: call.op })
				: toCallResult(def, step.outcome, call);
		} finally {
			mcpReq.signal.removeEventListener('abort', onAbort);
		}
	}

	/** The thread is begun in the name of the client, at its level. */
	async #begin(): Promise<void> {
		const { base, client, level } = this.#deps;
		base.beginThread(this.#threadId, '', { by: client.principal });
		const { level: now } = await base.levels.of(this.#threadId, this.#life.signal);
		const wanted = pickNarrowerLevel(now, pickNarrowerLevel(level, client.widest));
		if (wanted !== now) await base.levels.set(this.#threadId, wanted, this.#life.signal);
	}

	/** Undefined: the call may be carried out, and counts. */
	#refusal() {
		const now = Date.now();
		while ((this.#times[0] ?? now) < now - RATE_MINUTE_MS) this.#times.shift();
		const [first = now] = this.#times;
		const isOften = this.#times.length >= mcpDoorLimits.callsPerMinute;
		if (isOften || this.#calls.size >= mcpDoorLimits.callsAtOnce) {
			const seconds = isOften ? Math.ceil((first + RATE_MINUTE_MS - now) / 1_000) : 1;
			const limit = isOften
				? `${mcpDoorLimits.callsPerMinute} calls a minute`
				: `${mcpDoorLimits.callsAtOnce} calls at a time`;
			return {
				code: 'RATE_LIMITED',
				message: `at most ${limit} are carried out for MCP clients; try again in ${seconds} s`,
			};
		}
		this.#times.push(now);
		return undefined;
	}
}

/** Asks a client of 2025, while its call waits; takes the form back there when somebody else has answered. */
async function askAtOnce(
	{ form, over }: { readonly form: ElicitRequestFormParams; readonly over: AbortSignal },
	{ send }: ServerContext['mcpReq'],
): Promise<Record<string, unknown> | undefined> {
	const options = { signal: over, timeout: mcpDoorLimits.answerMs, resetTimeoutOnProgress: true, onprogress: () => {} };
	try {
		return { [ANSWER_KEY]: await send({ method: 'elicitation/create', params: { ...form } }, options) };
	} catch {
		return undefined;
	}
}

/** Told with each request since the revision of 2026-07-28, and once before that. */
function clientCapabilities(server: Server, { mcpReq }: ServerContext): ClientCapabilities | undefined {
	const told = mcpReq.envelope as Readonly<Record<string, ClientCapabilities | undefined>> | undefined;
	return told?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
}

/** Before there were modes, a capability without any meant forms. */
function isBareName(capability: object | undefined): boolean {
	return capability !== undefined && Object.keys(capability).length === 0;
}

function toCallResult(def: OpDef, outcome: OpOutcome, { isAskable }: FormCall): CallToolResult {
	if (outcome.status !== 'done') {
		const isUnasked = outcome.error.code === 'APPROVAL_EXPIRED' && !isAskable;
		return toFailedResult(outcome.error, isUnasked ? ` ${CANNOT_ASK}` : '');
	}
	const { result } = outcome;
	const { image: _image, media: _media, ...structured } = result as Record<string, unknown>;
	const images = (def.media?.(result) ?? []).flatMap((each): ContentBlock[] => {
		const { type } = each as { readonly type?: unknown };
		return typeof type === 'string' && type.startsWith('image/')
			? [{ type: 'image', data: each.data, mimeType: type }]
			: [];
	});
	return {
		content: [{ type: 'text', text: cutText(def.present(result), mcpDoorLimits.resultChars) }, ...images],
		structuredContent: structured,
	};
}

interface RefusedCall {
	readonly code: string;
	readonly message: string;
	readonly facts?: Readonly<Record<string, unknown>> | undefined;
}

function toFailedResult({ code, message, facts }: RefusedCall, more = ''): CallToolResult {
	const text = `${textForModel({ code, message, facts })}${more}`;
	return { content: [{ type: 'text', text }], structuredContent: { code, message }, isError: true };
}
