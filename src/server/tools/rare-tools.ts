/**
 * Tools that are needed rarely: the model is told their names in one line. Once it has looked for one, that is declared for
 * as long as the question is in the conversation, so the prefix changes only where the model asked, and a new op never
 * meets a full budget.
 */
import { toolName } from '../../protocol/op-table/op-tool.ts';
import type { OpName } from '../../protocol/op-table/ops.ts';
import type { ModelMessage, ToolDeclaration } from '../models/model-port.ts';
import { declareTools } from './tool-declarations.ts';
import { type OwnResult, type OwnTool, ownToolLimits } from './own-tool.ts';
import { type Text, text } from '../../protocol/text/text.ts';

const FIND_TOOL = 'tool_search';

export class RareTools implements OwnTool {
	readonly declaration: ToolDeclaration;
	readonly #tools: readonly ToolDeclaration[];

	constructor(names: readonly OpName[]) {
		this.#tools = declareTools(names);
		this.declaration = {
			name: FIND_TOOL,
			description: `Look for a tool by name or topic, then call it: ${this.#names}.`,
			inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
		};
	}

	title(input: unknown): Text {
		return text('Look for a tool: {words}', { words: queryIn(input).slice(0, 100) });
	}

	run(input: unknown): Promise<OwnResult> {
		const found = this.#find(queryIn(input));
		return Promise.resolve(
			found.length === 0
				? { text: `NOT_FOUND: no tool fits; there are ${this.#names}`, isError: true }
				: {
						text: `You can call these now:\n${found.map(({ name, description }) => `- ${name}: ${description}`).join('\n')}`,
						isError: false,
					},
		);
	}

	/** Found in the conversation, in the order in which they were. The same questions give the same bytes. */
	foundIn(messages: readonly ModelMessage[]): readonly ToolDeclaration[] {
		const queries = messages.flatMap((message) =>
			message.role === 'assistant'
				? message.parts.flatMap((part) =>
						part.kind === 'toolCall' && part.tool === FIND_TOOL ? [queryIn(parseJsonOrText(part.inputText))] : [],
					)
				: [],
		);
		return [...new Set(queries.flatMap((query) => this.#find(query)))];
	}

	get #names(): string {
		return this.#tools.map(({ name }) => name).join(', ');
	}

	/**
	 * Returns the tools that the query names, else the tools that match the most words. In the second case adds the
	 * tools that lead to MCP servers: nobody here knows what those servers can do, so any words may be meant for one.
	 */
	#find(query: string): readonly ToolDeclaration[] {
		const words = splitQueryWords(query);
		const named = this.#tools.filter(({ name }) => words.includes(name));
		if (named.length > 0) {
			return named;
		}
		const found = this.#tools
			.map((tool) => ({ tool, fits: countFittingWords(tool, words) }))
			.filter(({ fits }) => fits > 0)
			.toSorted((one, other) => other.fits - one.fits)
			.slice(0, ownToolLimits.foundTools)
			.map(({ tool }) => tool);
		return words.length === 0 ? found : [...new Set([...found, ...this.#tools.filter(({ name }) => isOfMcp(name))])];
	}
}

function isOfMcp(tool: string): boolean {
	return tool === toolName('mcp.tools') || tool === toolName('mcp.call');
}

function countFittingWords({ name, description }: ToolDeclaration, words: readonly string[]): number {
	const own = splitQueryWords(`${name.replaceAll('_', ' ')} ${description}`);
	return words.filter((word) => own.some((each) => each.startsWith(word) || word.startsWith(each))).length;
}

/** `sql.query` is a name as well. */
function splitQueryWords(text: string): readonly string[] {
	return text
		.toLowerCase()
		.replaceAll(/(?<=\w)\.(?=\w)/g, '_')
		.split(/[^\p{L}\p{N}_]+/u)
		.filter((word) => word.length >= ownToolLimits.leastWordChars);
}

function queryIn(input: unknown): string {
	const query = typeof input === 'object' && input !== null && 'query' in input ? input.query : input;
	return typeof query === 'string' ? query : '';
}

function parseJsonOrText(inputText: string): unknown {
	try {
		return JSON.parse(inputText);
	} catch {
		return inputText;
	}
}
