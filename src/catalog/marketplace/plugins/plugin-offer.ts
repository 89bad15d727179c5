/** A plugin as one thing that is offered: what lies beside its marketplace is looked through at once, what is elsewhere when somebody looks at it. */
import type { IndexSource } from '../../../protocol/capability/marketplace.ts';
import { PLUGINS_FOLDER, type PluginPart } from '../../../protocol/capability/plugin.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { text } from '../../../protocol/text/text.ts';
import { hookParts, isProgramFile, permissionsOfParts, serverParts } from '../../plugins/plugin-of-files.ts';
import { type IndexTree, pathBelow } from '../indexes/index-tree.ts';
import type { Offer, ReadIndex } from '../indexes/offer.ts';
import {
	createPluginError,
	joinTreePath,
	parsePluginJson,
	PLUGIN_MANIFEST_FILES,
	PluginFile,
	readFirst,
} from '../indexes/plugin-files.ts';
import { holdsSkill, readSkills, skillFolders } from '../indexes/plugin-skills.ts';
import { borrowParts } from './borrowed-parts.ts';
import { type FoundParts, foundParts, type PluginInTree } from './found-parts.ts';
import { mergedFields, type PluginFields } from './plugin-fields.ts';
import { pluginPackage } from './plugin-package.ts';

/** Where a plugin is read, and for whom. */
interface PluginWish {
	readonly tree: IndexTree;
	readonly root: string;
	/** Entry of the plugin in a marketplace; undefined: there is none. */
	readonly entry:
		| (PluginFields & { readonly strict: boolean; readonly tags?: readonly string[] | undefined })
		| undefined;
	readonly isShared: boolean;
	readonly source: IndexSource;
	/** Name of the index. */
	readonly index: string;
	/** Folders of skills that other plugins of the index offer already. */
	readonly seen?: Set<string>;
}

const AGENT_PLUGINS = /^https:\/\/agent-plugins\.org\//;
/** Files and folders named of a plugin that has nothing. */
const NAMED_FILES = 8;
/** Folders at the top of a plugin that hold an extension of Agent Plugins 1.0. */
const EXTENSIONS = ['com.github.copilot', 'com.anthropic.claude-code'];

/** The plugin, and its skills each by itself. Rejects with DOWNLOAD_FAILED where there is nothing in it. */
export async function readPlugin(
	wish: PluginWish,
	signal: AbortSignal,
): Promise<Pick<ReadIndex, 'offers' | 'problems'>> {
	const { root, entry, source, index, seen = new Set() } = wish;
	const file = entry?.strict === false ? undefined : await readFirst(wish.tree, root, PLUGIN_MANIFEST_FILES, signal);
	const own = file === undefined ? undefined : parsePluginJson(PluginFile, file.text, file.path);
	const merged = entry === undefined ? own : mergedFields(entry, own);
	if (merged === undefined) {
		throw createPluginError(`there is no plugin in ${root}`);
	}
	const borrowed = await borrowParts(wish.tree, root, { ...merged, extensions: own?.extensions }, signal);
	const { tree } = borrowed;
	const isStandard = AGENT_PLUGINS.test(own?.$schema ?? '');
	const fields = withBorrowed(isStandard ? standardOnly(merged) : merged, borrowed);
	// An entry that is not strict and lists skills lists all of the plugin, so the usual places are not searched.
	const usesDefaults = !(entry?.strict === false && entry.skills !== undefined);
	const plugin: PluginInTree = {
		tree,
		root,
		fields,
		isShared: wish.isShared,
		usesDefaults,
		places: isStandard ? EXTENSIONS.map((each) => joinTreePath(root, each)) : [root],
	};
	const folders = await skillFolders(
		tree,
		root,
		[...(usesDefaults ? ['skills'] : []), ...(fields.skills ?? [])],
		signal,
	);
	const name = normalizePluginName(fields);
	const about = { source, index, by: fields.author, plugin: name };
	const read = await readSkills(tree, about, folders, signal);
	const found = await foundParts(plugin, read.found, signal);
	const parts = { ...found, notTaken: [...found.notTaken, ...borrowed.notTaken] };
	const told = [...borrowed.problems, ...parts.problems].map((each) => `${source.location}: ${each}`);
	const problems = [...read.problems, ...told];
	const count = parts.skills.length + parts.commands.length + parts.agents.length;
	if (count + Object.keys(parts.hooks).length + Object.keys(parts.servers).length === 0) {
		if (problems.length > 0) return { offers: [], problems };
		// A plugin may be one skill and nothing around it.
		if (usesDefaults && root !== '' && (await holdsSkill(tree, root, signal))) {
			const { found: alone, problems: wrong } = await readSkills(tree, about, [root], signal);
			return { offers: alone.map(({ offer }) => offer), problems: wrong };
		}
		const others = parts.notTaken.length === 0 ? '' : `; its ${parts.notTaken.join(', ')} are not`;
		const there = [...new Set((await tree.filesBelow(root, signal)).map((path) => path.replace(/\/.*$/, '/')))];
		const more = there.length > NAMED_FILES ? ', …' : '';
		const held =
			there.length === 0 ? 'its folder is empty' : `in it lie ${there.slice(0, NAMED_FILES).join(', ')}${more}`;
		const why = 'no skill, command, agent, hook or MCP server';
		throw createPluginError(`"${fields.name}" has nothing that is taken: ${why}; ${held}${others}`);
	}
	const fresh = read.found.filter(({ folder }) => !seen.has(borrowed.findSource(folder)));
	folders.forEach((folder) => seen.add(borrowed.findSource(folder)));
	return { offers: [createPluginOffer(plugin, parts, name, wish), ...fresh.map(({ offer }) => offer)], problems };
}

/** A 1.0 package holds skills and servers; what else lies in it belongs to an extension. */
function standardOnly(fields: PluginFields): PluginFields {
	const { commands: _commands, agents: _agents, hooks: _hooks, mcpServers: _servers, ...rest } = fields;
	const { lspServers: _lsp, outputStyles: _styles, ...standard } = rest;
	return standard;
}

function withBorrowed(
	fields: PluginFields,
	borrowed: Readonly<Record<'skills' | 'agents' | 'commands', readonly string[]>>,
): PluginFields {
	const joinPaths = (kind: 'skills' | 'agents' | 'commands') => {
		const all = [...(fields[kind] ?? []), ...borrowed[kind]];
		return all.length === 0 ? fields[kind] : all;
	};
	return { ...fields, skills: joinPaths('skills'), agents: joinPaths('agents'), commands: joinPaths('commands') };
}

/** `fetchTree`: of one that lies elsewhere, once somebody looks at it. */
export function offerElsewhere(
	fetchTree: (signal: AbortSignal) => Promise<{ readonly tree: IndexTree; readonly root: string }>,
	wish: Omit<PluginWish, 'tree' | 'root' | 'isShared'> & { readonly entry: NonNullable<PluginWish['entry']> },
): Offer {
	const { entry, source, index } = wish;
	const name = normalizePluginName(entry);
	return {
		...createOfferBase(name, entry, wish),
		isUntold: true,
		isRemote: true,
		async fetch(signal) {
			refuseUnsigned(name, source);
			const { tree, root } = await fetchTree(signal);
			const { offers, problems } = await readPlugin({ ...wish, tree, root: pathBelow(root), isShared: false }, signal);
			const [plugin] = offers;
			if (plugin === undefined) throw createPluginError(problems.join('; '));
			return await plugin.fetch(signal);
		},
		index: { name: index, location: source.location },
	};
}

function createPluginOffer(plugin: PluginInTree, parts: FoundParts, name: string, wish: PluginWish): Offer {
	const { source } = wish;
	const { fields } = plugin;
	const listed: readonly Pick<PluginPart, 'kind' | 'name'>[] = [
		...parts.skills.map((each) => ({ kind: 'skill' as const, name: each.name })),
		...parts.commands.map((each) => ({ kind: 'command' as const, name: each.name })),
		...parts.agents.map((path) => ({
			kind: 'agent' as const,
			name: path.slice(path.lastIndexOf('/') + 1).replace(/(?:\.agent)?\.md$/i, ''),
		})),
		...hookParts(parts.hooks),
		...serverParts(parts.servers),
	];
	const offer = createOfferBase(name, { ...fields, tags: wish.entry?.tags }, wish);
	return {
		...offer,
		about: { ...offer.about, permissions: permissionsOfParts(listed) },
		isRemote: false,
		hasScripts: async (signal) =>
			listed.some(({ kind }) => kind === 'hook' || kind === 'server') ||
			(await plugin.tree.filesBelow(plugin.root, signal)).some(isProgramFile),
		async fetch(signal) {
			refuseUnsigned(name, source);
			const { version, description, author, tags } = offer.about;
			const about = { name, version, description, tags, ...(author === undefined ? {} : { author }) };
			return { files: await pluginPackage(plugin, parts, about, signal), sha256: undefined };
		},
	};
}

function createOfferBase(
	name: string,
	{
		version = '1.0.0',
		description = '',
		author,
		keywords = [],
		tags = [],
	}: PluginFields & { readonly tags?: readonly string[] | undefined },
	{ source, index }: Pick<PluginWish, 'source' | 'index'>,
): Omit<Offer, 'fetch' | 'isRemote'> {
	const words = [...new Set([...tags, ...keywords].map((tag) => tag.slice(0, 100)))].filter((tag) => tag !== '');
	return {
		about: {
			name,
			type: PLUGINS_FOLDER,
			version: version === '' ? '1.0.0' : version,
			description: description.slice(0, 2_000),
			...(author === undefined ? {} : { author: author.slice(0, 200) }),
			tags: words.slice(0, 100),
			permissions: [],
			level: 'RESTRICTED',
		},
		index: { name: index, location: source.location },
		claim: undefined,
		requiredKey: source.key,
	};
}

/** Returns the plugin's name in the form that folders, rules and names of its parts use. */
function normalizePluginName({ name }: Pick<PluginFields, 'name'>): string {
	const plain = name
		.normalize('NFKD')
		.toLowerCase()
		.replaceAll(/[^a-z0-9.]+/g, '-')
		.replaceAll(/\.{2,}/g, '.')
		.slice(0, 64)
		.replaceAll(/^[.-]+|[.-]+$/g, '');
	if (plain === '') {
		throw new ProwessError('DOWNLOAD_FAILED', `"${name}" has no letter or digit in its name`, {
			said: text('"{name}" has no letter or digit in its name.', { name }),
		});
	}
	return plain;
}

function refuseUnsigned(name: string, { key, location }: IndexSource): void {
	if (key !== undefined) {
		throw createPluginError(`the plugin ${name} of ${location} is not signed, and must be by ${key}`);
	}
}
