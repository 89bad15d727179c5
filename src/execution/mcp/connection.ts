/** A connection to one server: its handshake, its tools, its calls. The connection ends once, with a reason. */
import type { Client, RequestOptions, Transport } from '@modelcontextprotocol/client';
import { pathToFileURL } from 'node:url';
import { toErrorMessage } from '../../base/text/message-of.ts';
import { waitOrAborted } from '../../base/time/bounded-wait.ts';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import { isPlainData, parseJsonOrUndefined } from '../../base/text/lenient.ts';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import type { OpResult } from '../../protocol/op-table/ops.ts';
import { inEnglish, type Text, text } from '../../protocol/text/text.ts';
import { callResult, joinParts, toParts } from './call-result.ts';
import type { FormAnswer } from './elicitation.ts';
import { type SamplingAnswer, samplingOff } from './sampling/sampling-request.ts';
import { STOPPED } from './process/message-rules.ts';
import { LIST_MS, LIST_PAGES, PING_MS, PROBE_MS } from './limits.ts';
import { type McpOffers, readPrompts, readResources } from './offers/listed-offers.ts';
import { RawResults } from './process/raw-results.ts';
import { TakenRoots } from './taken-roots.ts';
import { callAsTask, takesTasks } from './task-call.ts';
import { type McpTool, readTools } from './tools.ts';

interface ConnectionOptions {
	readonly sdk: { readonly Client: typeof Client };
	readonly name: string;
	/** Folders of the workspace, absolute: all that the server is told of this machine. */
	readonly roots: readonly string[];
	/** Receives each line on what went wrong, or that the server says for its log. */
	onNote(line: string): void;
	/** `older`: without asking first whether it speaks the newer handshake. */
	readonly handshake: 'newest' | 'older';
	/** The server wants the user to fill in a form. */
	fillIn(form: unknown): Promise<FormAnswer>;
	/** True when the server is told that it may ask models. */
	readonly maySample: boolean;
	/** The server asks a model. Rejects with why it may not. */
	sample(params: unknown, signal: AbortSignal): Promise<SamplingAnswer>;
}

interface McpTransport extends Transport {
	readonly ended: Promise<string>;
}

interface ConnectionParts {
	readonly client: Client;
	readonly transport: McpTransport;
	readonly raw: RawResults;
	readonly roots: TakenRoots;
}

/** Longer than any limit of ours: those end a request by its signal. */
const NO_LIMIT_MS = 2 ** 31 - 1;

const SAMPLING = 'sampling/createMessage';
/** Error code of JSON-RPC for a method that is not known here. */
const NO_METHOD = -32_601;

/** The server has ended before it was connected; the message says how. */
export class EndedEarly extends Error {}

/** A call is never repeated by itself: it may have done something. */
const ROOTS_CAME_LATE = 'the server asked for the folders of the workspace only in this call, and has them from now on';

export class McpConnection {
	readonly #name: string;
	readonly #client: Client;
	readonly #transport: McpTransport;
	readonly #raw: RawResults;
	readonly #roots: TakenRoots;
	readonly #onNote: (line: string) => void;
	readonly #problems = new Map<string, readonly Text[]>();
	#listed: ReadonlySet<string> = new Set();
	/** Names of tools whose calls the server carries out as tasks. */
	#taskTools: ReadonlySet<unknown> = new Set();

	private constructor({ client, transport, raw, roots }: ConnectionParts, { name, onNote }: ConnectionOptions) {
		this.#name = name;
		this.#client = client;
		this.#transport = transport;
		this.#raw = raw;
		this.#roots = roots;
		this.#onNote = onNote;
	}

	/** Rejects with the signal's reason, with EndedEarly, or as the handshake does; then the transport is closed. */
	static async open(transport: McpTransport, options: ConnectionOptions, signal: AbortSignal): Promise<McpConnection> {
		const { sdk, name, roots: folders, handshake, maySample, onNote, fillIn, sample } = options;
		const raw = new RawResults();
		const roots = new TakenRoots();
		const client = new sdk.Client(
			{ name: 'prowess', version: '1' },
			{
				capabilities: { roots: {}, elicitation: { form: {} }, ...(maySample && { sampling: {} }) },
				versionNegotiation: { mode: handshake === 'newest' ? 'auto' : 'legacy', probe: { timeoutMs: PROBE_MS } },
				// Schemas of strangers are not compiled: what a tool returns is text for a model.
				jsonSchemaValidator: {
					getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
				},
				listMaxPages: LIST_PAGES,
			},
		);
		client.onerror = (error) => onNote(saidPlainly(error));
		client.setNotificationHandler('notifications/message', ({ params: { level, data } }) =>
			onNote(`${level}: ${typeof data === 'string' ? data : JSON.stringify(data)}`),
		);
		client.setRequestHandler('roots/list', () => {
			roots.given(performance.now());
			return { roots: folders.map((path) => ({ uri: pathToFileURL(path).href, name: path })) };
		});
		client.setRequestHandler('elicitation/create', ({ params }) => fillIn(params));
		if (maySample) {
			client.setRequestHandler(SAMPLING, ({ params }, { mcpReq }) => sample(params, mcpReq.signal));
		}
		client.fallbackRequestHandler = ({ method }) =>
			Promise.reject(
				method === SAMPLING ? samplingOff(name) : Object.assign(new Error(`no ${method} here`), { code: NO_METHOD }),
			);
		try {
			await client.connect(raw.around(transport), { signal, timeout: NO_LIMIT_MS });
			return new McpConnection({ client, transport, raw, roots }, options);
		} catch (error) {
			await transport.close();
			signal.throwIfAborted();
			const why = await transport.ended;
			throw why === STOPPED ? toPlainError(error) : new EndedEarly(why, { cause: error });
		}
	}

	/** Resolves with why it ended. */
	get ended(): Promise<string> {
		return this.#transport.ended;
	}

	/** Name and version that the server gives itself, and the negotiated revision of the protocol. */
	get about(): { readonly title: string; readonly revision: string } {
		const { name = '', version = '' } = this.#client.getServerVersion() ?? {};
		return { title: `${name} ${version}`.trim(), revision: this.#client.getNegotiatedProtocolVersion() ?? '' };
	}

	/** Oddities of its lists, as far as they were asked for, in sentences. */
	get problems(): readonly Text[] {
		return [...this.#problems.values()].flat();
	}

	/** Asks the server for its current tools. */
	async tools(
		signal: AbortSignal,
	): Promise<{ readonly tools: readonly McpTool[]; readonly problems: readonly Text[] }> {
		if (this.#client.getServerCapabilities()?.tools === undefined) {
			return { tools: [], problems: [text('It has no tools.')] };
		}
		const limit = deriveSignal(signal, { what: `the list of the tools of ${this.#name}`, timeoutMs: LIST_MS });
		try {
			const options = { signal: limit.signal, timeout: NO_LIMIT_MS, cacheMode: 'refresh' } as const;
			const listed = await this.#raw.collect('tools/list', () => this.#client.listTools(undefined, options));
			const hasTasks = this.#client.getServerCapabilities()?.tasks?.requests?.tools?.call !== undefined;
			const taking = hasTasks ? listed.values.filter(isPlainData).filter(takesTasks) : [];
			this.#taskTools = new Set(taking.map(({ name }) => name));
			const { tools, problems } = readTools(listed.values);
			return { tools, problems: this.#noted('tools', [...listed.problems, ...problems]) };
		} catch (error) {
			limit.signal.throwIfAborted();
			throw error;
		} finally {
			limit.dispose();
		}
	}

	/** Into the log once, for as long as they are the same. */
	#noted(list: string, problems: readonly Text[]): readonly Text[] {
		const before = (this.#problems.get(list) ?? []).map(inEnglish);
		this.#problems.set(list, problems);
		for (const problem of problems.map(inEnglish)) {
			if (!before.includes(problem)) this.#onNote(problem);
		}
		return problems;
	}

	/** `emit` hears of progress. Rejects with the signal's reason, of which the server is told. */
	async call(
		tool: string,
		args: Readonly<Record<string, unknown>>,
		{ emit, traceparent }: { emit(line: string): void; readonly traceparent?: string | undefined },
		signal: AbortSignal,
	): Promise<OpResult<'mcp.call'>> {
		const about = traceparent === undefined ? {} : { _meta: { traceparent } };
		const named = { name: tool, arguments: { ...args }, ...about };
		const options: RequestOptions = {
			signal,
			timeout: NO_LIMIT_MS,
			onprogress: ({ progress, total, message = '' }) =>
				emit(`${[total === undefined ? String(progress) : `${progress}/${total}`, message].join(' ').trim()}\n`),
		};
		const callTool = () =>
			this.#taskTools.has(tool)
				? callAsTask(this.#client, named, options, emit, signal)
				: this.#client.callTool(named, options);
		const result = await this.#answered('tools/call', callTool, signal);
		const read = callResult(this.#name, tool, result);
		return this.#roots.takeLate() && read.isError ? { ...read, leftOut: [...read.leftOut, ROOTS_CAME_LATE] } : read;
	}

	/** Resources and prompts, as the server lists them now. */
	async offers(signal: AbortSignal): Promise<McpOffers> {
		const { resources: hasResources, prompts: hasPrompts } = this.#client.getServerCapabilities() ?? {};
		const limit = deriveSignal(signal, { what: `the lists of ${this.#name}`, timeoutMs: LIST_MS });
		const options = { signal: limit.signal, timeout: NO_LIMIT_MS, cacheMode: 'refresh' } as const;
		const listRaw = (method: string, isOffered: unknown, ask: () => Promise<unknown>) =>
			isOffered ? this.#raw.collect(method, ask) : Promise.resolve({ values: [], problems: [] });
		try {
			const resources = await listRaw('resources/list', hasResources, () =>
				this.#client.listResources(undefined, options),
			);
			// Few servers have any, and some that have resources do not know the question.
			const templates = await listRaw('resources/templates/list', hasResources, () =>
				this.#client.listResourceTemplates(undefined, options),
			).catch(() => ({ values: [], problems: [] }));
			limit.signal.throwIfAborted();
			const prompts = await listRaw('prompts/list', hasPrompts, () => this.#client.listPrompts(undefined, options));
			const read = {
				resources: readResources(resources.values, 'uri'),
				templates: readResources(templates.values, 'uriTemplate'),
				prompts: readPrompts(prompts.values),
			};
			this.#listed = new Set(read.resources.read.map(({ uri }) => uri));
			const problems = [resources, templates, prompts, read.resources, read.templates, read.prompts];
			return {
				resources: read.resources.read,
				templates: read.templates.read,
				prompts: read.prompts.read,
				problems: this.#noted(
					'offers',
					problems.flatMap((each) => each.problems),
				),
			};
		} finally {
			limit.dispose();
		}
	}

	hasListed(uri: string): boolean {
		return this.#listed.has(uri);
	}

	/** Parts of a resource. */
	async read(uri: string, signal: AbortSignal): Promise<ReturnType<typeof joinParts>> {
		const options = { signal, timeout: NO_LIMIT_MS };
		const result = await this.#answered('resources/read', () => this.#client.readResource({ uri }, options), signal);
		return joinParts(toParts(pickMember(result, 'contents')).map((resource) => ({ type: 'resource', resource })));
	}

	/** Parts of the messages of a prompt. */
	async prompt(
		name: string,
		args: Readonly<Record<string, string>>,
		signal: AbortSignal,
	): Promise<ReturnType<typeof joinParts>> {
		const options = { signal, timeout: NO_LIMIT_MS };
		const getPrompt = () => this.#client.getPrompt({ name, arguments: { ...args } }, options);
		const result = await this.#answered('prompts/get', getPrompt, signal);
		return joinParts(
			toParts(pickMember(result, 'messages')).flatMap((message) =>
				toParts(isPlainData(message) ? message['content'] : message),
			),
		);
	}

	/** The answer as the server sent it. In the newer revision a server asks a model by its answer, and the SDK finds nobody for that where sampling is off. */
	async #answered(method: string, ask: () => Promise<unknown>, signal: AbortSignal): Promise<unknown> {
		const leftMs = this.#roots.use(performance.now());
		if (leftMs > 0) await waitOrAborted(leftMs, signal);
		try {
			let read: unknown;
			const { values } = await this.#raw.collect(method, async () => (read = await ask()));
			return values.at(-1) ?? read;
		} catch (error) {
			const data: unknown = error instanceof Error && 'data' in error ? error.data : undefined;
			const isOff = typeof data === 'object' && data !== null && Reflect.get(data, 'method') === SAMPLING;
			throw isOff ? samplingOff(this.#name) : error;
		}
	}

	/** True when the server still answers a ping; an error counts as an answer. */
	async answers(signal: AbortSignal): Promise<boolean> {
		const limit = deriveSignal(signal, { what: `a sign of ${this.#name}`, timeoutMs: PING_MS });
		try {
			const options = { signal: limit.signal, timeout: NO_LIMIT_MS };
			// The newer revision has no ping: the SDK would refuse it, without a word to the server.
			await (this.#client.getProtocolEra() === 'modern' ? this.#client.discover(options) : this.#client.ping(options));
			return true;
		} catch (error) {
			// An error is an answer, too.
			return !limit.signal.aborted && !/closed/i.test(toErrorMessage(error));
		} finally {
			limit.dispose();
		}
	}

	async close(): Promise<void> {
		await this.#transport.close();
	}
}

function pickMember(value: unknown, member: string): unknown {
	return isPlainData(value) ? value[member] : undefined;
}

/** The reason in an error of the SDK. Whole lists of what a schema wants are for nobody to read: their first entry says enough. */
function saidPlainly(error: unknown): string {
	const message = toErrorMessage(error);
	const from = message.search(/\[\s*\{\s*"/);
	const issues = from < 0 ? undefined : parseJsonOrUndefined(message.slice(from));
	const path = Array.isArray(issues) ? pickMember(issues[0], 'path') : undefined;
	const where = Array.isArray(path) && path.length > 0 ? ` at ${path.join('.')}` : '';
	return from < 0
		? message
		: `${message.slice(0, from).replace(/[:\s]+$/, '') || 'a message of it'} is not as the protocol says${where}`;
}

function toPlainError(error: unknown): unknown {
	const message = saidPlainly(error);
	return isProwessError(error) || message === toErrorMessage(error) ? error : new Error(message, { cause: error });
}

/** Failure of something that a server was asked for: why it ended, if it did, or what it said. */
export async function callFailure(
	{ server, what }: { readonly server: string; readonly what: string },
	connection: McpConnection,
	error: unknown,
): Promise<ProwessError> {
	const why = (await Promise.race([connection.ended, Promise.resolve(undefined)])) ?? saidPlainly(error);
	const message = `the MCP server ${server} failed at ${what}: ${why}`;
	return new ProwessError('MCP_SERVER_FAILED', message, { server, why }, error);
}
