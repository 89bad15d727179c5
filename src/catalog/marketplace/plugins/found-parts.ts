/** Finds the parts of a plugin where it is offered, in whichever form their author wrote them. */
import { basename } from 'node:path/posix';
import { isObjectValue } from '../../../base/text/lenient.ts';
import { toErrorMessage } from '../../../base/text/message-of.ts';
import * as z from '../../../protocol/text/zod.ts';
import { groupHooksByEvent, type WrittenHook, writtenHooks } from '../../../protocol/capability/hook-file.ts';
import { commandName, isCommandFile } from '../../command-file.ts';
import { type IndexTree, pathBelow, readTreeText } from '../indexes/index-tree.ts';
import type { Offer } from '../indexes/offer.ts';
import { joinTreePath, parsePluginJson, readFirst } from '../indexes/plugin-files.ts';
import { MAX_PLUGIN_FILE_BYTES } from '../limits.ts';
import type { PluginFields } from './plugin-fields.ts';

export interface PluginInTree {
	readonly tree: IndexTree;
	/** Folder of the plugin in the tree. */
	readonly root: string;
	readonly fields: PluginFields;
	/** Other plugins lie in the same folder, so it is only what it names. */
	readonly isShared: boolean;
	/** False: its entry says all of it. */
	readonly usesDefaults: boolean;
	/** Folders in which its parts are looked for: its own, and that of an extension of Agent Plugins 1.0. */
	readonly places: readonly string[];
}

export interface FoundParts {
	/** Folders of skills, relative to the plugin. */
	readonly skills: readonly { readonly folder: string; readonly name: string }[];
	/** Files, relative to the plugin. */
	readonly commands: readonly { readonly path: string; readonly name: string }[];
	readonly agents: readonly string[];
	readonly hooks: Readonly<Record<string, readonly unknown[]>>;
	readonly servers: Readonly<Record<string, unknown>>;
	readonly notTaken: readonly string[];
	readonly problems: readonly string[];
}

const PLUGIN_HOOK_FILES = ['hooks/hooks.json', 'hooks.json'];
const SERVER_FILES = ['.mcp.json', 'mcp.json'];

/** `offers`: its skills that can be used, each with its folder in the tree. Never rejects for what is wrong with one part. */
export async function foundParts(
	plugin: PluginInTree,
	offers: readonly { readonly folder: string; readonly offer: Offer }[],
	signal: AbortSignal,
): Promise<FoundParts> {
	const { root, fields } = plugin;
	const problems: string[] = [];
	const tryPart = async <T>(what: string, otherwise: T, work: () => Promise<T>): Promise<T> => {
		try {
			return await work();
		} catch (error) {
			signal.throwIfAborted();
			problems.push(`the ${what} of "${fields.name}" are not taken: ${toErrorMessage(error)}`);
			return otherwise;
		}
	};
	const toPluginPath = (path: string) => path.slice(root === '' ? 0 : root.length + 1);
	const commands = await tryPart('commands', [], () => markdownIn(plugin, 'commands', signal));
	return {
		skills: offers.map(({ folder, offer }) => ({ folder: toPluginPath(folder), name: offer.about.name })),
		commands: commands.map(({ path, name }) => ({ path: toPluginPath(path), name })),
		agents: (await tryPart('agents', [], () => markdownIn(plugin, 'agents', signal))).map(({ path }) =>
			toPluginPath(path),
		),
		hooks: await tryPart('hooks', {}, () => collectPluginHooks(plugin, (words) => problems.push(words), signal)),
		servers: await tryPart('MCP servers', {}, () =>
			collectPluginServers(plugin, (words) => problems.push(words), signal),
		),
		notTaken: await tryPart('other parts', [], () => listPartsNotTaken(plugin, signal)),
		problems,
	};
}

async function markdownIn(
	{ tree, root, fields, usesDefaults, places }: PluginInTree,
	kind: 'commands' | 'agents',
	signal: AbortSignal,
): Promise<{ readonly path: string; readonly name: string }[]> {
	const found = new Map<string, string>();
	const named = (fields[kind] ?? []).map((path) => joinTreePath(root, pathBelow(path)));
	for (const place of [...(usesDefaults ? places.map((each) => joinTreePath(each, kind)) : []), ...named]) {
		if (place.endsWith('.md')) {
			found.set(place, commandName(place.slice(place.lastIndexOf('/') + 1)));
			continue;
		}
		for (const file of await tree.filesBelow(place, signal)) {
			if (isCommandFile(basename(file))) found.set(joinTreePath(place, file), commandName(file));
		}
	}
	return [...found].map(([path, name]) => ({ path, name })).filter(({ name }) => name !== '');
}

/** `problem`: told of each hook that cannot be read; the others are taken. */
async function collectPluginHooks(
	plugin: PluginInTree,
	problem: (words: string) => void,
	signal: AbortSignal,
): Promise<Record<string, unknown[]>> {
	const found: WrittenHook[] = [];
	for (const written of await writtenIn(plugin, plugin.fields.hooks, plugin.places, PLUGIN_HOOK_FILES, signal)) {
		const { hooks, problems } = writtenHooks(written, 'any');
		found.push(...hooks);
		problems.forEach((each) => problem(`a hook of "${plugin.fields.name}" is not taken: ${each}`));
	}
	return groupHooksByEvent(found);
}

/** `problem`: told of each server that cannot be read; the others are taken. */
async function collectPluginServers(
	plugin: PluginInTree,
	problem: (words: string) => void,
	signal: AbortSignal,
): Promise<Record<string, unknown>> {
	const servers = new Map<string, unknown>();
	const places = [...new Set([plugin.root, ...plugin.places])];
	for (const written of await writtenIn(plugin, plugin.fields.mcpServers, places, SERVER_FILES, signal)) {
		for (const [name, entry] of listServerEntries(written)) {
			if (isObjectValue(entry) && name !== '' && name.length <= MAX_SERVER_NAME_CHARS) servers.set(name, entry);
			else
				problem(`the MCP server "${name.slice(0, 100)}" of "${plugin.fields.name}" is not taken: expected an object`);
		}
	}
	return Object.fromEntries(servers);
}

const MAX_SERVER_NAME_CHARS = 200;

/** Claude also accepts a file without a wrapper: the servers themselves, beside the address of a schema. */
function listServerEntries(written: unknown): readonly (readonly [string, unknown])[] {
	if (!isObjectValue(written)) throw new Error('expected an object with "mcpServers"');
	const { mcpServers, servers } = written;
	if (isObjectValue(mcpServers)) return Object.entries(mcpServers);
	if (isObjectValue(servers)) return Object.entries(servers);
	return Object.entries(written).filter(([, entry]) => typeof entry === 'object');
}

/** Written in place, in the files that are named, and in the first of the usual files; each once. */
async function writtenIn(
	{ tree, root, usesDefaults }: PluginInTree,
	field: unknown,
	places: readonly string[],
	usual: readonly string[],
	signal: AbortSignal,
): Promise<unknown[]> {
	const found = new Map<string, unknown>();
	for (const place of usesDefaults ? places : []) {
		const file = await readFirst(tree, place, usual, signal);
		if (file !== undefined) found.set(file.path, parsePluginJson(z.unknown(), file.text, file.path));
	}
	for (const each of flattenField(field)) {
		if (typeof each !== 'string') {
			found.set(JSON.stringify(each), each);
			continue;
		}
		const path = joinTreePath(root, pathBelow(each));
		const text = await readTreeText(tree, path, MAX_PLUGIN_FILE_BYTES, signal);
		if (text === undefined) throw new Error(`there is no file ${path}`);
		found.set(path, parsePluginJson(z.unknown(), text, path));
	}
	return [...found.values()];
}

/**
 * Returns the values written in a field as one list: the plugin's file and its entry may each hold one value or a list.
 */
function flattenField(field: unknown): unknown[] {
	return field === undefined || field === null ? [] : Array.isArray(field) ? field.flatMap(flattenField) : [field];
}

async function listPartsNotTaken({ tree, root, fields }: PluginInTree, signal: AbortSignal): Promise<string[]> {
	const hasLsp = fields.lspServers !== undefined || (await readFirst(tree, root, ['.lsp.json'], signal)) !== undefined;
	const folders = await tree.folders(root, signal);
	return [
		...(hasLsp ? ['LSP servers'] : []),
		...(fields.outputStyles !== undefined || folders.includes('output-styles') ? ['output styles'] : []),
	];
}
