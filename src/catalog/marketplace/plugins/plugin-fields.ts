/**
 * Fields that describe a plugin, in its own file and in the entry of a marketplace; read leniently, one field at a
 * time.
 */
import * as z from '../../../protocol/text/zod.ts';
import { MAX_PLUGIN_SKILLS } from '../limits.ts';

const Author = z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]);
const PluginPaths = z.union([z.string().transform((path) => [path]), z.array(z.string()).max(MAX_PLUGIN_SKILLS)]);

export const pluginFields = {
	name: z.string().min(1).max(200),
	version: z
		.union([z.string().max(100), z.number().transform(String)])
		.optional()
		.catch(undefined),
	description: z.string().optional().catch(undefined),
	author: Author.optional().catch(undefined),
	keywords: z.array(z.string()).optional().catch(undefined),
	/** Besides those in `skills/`, `commands/` and `agents/`. */
	skills: PluginPaths.optional(),
	commands: z.union([PluginPaths, z.record(z.string(), z.unknown()).transform(() => [])]).optional(),
	agents: PluginPaths.optional(),
	/** Written in place, or files that hold them. */
	hooks: z.unknown().optional(),
	mcpServers: z.unknown().optional(),
	lspServers: z.unknown().optional(),
	outputStyles: z.unknown().optional(),
};

/** Fields merged from a plugin's own file and its marketplace entry; the entry wins where both set one field. */
export type PluginFields = z.infer<z.ZodObject<typeof pluginFields>>;

export function mergedFields(entry: PluginFields, own: PluginFields | undefined): PluginFields {
	const mergePaths = (field: 'skills' | 'commands' | 'agents') => [...(entry[field] ?? []), ...(own?.[field] ?? [])];
	const collectValues = (field: 'hooks' | 'mcpServers') =>
		[entry[field], own?.[field]].filter((each) => each !== undefined);
	return {
		...own,
		...entry,
		skills: mergePaths('skills'),
		commands: mergePaths('commands'),
		agents: mergePaths('agents'),
		hooks: collectValues('hooks'),
		mcpServers: collectValues('mcpServers'),
	};
}
