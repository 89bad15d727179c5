/**
 * A plugin as it is installed: skills, commands, agents, hooks and MCP servers that come, change and go together. Whatever form
 * its author wrote, the installation notes what it holds in one file of ours, and every part keeps the name of its plugin.
 */
import { inEnglish, text } from '../text/text.ts';
import * as z from '../text/zod.ts';

/** Where plugins lie, beside the folders of the types; so no type has this name. */
export const PLUGINS_FOLDER = 'plugins';
/** Type of plugins as people read and write it, where capabilities are named by their type. */
const PLUGIN_TYPE = 'plugin';

/** Type of what is listed, as a word. */
export function wordOfType(type: string): string {
	return type === PLUGINS_FOLDER ? PLUGIN_TYPE : type;
}

/** Type that a word of a person means. */
export function typeOfWord(word: string): string {
	return word === PLUGIN_TYPE ? PLUGINS_FOLDER : word;
}

/** Name of a plugin: it may hold dots, as Agent Plugins 1.0 has it: `com.example.tools`. */
export const PluginName = z
	.string()
	.regex(
		/^(?!.*\.\.)[a-z0-9](?:[a-z0-9.-]{0,62}[a-z0-9])?$/,
		inEnglish(text('expected lower-case letters, digits, hyphens and dots, at most 64')),
	);

/** Folder of what the installation adds to the files of a plugin. */
export const PLUGIN_NOTES = 'prowess-plugin';
export const PLUGIN_MANIFEST = `${PLUGIN_NOTES}/plugin.json`;
/** Hooks in one file, in the format of Claude's settings. */
export const PLUGIN_HOOKS = `${PLUGIN_NOTES}/hooks.json`;
/** Servers in one file, under `mcpServers`. */
export const PLUGIN_SERVERS = `${PLUGIN_NOTES}/servers.json`;
/** Commands, each as a skill in a folder of its name. */
export const PLUGIN_COMMANDS = `${PLUGIN_NOTES}/commands`;

/** A path below the plugin, with slashes. */
const Below = z
	.string()
	.max(500)
	.regex(/^(?!\/)(?!.*(?:^|\/)\.\.?(?:\/|$))[^\\:\0]+$/, 'expected a path below the plugin');

const PLUGIN_PARTS = ['skill', 'command', 'agent', 'hook', 'server'] as const;

/** A part, as it is listed before it is installed or enabled. */
export const PluginPart = z.object({
	kind: z.enum(PLUGIN_PARTS),
	/** Name of the part; of a hook, its event. */
	name: z.string().max(200),
	/** Program that runs: a command line or an address; of others what they are for. */
	says: z.string().max(2_000),
	/** True when it is a program, or names one, that runs on this machine. */
	runs: z.boolean(),
});
export type PluginPart = z.infer<typeof PluginPart>;

export const PluginManifest = z.object({
	prowessPlugin: z.literal(1),
	name: PluginName,
	version: z.string().min(1).max(100),
	description: z.string().max(2_000).default(''),
	author: z.string().max(200).optional(),
	tags: z.array(z.string().min(1).max(100)).max(100).default([]),
	/** Folders with a SKILL.md, those of commands among them. */
	skills: z.array(Below).max(1_000),
	/** Files of agents. */
	agents: z.array(Below).max(200),
	/** Things that it holds and that have no place here, in words. */
	notTaken: z.array(z.string().max(500)).max(100),
});
export type PluginManifest = z.infer<typeof PluginManifest>;

/** Name of a part of a plugin: two plugins may each have one of that name. */
export function nameInPlugin(plugin: string, name: string): string {
	return `${plugin}:${name}`;
}

/** Splits `plugin:skill` into the two names; of a name without that of a plugin before it, only its own. */
export function splitPluginName(name: string): { readonly plugin: string | undefined; readonly own: string } {
	const at = name.indexOf(':');
	return at < 0 || !PluginName.safeParse(name.slice(0, at)).success
		? { plugin: undefined, own: name }
		: { plugin: name.slice(0, at), own: name.slice(at + 1) };
}
