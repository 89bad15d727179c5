/** Files of a marketplace and of a plugin, in the forms of Agent Plugins 1.0, VS Code and Claude Code: where they lie and what they say. */
import * as z from '../../../../protocol/text/zod.ts';
import { ProwessError } from '../../../../protocol/errors.ts';
import { problemsOf } from '../../../../protocol/text/schema-problem.ts';
import { MAX_PLUGIN_FILE_BYTES, MAX_PLUGIN_SKILLS } from '../limits.ts';
import { type IndexTree, readText } from './index-tree.ts';

/** Where VS Code and Claude Code look, in their order. */
export const MARKETPLACE_FILES = [
	'marketplace.json',
	'.plugin/marketplace.json',
	'.github/plugin/marketplace.json',
	'.claude-plugin/marketplace.json',
];
export const PLUGIN_FILES = ['plugin.json', '.plugin/plugin.json', '.claude-plugin/plugin.json'];

const Author = z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]);
const Skills = z.union([z.string().transform((path) => [path]), z.array(z.string()).max(MAX_PLUGIN_SKILLS)]);
const plugin = {
	name: z.string().min(1).max(200),
	version: z.string().max(100).optional(),
	author: Author.optional(),
	/** Besides those in `skills/`. */
	skills: Skills.optional(),
};
export const PluginFile = z.object(plugin);
/** Where a plugin lies that is not beside its marketplace. */
const Elsewhere = z.object({
	source: z.string(),
	repo: z.string().max(2_000).optional(),
	url: z.string().max(2_000).optional(),
	path: z.string().max(2_000).optional(),
	ref: z.string().max(200).optional(),
	package: z.string().max(2_000).optional(),
});
export const PluginEntry = z.object({
	...plugin,
	source: z.union([z.string().max(2_000), Elsewhere]),
	/** False: there is nothing in the plugin's own file that counts. */
	strict: z.boolean().default(true),
});
export const MarketplaceFile = z.object({
	name: z.string().min(1).max(200),
	metadata: z.object({ pluginRoot: z.string().max(500).optional() }).optional(),
	plugins: z.array(z.unknown()).max(2_000),
});

export function elsewhereInWords({ source, repo, url, path, ref, package: name }: z.infer<typeof Elsewhere>): string {
	const address = url ?? (repo === undefined ? undefined : `https://github.com/${repo}.git`);
	if (address === undefined) {
		return name === undefined ? source : `the package ${name} of ${source}, which is not read here`;
	}
	const part = path === undefined && ref === undefined ? '' : `#${ref ?? ''}${path === undefined ? '' : `:${path}`}`;
	return `add ${address}${part} as an index of its own`;
}

/** What else a plugin may hold, by the names of its folders and files. */
export async function othersIn(tree: IndexTree, root: string, signal: AbortSignal): Promise<readonly string[]> {
	const folders = await tree.folders(root, signal);
	const servers = await readFirst(tree, root, ['.mcp.json', 'mcp.json', '.lsp.json'], signal).catch(() => undefined);
	return [
		...['commands', 'agents', 'hooks'].filter((name) => folders.includes(name)),
		...(servers === undefined ? [] : ['servers']),
	];
}

export async function readFirst(
	tree: IndexTree,
	root: string,
	paths: readonly string[],
	signal: AbortSignal,
): Promise<{ readonly path: string; readonly text: string } | undefined> {
	for (const each of paths) {
		const path = joined(root, each);
		const text = await readText(tree, path, MAX_PLUGIN_FILE_BYTES, signal);
		if (text !== undefined) {
			return { path, text };
		}
	}
	return undefined;
}

export function parsed<S extends z.ZodType>(schema: S, text: string, path: string): z.output<S> {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (error) {
		throw failed(`${path}: it is no JSON`, error);
	}
	const result = schema.safeParse(value);
	if (!result.success) {
		throw failed(`${path}: ${problemsOf(result.error)}`);
	}
	return result.data;
}

export function joined(folder: string, below: string): string {
	return [folder, below].filter((part) => part !== '').join('/');
}

export function failed(why: string, cause?: unknown): ProwessError {
	return new ProwessError('DOWNLOAD_FAILED', why, {}, cause);
}
