/**
 * The forms others offer skills in: a `marketplace.json` of Claude Code and of VS Code, whose plugins lie beside it, and a
 * single plugin as Agent Plugins 1.0 or Claude Code have it. Of a plugin its skills are offered, each by itself; what else it
 * holds (servers, hooks, commands) is not taken.
 */
import * as z from '../../../../protocol/zod.ts';
import { isProwessError, ProwessError } from '../../../../protocol/errors.ts';
import type { IndexSource } from '../../../../protocol/marketplace.ts';
import { SKILL_FILE } from '../../../../protocol/manifest.ts';
import { problemsOf } from '../../../../protocol/schema-problem.ts';
import { manifestOfFiles } from '../../registry/manifest-of-files.ts';
import { MAX_PLUGIN_FILE_BYTES, MAX_PLUGIN_SKILLS } from '../limits.ts';
import { type IndexTree, pathBelow, readText } from './index-tree.ts';
import type { Offer, ReadIndex } from './offer.ts';

/** Where VS Code and Claude Code look, in their order. */
const MARKETPLACE_FILES = [
	'marketplace.json',
	'.plugin/marketplace.json',
	'.github/plugin/marketplace.json',
	'.claude-plugin/marketplace.json',
];
const PLUGIN_FILES = ['plugin.json', '.plugin/plugin.json', '.claude-plugin/plugin.json'];

const Author = z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]);
const Skills = z.union([z.string().transform((path) => [path]), z.array(z.string()).max(MAX_PLUGIN_SKILLS)]);
const plugin = {
	name: z.string().min(1).max(200),
	version: z.string().max(100).optional(),
	author: Author.optional(),
	/** Besides those in `skills/`. */
	skills: Skills.optional(),
};
const PluginFile = z.object(plugin);
const PluginEntry = z.object({
	...plugin,
	source: z.union([z.string().max(2_000), z.object({ source: z.string() })]),
	/** False: there is nothing in the plugin's own file that counts. */
	strict: z.boolean().default(true),
});
const MarketplaceFile = z.object({
	name: z.string().min(1).max(200),
	metadata: z.object({ pluginRoot: z.string().max(500).optional() }).optional(),
	plugins: z.array(z.unknown()).max(2_000),
});

type Plugin = z.infer<typeof PluginFile>;

/** Undefined when it is none of these. */
export async function readPluginIndex(
	tree: IndexTree,
	source: IndexSource,
	signal: AbortSignal,
): Promise<ReadIndex | undefined> {
	const listed = await readFirst(tree, '', MARKETPLACE_FILES, signal);
	if (listed !== undefined) {
		return await readMarketplace(tree, source, parsed(MarketplaceFile, listed.text, listed.path), signal);
	}
	const own = await readFirst(tree, '', PLUGIN_FILES, signal);
	if (own === undefined) {
		return undefined;
	}
	const alone = parsed(PluginFile, own.text, own.path);
	return { name: alone.name, ...(await skillsOf(tree, source, alone.name, '', alone, signal)) };
}

async function readMarketplace(
	tree: IndexTree,
	source: IndexSource,
	{ name, metadata, plugins }: z.infer<typeof MarketplaceFile>,
	signal: AbortSignal,
): Promise<ReadIndex> {
	const offers: Offer[] = [];
	const problems: string[] = [];
	for (const [at, raw] of plugins.entries()) {
		try {
			const entry = PluginEntry.safeParse(raw);
			if (!entry.success) {
				throw failed(problemsOf(entry.error));
			}
			const found = await readEntry(tree, source, name, metadata?.pluginRoot ?? '', entry.data, signal);
			offers.push(...found.offers);
			problems.push(...found.problems);
		} catch (error) {
			if (!isProwessError(error)) throw error;
			problems.push(`${source.location}: plugins.${at}: ${error.message}`);
		}
	}
	return { name, offers, problems };
}

async function readEntry(
	tree: IndexTree,
	source: IndexSource,
	index: string,
	pluginRoot: string,
	entry: z.infer<typeof PluginEntry>,
	signal: AbortSignal,
): Promise<Pick<ReadIndex, 'offers' | 'problems'>> {
	if (typeof entry.source !== 'string') {
		throw failed(`"${entry.name}" lies elsewhere (${entry.source.source}); list its repository as an index of its own`);
	}
	const root = joined(pathBelow(pluginRoot), pathBelow(entry.source));
	const file = entry.strict ? await readFirst(tree, root, PLUGIN_FILES, signal) : undefined;
	const own = file === undefined ? undefined : parsed(PluginFile, file.text, file.path);
	return await skillsOf(tree, source, index, root, { ...own, ...entry }, signal);
}

/** Every skill is read alone: a bad one is a problem, and the others are offered. */
async function skillsOf(
	tree: IndexTree,
	source: IndexSource,
	index: string,
	root: string,
	about: Pick<Plugin, 'version' | 'author' | 'skills'>,
	signal: AbortSignal,
): Promise<Pick<ReadIndex, 'offers' | 'problems'>> {
	const offers: Offer[] = [];
	const problems: string[] = [];
	for (const path of await skillFolders(tree, root, about.skills ?? [], signal)) {
		try {
			offers.push(await readSkill(tree, source, index, path, about, signal));
		} catch (error) {
			if (!isProwessError(error)) throw error;
			problems.push(`${source.location}: ${error.message}`);
		}
	}
	return { offers, problems };
}

/** A path names a skill, or a folder of skills. */
async function skillFolders(
	tree: IndexTree,
	root: string,
	named: readonly string[],
	signal: AbortSignal,
): Promise<string[]> {
	const found = new Set<string>();
	for (const path of ['skills', ...named]) {
		const folder = joined(root, pathBelow(path));
		if (
			folder !== '' &&
			(await tree.readFile(`${folder}/${SKILL_FILE}`, MAX_PLUGIN_FILE_BYTES, signal)) !== undefined
		) {
			found.add(folder);
			continue;
		}
		for (const name of await tree.folders(folder, signal)) {
			if (found.size >= MAX_PLUGIN_SKILLS) {
				throw failed(`more than ${MAX_PLUGIN_SKILLS} skills`);
			}
			const below = joined(folder, name);
			if ((await tree.readFile(`${below}/${SKILL_FILE}`, MAX_PLUGIN_FILE_BYTES, signal)) !== undefined) {
				found.add(below);
			}
		}
	}
	return [...found];
}

async function readSkill(
	tree: IndexTree,
	source: IndexSource,
	index: string,
	path: string,
	{ author }: Pick<Plugin, 'author'>,
	signal: AbortSignal,
): Promise<Offer> {
	const bytes = await tree.readFile(`${path}/${SKILL_FILE}`, MAX_PLUGIN_FILE_BYTES, signal);
	const manifest = manifestOfFiles([{ path: SKILL_FILE, bytes: bytes ?? Buffer.alloc(0) }], path, {
		name: undefined,
		type: undefined,
	});
	const { name, type, version, description, tags, permissions, level } = manifest;
	const by = manifest.author ?? author;
	return {
		about: {
			...{ name, type, version, description, tags, permissions, level },
			...(by === undefined ? {} : { author: by.slice(0, 200) }),
		},
		index: { name: index, location: source.location },
		claim: undefined,
		requiredKey: source.key,
		isRemote: false,
		async fetch(within) {
			if (source.key !== undefined) {
				throw failed(`the skill ${name} of ${source.location} is not signed, and must be by ${source.key}`);
			}
			return { files: await tree.readFolder(path, within), sha256: undefined };
		},
	};
}

async function readFirst(
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

function parsed<S extends z.ZodType>(schema: S, text: string, path: string): z.output<S> {
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

function joined(folder: string, below: string): string {
	return [folder, below].filter((part) => part !== '').join('/');
}

function failed(why: string, cause?: unknown): ProwessError {
	return new ProwessError('DOWNLOAD_FAILED', why, {}, cause);
}
