/** A connection to one server: its handshake, its tools, its calls. The connection ends once, with a reason. */
import type { Client, Transport } from '@modelcontextprotocol/client';
import { pathToFileURL } from 'node:url';
import { toErrorMessage } from '../../base/text/message-of.ts';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { OpResult } from '../../protocol/op-table/ops.ts';
import { callResult, type ResultPart } from './call-result.ts';
import type { FormAnswer } from './elicitation.ts';
import { type SamplingAnswer, samplingOff } from './sampling/sampling-request.ts';
import { STOPPED } from './process/message-rules.ts';
import { LIST_MS, PING_MS, PROBE_MS, MAX_SERVER_TOOLS } from './limits.ts';
import { type McpOffers, readPrompts, readResources } from './offers/listed-offers.ts';
import { type ListedTool, type McpTool, readTools } from './tools.ts';

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

/** Longer than any limit of ours: those end a request by its signal. */
const NO_LIMIT_MS = 2 ** 31 - 1;

const SAMPLING = 'sampling/createMessage';
/** Error code of JSON-RPC for a method that is not known here. */
const NO_METHOD = -32_601;

/** The server has ended before it was connected; the message says how. */
export class EndedEarly extends Error {}

export class McpConnection {
	readonly #name: string;
	readonly #client: Client;
	readonly #transport: McpTransport;
	#listed: ReadonlySet<string> = new Set();

	private constructor(name: string, client: Client, transport: McpTransport) {
		this.#name = name;
		this.#client = client;
		this.#transport = transport;
	}

	/** Rejects with the signal's reason, with EndedEarly, or as the handshake does; then the transport is closed. */
	static async open(
		transport: McpTransport,
		{ sdk, name, roots, handshake, maySample, onNote, fillIn, sample }: ConnectionOptions,
		signal: AbortSignal,
	): Promise<McpConnection> {
		const client = new sdk.Client(
			{ name: 'prowess', version: '1' },
			{
				capabilities: { roots: {}, elicitation: { form: {} }, ...(maySample && { sampling: {} }) },
				versionNegotiation: { mode: handshake === 'newest' ? 'auto' : 'legacy', probe: { timeoutMs: PROBE_MS } },
				// Schemas of strangers are not compiled: what a tool returns is text for a model.
				jsonSchemaValidator: {
					getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
				},
				listMaxPages: Math.ceil(MAX_SERVER_TOOLS / 10),
			},
		);
		client.onerror = (error) => onNote(error.message);
		client.setNotificationHandler('notifications/message', ({ params: { level, data } }) =>
			onNote(`${level}: ${typeof data === 'string' ? data : JSON.stringify(data)}`),
		);
		client.setRequestHandler('roots/list', () => ({
			roots: roots.map((path) => ({ uri: pathToFileURL(path).href, name: path })),
		}));
		client.setRequestHandler('elicitation/create', ({ params }) => fillIn(params));
		if (maySample) {
			client.setRequestHandler(SAMPLING, ({ params }, { mcpReq }) => sample(params, mcpReq.signal));
		}
		client.fallbackRequestHandler = ({ method }) =>
			Promise.reject(
				method === SAMPLING ? samplingOff(name) : Object.assign(new Error(`no ${method} here`), { code: NO_METHOD }),
			);
		try {
			await client.connect(transport, { signal, timeout: NO_LIMIT_MS });
			return new McpConnection(name, client, transport);
		} catch (error) {
			await transport.close();
			signal.throwIfAborted();
			const why = await transport.ended;
			throw why === STOPPED ? error : new EndedEarly(why, { cause: error });
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

	/** Asks the server for its current tools. */
	async tools(
		signal: AbortSignal,
	): Promise<{ readonly tools: readonly McpTool[]; readonly problems: readonly string[] }> {
		if (this.#client.getServerCapabilities()?.tools === undefined) {
			return { tools: [], problems: ['It has no tools.'] };
		}
		const limit = deriveSignal(signal, { what: `the list of the tools of ${this.#name}`, timeoutMs: LIST_MS });
		try {
			const { tools } = await this.#client.listTools(undefined, {
				signal: limit.signal,
				timeout: NO_LIMIT_MS,
				cacheMode: 'refresh',
			});
			return readTools(tools as readonly ListedTool[]);
		} catch (error) {
			limit.signal.throwIfAborted();
			throw error;
		} finally {
			limit.dispose();
		}
	}

	/** `emit` hears of progress. Rejects with the signal's reason, of which the server is told. */
	async call(
		tool: string,
		args: Readonly<Record<string, unknown>>,
		emit: (line: string) => void,
		signal: AbortSignal,
	): Promise<OpResult<'mcp.call'>> {
		const calling = this.#client.callTool(
			{ name: tool, arguments: { ...args } },
			{
				signal,
				timeout: NO_LIMIT_MS,
				onprogress: ({ progress, total, message = '' }) =>
					emit(`${[total === undefined ? String(progress) : `${progress}/${total}`, message].join(' ').trim()}\n`),
			},
		);
		const result = await this.#answered(calling);
		return callResult(this.#name, tool, result);
	}

	/** Resources and prompts, as the server lists them now. */
	async offers(signal: AbortSignal): Promise<McpOffers> {
		const { resources: hasResources, prompts: hasPrompts } = this.#client.getServerCapabilities() ?? {};
		const limit = deriveSignal(signal, { what: `the lists of ${this.#name}`, timeoutMs: LIST_MS });
		const options = { signal: limit.signal, timeout: NO_LIMIT_MS, cacheMode: 'refresh' } as const;
		try {
			const { resources } = hasResources ? await this.#client.listResources(undefined, options) : { resources: [] };
			// Few servers have any, and some that have resources do not know the question.
			const templates = hasResources
				? await this.#client.listResourceTemplates(undefined, options).then(
						(listed) => listed.resourceTemplates.map(({ uriTemplate: uri, ...said }) => ({ uri, ...said })),
						() => [],
					)
				: [];
			limit.signal.throwIfAborted();
			const { prompts } = hasPrompts ? await this.#client.listPrompts(undefined, options) : { prompts: [] };
			const offers = {
				resources: readResources(resources),
				templates: readResources(templates),
				prompts: readPrompts(prompts),
			};
			this.#listed = new Set(offers.resources.map(({ uri }) => uri));
			return offers;
		} finally {
			limit.dispose();
		}
	}

	hasListed(uri: string): boolean {
		return this.#listed.has(uri);
	}

	/** Parts of a resource. */
	async read(uri: string, signal: AbortSignal): Promise<readonly object[]> {
		const reading = this.#client.readResource({ uri }, { signal, timeout: NO_LIMIT_MS });
		const { contents } = await this.#answered(reading);
		return contents;
	}

	/** Parts of the messages of a prompt. */
	async prompt(
		name: string,
		args: Readonly<Record<string, string>>,
		signal: AbortSignal,
	): Promise<readonly ResultPart[]> {
		const options = { signal, timeout: NO_LIMIT_MS };
		const { messages } = await this.#answered(this.#client.getPrompt({ name, arguments: { ...args } }, options));
		return messages.map(({ content }) => content);
	}

	/** In the newer revision a server asks a model by its answer, and the SDK finds nobody for that where sampling is off. */
	async #answered<T>(asked: Promise<T>): Promise<T> {
		try {
			return await asked;
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

/** Failure of something that a server was asked for: why it ended, if it did, or what it said. */
export async function callFailure(
	{ server, what }: { readonly server: string; readonly what: string },
	connection: McpConnection,
	error: unknown,
): Promise<ProwessError> {
	const why = (await Promise.race([connection.ended, Promise.resolve(undefined)])) ?? toErrorMessage(error);
	const message = `the MCP server ${server} failed at ${what}: ${why}`;
	return new ProwessError('MCP_SERVER_FAILED', message, { server, why }, error);
}
