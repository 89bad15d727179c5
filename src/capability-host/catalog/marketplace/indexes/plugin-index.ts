/**
 * The forms others offer skills in: a `marketplace.json` of Claude Code and of VS Code, whose plugins lie beside it, and a
 * single plugin as Agent Plugins 1.0 or Claude Code have it; or only skills, in whatever folders. Of a plugin its skills are
 * offered, each by itself; what else it holds (servers, hooks, commands) is not taken, and a plugin without any skill says so.
 */
import * as z from '../../../../protocol/text/zod.ts';
import { isProwessError, ProwessError } from '../../../../protocol/errors.ts';
import type { IndexSource } from '../../../../protocol/marketplace.ts';
import { POWER_FILE, SKILL_FILE } from '../../../../protocol/manifest.ts';
import { problemsOf } from '../../../../protocol/text/schema-problem.ts';
import { manifestOfFiles } from '../../registry/reading/manifest-of-files.ts';
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
/** Where a plugin lies that is not beside its marketplace. */
const Elsewhere = z.object({
	source: z.string(),
	repo: z.string().max(2_000).optional(),
	url: z.string().max(2_000).optional(),
	path: z.string().max(2_000).optional(),
	ref: z.string().max(200).optional(),
	package: z.string().max(2_000).optional(),
});
const PluginEntry = z.object({
	...plugin,
	source: z.union([z.string().max(2_000), Elsewhere]),
	/** False: there is nothing in the plugin's own file that counts. */
	strict: z.boolean().default(true),
});
const MarketplaceFile = z.object({
	name: z.string().min(1).max(200),
	metadata: z.object({ pluginRoot: z.string().max(500).optional() }).optional(),
	plugins: z.array(z.unknown()).max(2_000),
});

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
		return await readSkillsOnly(tree, source, signal);
	}
	const alone = parsed(PluginFile, own.text, own.path);
	const folders = await skillFolders(tree, '', ['skills', ...(alone.skills ?? [])], signal);
	return {
		name: alone.name,
		...(await readSkills(
			tree,
			{ source, index: alone.name, by: alone.author, ...pluginAt(tree, '', alone) },
			folders,
			signal,
		)),
	};
}

/** A folder or repository that holds skills and no file that says so. What lies below a skill belongs to it. */
async function readSkillsOnly(
	tree: IndexTree,
	source: IndexSource,
	signal: AbortSignal,
): Promise<ReadIndex | undefined> {
	const files = await tree.filesNamed([SKILL_FILE, POWER_FILE], signal);
	const all = [...new Set(files.map((path) => path.slice(0, Math.max(0, path.lastIndexOf('/')))))];
	const folders = all.filter(
		(folder) => folder !== '' && !all.some((other) => other !== '' && folder.startsWith(`${other}/`)),
	);
	if (folders.length === 0) {
		return undefined;
	}
	const name = /([^/\\]+?)(?:\.git)?(?:#[^#]*)?[/\\]*$/.exec(source.location)?.[1] ?? source.location;
	const read = await readSkills(
		tree,
		{ source, index: name, by: undefined },
		folders.slice(0, MAX_PLUGIN_SKILLS),
		signal,
	);
	const more =
		folders.length > MAX_PLUGIN_SKILLS
			? [`${source.location}: ${folders.length} skills; only the first ${MAX_PLUGIN_SKILLS} are read`]
			: [];
	return { name, offers: read.offers, problems: [...read.problems, ...more] };
}

async function readMarketplace(
	tree: IndexTree,
	source: IndexSource,
	{ name, metadata, plugins }: z.infer<typeof MarketplaceFile>,
	signal: AbortSignal,
): Promise<ReadIndex> {
	const offers: Offer[] = [];
	const problems: string[] = [];
	// Several plugins may name the same skill.
	const seen = new Set<string>();
	for (const [at, raw] of plugins.entries()) {
		try {
			const entry = PluginEntry.safeParse(raw);
			if (!entry.success) {
				throw failed(problemsOf(entry.error));
			}
			const { folders, by, root } = await readEntry(tree, metadata?.pluginRoot ?? '', entry.data, signal);
			const fresh = folders.filter((folder) => !seen.has(folder));
			fresh.forEach((folder) => seen.add(folder));
			const found = await readSkills(
				tree,
				{ source, index: name, by, ...pluginAt(tree, root, entry.data) },
				fresh,
				signal,
			);
			offers.push(...found.offers);
			problems.push(...found.problems);
		} catch (error) {
			if (!isProwessError(error)) throw error;
			problems.push(`${source.location}: plugins.${at}: ${error.message}`);
		}
	}
	return { name, offers, problems };
}

interface OfPlugin {
	/** Of its skills. */
	readonly folders: readonly string[];
	readonly by: string | undefined;
	readonly root: string;
}

async function readEntry(
	tree: IndexTree,
	pluginRoot: string,
	entry: z.infer<typeof PluginEntry>,
	signal: AbortSignal,
): Promise<OfPlugin> {
	if (typeof entry.source !== 'string') {
		throw failed(`"${entry.name}" is elsewhere: ${elsewhereInWords(entry.source)}`);
	}
	const below = pathBelow(entry.source);
	// As Claude Code has it: a path that begins with ./ is one from the root of the marketplace.
	const root = entry.source.startsWith('./') ? below : joined(pathBelow(pluginRoot), below);
	if (!(await isFolder(tree, root, signal))) {
		throw failed(`"${entry.name}": there is no folder ${root}`);
	}
	const file = entry.strict ? await readFirst(tree, root, PLUGIN_FILES, signal) : undefined;
	const own = file === undefined ? undefined : parsed(PluginFile, file.text, file.path);
	const named = entry.skills ?? own?.skills ?? [];
	// What is not strict says all of itself in its entry.
	const isAll = !entry.strict && entry.skills !== undefined;
	const folders = await skillFolders(tree, root, isAll ? named : ['skills', ...named], signal);
	if (folders.length === 0) {
		const others = await othersIn(tree, root, signal);
		const words = others.length === 0 ? '' : `; its ${others.join(', ')} are not taken`;
		throw failed(`"${entry.name}" has no skill${words}`);
	}
	return { folders, by: entry.author ?? own?.author, root };
}

function elsewhereInWords({ source, repo, url, path, ref, package: name }: z.infer<typeof Elsewhere>): string {
	const address = url ?? (repo === undefined ? undefined : `https://github.com/${repo}.git`);
	if (address === undefined) {
		return name === undefined ? source : `the package ${name} of ${source}, which is not read here`;
	}
	const part = path === undefined && ref === undefined ? '' : `#${ref ?? ''}${path === undefined ? '' : `:${path}`}`;
	return `add ${address}${part} as an index of its own`;
}

async function isFolder(tree: IndexTree, path: string, signal: AbortSignal): Promise<boolean> {
	const at = path.lastIndexOf('/');
	return path === '' || (await tree.folders(path.slice(0, Math.max(0, at)), signal)).includes(path.slice(at + 1));
}

function pluginAt(tree: IndexTree, root: string, { name }: { readonly name: string }): Pick<Offer, 'plugin'> {
	return { plugin: { name, others: (signal) => othersIn(tree, root, signal) } };
}

/** What else a plugin may hold, by the names of its folders and files. */
async function othersIn(tree: IndexTree, root: string, signal: AbortSignal): Promise<readonly string[]> {
	const folders = await tree.folders(root, signal);
	const servers = await readFirst(tree, root, ['.mcp.json', 'mcp.json', '.lsp.json'], signal).catch(() => undefined);
	return [
		...['commands', 'agents', 'hooks'].filter((name) => folders.includes(name)),
		...(servers === undefined ? [] : ['servers']),
	];
}

interface About {
	readonly source: IndexSource;
	/** Name of the index. */
	readonly index: string;
	/** Who made them, where they do not say it themselves. */
	readonly by: string | undefined;
	readonly plugin?: Offer['plugin'];
}

/** Every skill is read alone: a bad one is a problem, and the others are offered. */
async function readSkills(
	tree: IndexTree,
	about: About,
	folders: readonly string[],
	signal: AbortSignal,
): Promise<Pick<ReadIndex, 'offers' | 'problems'>> {
	const offers: Offer[] = [];
	const problems: string[] = [];
	for (const path of folders) {
		try {
			offers.push(await readSkill(tree, about, path, signal));
		} catch (error) {
			if (!isProwessError(error)) throw error;
			problems.push(`${about.source.location}: ${error.message}`);
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
	for (const path of named) {
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
	{ source, index, by: author, plugin }: About,
	path: string,
	signal: AbortSignal,
): Promise<Offer> {
	const skill = await tree.readFile(`${path}/${SKILL_FILE}`, MAX_PLUGIN_FILE_BYTES, signal);
	const power =
		skill === undefined ? await tree.readFile(`${path}/${POWER_FILE}`, MAX_PLUGIN_FILE_BYTES, signal) : undefined;
	const file = { path: power === undefined ? SKILL_FILE : POWER_FILE, bytes: skill ?? power ?? Buffer.alloc(0) };
	const manifest = manifestOfFiles([file], path, {
		name: path.slice(path.lastIndexOf('/') + 1),
		type: undefined,
	});
	const { name, type, version, description, tags, permissions, level } = manifest;
	const by = manifest.author ?? author;
	return {
		about: {
			name,
			type,
			version,
			description,
			tags,
			permissions,
			level,
			...(by === undefined ? {} : { author: by.slice(0, 200) }),
		},
		index: { name: index, location: source.location },
		claim: undefined,
		...(plugin === undefined ? {} : { plugin }),
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
