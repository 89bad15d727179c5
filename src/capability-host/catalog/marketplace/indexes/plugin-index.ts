/**
 * The forms others offer skills in: a `marketplace.json` of Claude Code and of VS Code, whose plugins lie beside it, and a
 * single plugin as Agent Plugins 1.0 or Claude Code have it; or only skills, in whatever folders. Of a plugin its skills are
 * offered, each by itself; what else it holds (servers, hooks, commands) is not taken, and a plugin without any skill says so.
 */
import type * as z from '../../../../protocol/text/zod.ts';
import { isProwessError } from '../../../../protocol/errors.ts';
import type { IndexSource } from '../../../../protocol/marketplace.ts';
import { POWER_FILE, SKILL_FILE } from '../../../../protocol/manifest.ts';
import { problemsOf } from '../../../../protocol/text/schema-problem.ts';
import { MAX_PLUGIN_SKILLS } from '../limits.ts';
import { type IndexTree, pathBelow } from './index-tree.ts';
import type { Offer, ReadIndex } from './offer.ts';
import {
	elsewhereInWords,
	failed,
	joined,
	MARKETPLACE_FILES,
	MarketplaceFile,
	othersIn,
	parsed,
	PLUGIN_FILES,
	PluginEntry,
	PluginFile,
	readFirst,
} from './plugin-files.ts';
import { readSkills, skillFolders } from './plugin-skills.ts';

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

async function isFolder(tree: IndexTree, path: string, signal: AbortSignal): Promise<boolean> {
	const at = path.lastIndexOf('/');
	return path === '' || (await tree.folders(path.slice(0, Math.max(0, at)), signal)).includes(path.slice(at + 1));
}

function pluginAt(tree: IndexTree, root: string, { name }: { readonly name: string }): Pick<Offer, 'plugin'> {
	return { plugin: { name, others: (signal) => othersIn(tree, root, signal) } };
}
