/** Files of a marketplace and of a plugin, in the forms of Agent Plugins 1.0, VS Code, Claude Code and Codex: where they lie and what they say. */
import * as z from '../../../protocol/text/zod.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { formatSchemaProblems } from '../../../protocol/text/schema-problem.ts';
import { text } from '../../../protocol/text/text.ts';
import { MAX_PLUGIN_FILE_BYTES } from '../limits.ts';
import { pluginFields } from '../plugins/plugin-fields.ts';
import { type IndexTree, readTreeText } from './index-tree.ts';

/** Where VS Code and Claude Code look, in their order, then Codex. */
export const MARKETPLACE_FILES = [
	'marketplace.json',
	'.plugin/marketplace.json',
	'.github/plugin/marketplace.json',
	'.claude-plugin/marketplace.json',
	'.agents/plugins/marketplace.json',
];
export const PLUGIN_MANIFEST_FILES = [
	'plugin.json',
	'.plugin/plugin.json',
	'.github/plugin/plugin.json',
	'.claude-plugin/plugin.json',
	'.codex-plugin/plugin.json',
];

export const PluginFile = z.object({
	...pluginFields,
	$schema: z.string().max(2_000).optional(),
	/** Parts for one program each, by its name: `com.github.copilot`. */
	extensions: z.record(z.string(), z.unknown()).optional().catch(undefined),
});
/** Where a plugin lies that is not beside its marketplace. */
const Elsewhere = z.object({
	source: z.string(),
	repo: z.string().max(2_000).optional(),
	url: z.string().max(2_000).optional(),
	path: z.string().max(2_000).optional(),
	ref: z.string().max(200).optional(),
	sha: z.string().max(200).optional(),
	package: z.string().max(2_000).optional(),
	version: z.string().max(200).optional(),
	registry: z.string().max(2_000).optional(),
});
export type Elsewhere = z.infer<typeof Elsewhere>;
export const PluginEntry = z.object({
	...pluginFields,
	tags: z.array(z.string()).optional().catch(undefined),
	source: z.union([z.string().max(2_000), Elsewhere]),
	/** False: there is nothing in the plugin's own file that counts. */
	strict: z.boolean().default(true),
});
export const MarketplaceFile = z.object({
	name: z.string().min(1).max(200),
	metadata: z.object({ pluginRoot: z.string().max(500).optional() }).optional(),
	plugins: z.array(z.unknown()).max(2_000),
});

export async function readFirst(
	tree: IndexTree,
	root: string,
	paths: readonly string[],
	signal: AbortSignal,
): Promise<{ readonly path: string; readonly text: string } | undefined> {
	for (const each of paths) {
		const path = joinTreePath(root, each);
		const text = await readTreeText(tree, path, MAX_PLUGIN_FILE_BYTES, signal);
		if (text !== undefined) {
			return { path, text };
		}
	}
	return undefined;
}

export function parsePluginJson<S extends z.ZodType>(schema: S, text: string, path: string): z.output<S> {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (error) {
		throw createPluginError(`${path}: it is no JSON`, error);
	}
	const result = schema.safeParse(value);
	if (!result.success) {
		throw createPluginError(`${path}: ${formatSchemaProblems(result.error)}`);
	}
	return result.data;
}

export function joinTreePath(folder: string, below: string): string {
	return [folder, below].filter((part) => part !== '').join('/');
}

export function createPluginError(why: string, cause?: unknown): ProwessError {
	return new ProwessError('DOWNLOAD_FAILED', why, { said: text('The plugin cannot be used: {why}', { why }) }, cause);
}
