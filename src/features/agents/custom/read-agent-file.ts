/** Reads a custom agent as Claude Code, VS Code and Copilot write it: instructions in Markdown, below what it may use. */
import { parse } from 'yaml';
import { toErrorMessage } from '../../../base/text/message-of.ts';
import { HandOff } from '../../../protocol/agents/agent-view.ts';
import { splitFrontMatter } from '../../../protocol/manifest/front-matter.ts';
import * as z from '../../../protocol/text/zod.ts';
import { formatSchemaProblems } from '../../../protocol/text/schema-problem.ts';
import { understoodTools } from './agent-tools-of-others.ts';

const WordList = z.union([
	z.array(z.string()),
	z.string().transform((words) =>
		words
			.split(',')
			.map((word) => word.trim())
			.filter((word) => word !== ''),
	),
]);

const AgentHead = z.looseObject({
	name: z.string().trim().min(1).max(100).optional(),
	description: z.string().max(2_000).default(''),
	tools: WordList.optional(),
	model: WordList.optional(),
	handoffs: z.unknown().optional(),
});

const AgentHandOffs = z.array(HandOff).max(10);

interface WrittenAgent {
	readonly name: string;
	readonly description: string;
	readonly instructions: string;
	/** Undefined: all. */
	readonly ops: readonly string[] | undefined;
	/** Names of models as written, best first. */
	readonly models: readonly string[];
	readonly handOffs: readonly HandOff[];
	/** Parts of the file that do not take effect as its author meant them, in words. */
	readonly problems: readonly string[];
}

/** `fallback`: its name where it says none. Throws for what cannot be read. */
export function readAgentFile(text: string, fallback: string): WrittenAgent {
	const { yaml, body } = splitFrontMatter(text);
	let written: unknown;
	try {
		written = yaml === undefined ? {} : (parse(yaml) ?? {});
	} catch (error) {
		throw new Error(`its head is no YAML: ${toErrorMessage(error).split('\n')[0]}`);
	}
	const head = AgentHead.safeParse(written);
	if (!head.success) {
		throw new Error(formatSchemaProblems(head.error));
	}
	const { name = fallback, description, tools, model = [], handoffs } = head.data;
	const { ops, problems } = understoodTools(tools);
	const handOffs = AgentHandOffs.safeParse(handoffs ?? []);
	return {
		name,
		description,
		instructions: body.trim(),
		ops,
		models: model,
		handOffs: handOffs.data ?? [],
		problems: [...problems, ...(handOffs.success ? [] : [`handoffs: ${formatSchemaProblems(handOffs.error)}`])],
	};
}
