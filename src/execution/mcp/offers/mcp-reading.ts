/** Resources and prompts of the servers: listed, read, and for the user to choose from. */
import { cutText } from '../../../base/text/one-line.ts';
import type { OpResult } from '../../../protocol/op-table/ops.ts';
import { isProwessError, ProwessError } from '../../../protocol/errors/errors.ts';
import { inEnglish, text } from '../../../protocol/text/text.ts';
import { escapeInvisible } from '../../../base/text/escape-invisible.ts';
import { QUESTION_CHARS } from '../limits.ts';
import type { McpConnection } from '../connection.ts';
import type { McpServers } from '../mcp-servers.ts';
import { listResources, type McpOffers, NO_OFFERS } from './listed-offers.ts';
import type { McpUser } from '../user.ts';

const SKIP_ARGUMENT = 'Skip';

/** Resources and prompts of a server that runs. */
export interface RunningOffers extends McpOffers {
	readonly server: string;
}

interface AskedPrompt {
	readonly server: string;
	readonly name: string;
	/** Values of arguments. */
	readonly given: Readonly<Record<string, string>>;
}

export class McpReading {
	readonly #servers: McpServers;

	constructor(servers: McpServers) {
		this.#servers = servers;
	}

	/** Lists the offers of the running servers. Starts none; a server that fails counts as offering nothing. */
	async running(signal: AbortSignal): Promise<readonly RunningOffers[]> {
		return await Promise.all(
			this.#servers.live().map(async ({ name, connection }) => ({
				server: name,
				...(await connection.offers(signal).catch(() => NO_OFFERS)),
			})),
		);
	}

	async list(
		{ server, query }: { readonly server: string; readonly query: string | undefined },
		user: McpUser,
		signal: AbortSignal,
	): Promise<OpResult<'mcp.resources'>> {
		const offers = await this.#servers.use(server, 'its resources', (it) => it.offers(signal), user, signal);
		const resources = listResources(offers.resources, query);
		const templates = listResources(offers.templates, query);
		return {
			name: server,
			notes: offers.problems.map(inEnglish),
			resources: resources.listed,
			templates: templates.listed,
			more: resources.more + templates.more,
		};
	}

	/** `mustBeListed`: rejects with INVALID_STATE for what the server does not list itself, about which somebody has to be asked. */
	async read(
		{ server, uri, mustBeListed }: { readonly server: string; readonly uri: string; readonly mustBeListed: boolean },
		user: McpUser,
		signal: AbortSignal,
	): Promise<OpResult<'mcp.read'>> {
		const readListed = async (it: McpConnection) => {
			if (mustBeListed && !it.hasListed(uri)) {
				await it.offers(signal);
				if (!it.hasListed(uri)) throw notListed(server, uri);
			}
			return await it.read(uri, signal);
		};
		return { server, uri, ...(await this.#servers.use(server, uri, readListed, user, signal)) };
	}

	/** Asks the user for each argument that is not given; where nobody answers, those that are not needed are left out. Rejects with INVALID_PARAMS for one that the prompt does not have. */
	async prompt(
		{ server, name, given }: AskedPrompt,
		user: McpUser,
		signal: AbortSignal,
	): Promise<OpResult<'mcp.prompt'>> {
		const fetchPrompt = async (it: McpConnection) => {
			const { prompts } = await it.offers(signal);
			const prompt = prompts.find((each) => each.name === name);
			if (prompt === undefined) {
				const names = prompts.map((each) => each.name).join(', ');
				throw new ProwessError(
					'NOT_FOUND',
					`the MCP server ${server} has no prompt "${name}". It has: ${names || 'none'}`,
					{
						server,
						said: text('The MCP server "{server}" has no prompt "{name}". It has: {names}', {
							server,
							name,
							names: names || '–',
						}),
					},
				);
			}
			const wants = prompt.arguments.map((each) => each.name);
			const unknown = Object.keys(given).find((each) => !wants.includes(each));
			if (unknown !== undefined) {
				const message = `the prompt ${server}/${name} has no argument "${unknown}". It has: ${wants.join(', ') || 'none'}`;
				throw new ProwessError('INVALID_PARAMS', message, {
					server,
					said: text('The prompt {prompt} has no argument "{name}".', { prompt: `${server}/${name}`, name: unknown }),
				});
			}
			const values: Record<string, string> = { ...given };
			for (const wanted of prompt.arguments.filter((each) => !Object.hasOwn(given, each.name))) {
				const about = cutText([wanted.name, wanted.description].filter(Boolean).join(': '), QUESTION_CHARS);
				const question = escapeInvisible(`${server}/${name}\n${about}`, 'lines');
				const answer = await (wanted.isNeeded
					? user.answer(question, [])
					: user.answer(question, [SKIP_ARGUMENT]).catch(skippedWhereNobodyAnswers));
				if (answer !== SKIP_ARGUMENT || wanted.isNeeded) values[wanted.name] = answer;
			}
			return await it.prompt(name, values, signal);
		};
		return { server, name, ...(await this.#servers.use(server, name, fetchPrompt, user, signal)) };
	}
}

function skippedWhereNobodyAnswers(error: unknown): string {
	if (isProwessError(error) && error.code === 'APPROVAL_EXPIRED') return SKIP_ARGUMENT;
	throw error;
}

/** The server runs now, so that the next call of the same is judged by its list, and asked about. */
function notListed(server: string, uri: string): ProwessError {
	const message = `the MCP server ${server} does not list ${uri}. Read it once more, and the user is asked about it`;
	const said = text('The MCP server "{server}" has not listed "{uri}". The agent was told to ask you.', {
		server,
		uri,
	});
	return new ProwessError('INVALID_STATE', message, { server, said });
}
