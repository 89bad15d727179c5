/** The files of a plugin as they are installed: its own, and what says in one form which parts it has. */
import { isProwessError } from '../../../protocol/errors/errors.ts';
import {
	PLUGIN_COMMANDS,
	PLUGIN_HOOKS,
	PLUGIN_MANIFEST,
	PLUGIN_NOTES,
	PLUGIN_SERVERS,
	type PluginManifest,
} from '../../../protocol/capability/plugin.ts';
import { commandAsSkill } from '../../command-file.ts';
import { MAX_FILES } from '../../limits.ts';
import { createPluginError } from '../indexes/plugin-files.ts';
import { checkEntryNames } from '../package/entry-names.ts';
import { refuseHiddenText } from '../../registry/reading/hidden-text.ts';
import type { PackageFile } from '../../package-file.ts';
import type { FoundParts, PluginInTree } from './found-parts.ts';

type AboutPlugin = Pick<PluginManifest, 'name' | 'version' | 'description' | 'author' | 'tags'>;

export async function pluginPackage(
	plugin: PluginInTree,
	parts: FoundParts,
	about: AboutPlugin,
	signal: AbortSignal,
): Promise<readonly PackageFile[]> {
	const { tree, root, isShared } = plugin;
	const all = (await tree.filesBelow(root, signal)).filter((path) => !path.startsWith(`${PLUGIN_NOTES}/`));
	const wanted = all.filter((path) => mayBeInstalled(path) && (!isShared || isFileOfPlugin(path, parts)));
	if (wanted.length > MAX_FILES) {
		throw createPluginError(`the plugin ${about.name} has ${wanted.length} files, the limit is ${MAX_FILES}`);
	}
	const own = await tree.readFiles(root, wanted, signal);
	const hasFile = (path: string) => own.some((each) => each.path === path);
	const commands = parts.commands.filter(({ path }) => hasFile(path));
	const manifest: PluginManifest = {
		prowessPlugin: 1,
		...about,
		skills: [...parts.skills.map(({ folder }) => folder), ...commands.map(({ name }) => `${PLUGIN_COMMANDS}/${name}`)],
		agents: parts.agents.filter(hasFile),
		notTaken: [...parts.notTaken, ...describeLeftOut(all)],
	};
	const files = [
		...own,
		...commands.map(({ path, name }) =>
			asSkill(
				own.find((each) => each.path === path),
				name,
			),
		),
		jsonFile(PLUGIN_MANIFEST, manifest),
		...(Object.keys(parts.hooks).length === 0 ? [] : [jsonFile(PLUGIN_HOOKS, { hooks: parts.hooks })]),
		...(Object.keys(parts.servers).length === 0 ? [] : [jsonFile(PLUGIN_SERVERS, { mcpServers: parts.servers })]),
	];
	checkEntryNames(files.map(({ path }) => ({ path, isFolder: false })));
	refuseHiddenText(files);
	return files;
}

/**
 * True when a file of a plugin may be installed. Files that control other tools stay behind: `prowess-plugin` files
 * record the plugin's servers and hooks instead.
 */
function mayBeInstalled(path: string): boolean {
	try {
		checkEntryNames([{ path, isFolder: false }]);
		return true;
	} catch (error) {
		if (!isProwessError(error)) throw error;
		return false;
	}
}

/** Returns the files that are left out, in words. MCP files are not counted, because a file of ours replaces them. */
function describeLeftOut(all: readonly string[]): string[] {
	const left = all.filter((path) => !mayBeInstalled(path) && !/^\.?mcp\.json$/.test(path));
	const [first] = left;
	return first === undefined ? [] : [`${left.length} files that control other tools, such as ${first.slice(0, 200)}`];
}

/**
 * True when a file in a folder that several plugins share belongs to this one: its parts, and the folders where
 * programs of hooks usually lie.
 */
function isFileOfPlugin(path: string, { skills, commands, agents }: FoundParts): boolean {
	return (
		skills.some(({ folder }) => path.startsWith(`${folder}/`)) ||
		commands.some((each) => each.path === path) ||
		agents.includes(path) ||
		/^(?:hooks|scripts|servers)\//.test(path) ||
		/^(?:licen[cs]e|readme)(?:\.\w+)?$/i.test(path)
	);
}

function asSkill(file: PackageFile | undefined, name: string): PackageFile {
	const content = commandAsSkill(file?.bytes.toString('utf8') ?? '', file?.path ?? '', name);
	return { path: `${PLUGIN_COMMANDS}/${name}/SKILL.md`, bytes: Buffer.from(content) };
}

function jsonFile(path: string, value: unknown): PackageFile {
	return { path, bytes: Buffer.from(`${JSON.stringify(value, null, '\t')}\n`) };
}
