/**
 * The forms others offer skills in: a `marketplace.json` of Claude Code and of VS Code, whose plugins lie beside it or elsewhere,
 * and a single plugin as Agent Plugins 1.0 or Claude Code have it; or only skills, in whatever folders. A plugin is offered as
 * one thing, and each of its skills also by itself.
 */
import type * as z from '../../../protocol/text/zod.ts';
import { isProwessError } from '../../../protocol/errors/errors.ts';
import type { IndexSource } from '../../../protocol/capability/marketplace.ts';
import { AGENT_OS_FILE, capabilityManifestsIn, TELLING_FILES } from '../../../protocol/capability/manifest.ts';
import { saysAgentOsName } from '../../../protocol/manifest/agent-os-md.ts';
import { formatSchemaProblems } from '../../../protocol/text/schema-problem.ts';
import { MAX_PLUGIN_FILE_BYTES, MAX_PLUGIN_SKILLS } from '../limits.ts';
import { type IndexTree, pathBelow, readTreeText } from './index-tree.ts';
import type { Offer, ReadIndex } from './offer.ts';
import {
	type Elsewhere,
	createPluginError,
	joinTreePath,
	MARKETPLACE_FILES,
	MarketplaceFile,
	parsePluginJson,
	PLUGIN_MANIFEST_FILES,
	PluginEntry,
	PluginFile,
	readFirst,
} from './plugin-files.ts';
import { readSkills } from './plugin-skills.ts';
import { offerElsewhere, readPlugin } from '../plugins/plugin-offer.ts';

/** Gets the files of a plugin that does not lie beside its marketplace. Rejects with DOWNLOAD_FAILED. */
export type FetchElsewhere = (
	from: Elsewhere,
	signal: AbortSignal,
) => Promise<{ readonly tree: IndexTree; readonly root: string }>;

/** Where plugins may lie that are not beside their marketplace. */
const ELSEWHERE_KINDS: readonly string[] = ['github', 'url', 'git-subdir', 'git', 'npm'];
const GEMINI_FILE = 'gemini-extension.json';

/** Undefined when it is none of these. */
export async function readPluginIndex(
	tree: IndexTree,
	source: IndexSource,
	elsewhere: FetchElsewhere,
	signal: AbortSignal,
): Promise<ReadIndex | undefined> {
	const listed = await readFirst(tree, '', MARKETPLACE_FILES, signal);
	if (listed !== undefined) {
		return await readMarketplace(
			tree,
			source,
			parsePluginJson(MarketplaceFile, listed.text, listed.path),
			elsewhere,
			signal,
		);
	}
	const own = await readFirst(tree, '', PLUGIN_MANIFEST_FILES, signal);
	if (own === undefined) {
		return await readSkillsOnly(tree, source, signal);
	}
	const { name } = parsePluginJson(PluginFile, own.text, own.path);
	const wish = { tree, root: '', entry: undefined, isShared: false, source, index: name };
	return { name, ...(await readPlugin(wish, signal)) };
}

/**
 * Reads a folder or repository that holds capabilities but no file that lists them. Capabilities below another
 * capability belong to it and are not offered. Resolves to undefined when it holds none.
 */
async function readSkillsOnly(
	tree: IndexTree,
	source: IndexSource,
	signal: AbortSignal,
): Promise<ReadIndex | undefined> {
	const files = await tree.filesNamed([...TELLING_FILES, '*.py'], signal);
	const byFolder = Map.groupBy(files, (path) => path.slice(0, Math.max(0, path.lastIndexOf('/'))));
	const all: string[] = [];
	let untold = 0;
	for (const [folder, paths] of byFolder) {
		const names = paths.map((path) => path.slice(path.lastIndexOf('/') + 1));
		const [manifest] = capabilityManifestsIn(names);
		if (manifest === undefined) continue;
		// Programs with a readme.md lie in many repositories: only that of AgentOS says what it is called.
		if (manifest !== AGENT_OS_FILE || names.includes('skill.py')) {
			all.push(folder);
			continue;
		}
		untold += 1;
		if (untold > MAX_PLUGIN_SKILLS) continue;
		const readme = await readFirst(tree, folder, [AGENT_OS_FILE], signal);
		if (saysAgentOsName(readme?.text ?? '')) all.push(folder);
	}
	const below = all.filter((folder) => folder !== '');
	const isAtTop = below.length < all.length;
	const folders =
		isAtTop && below.length === 0
			? ['']
			: below.filter((folder) => !below.some((other) => folder.startsWith(`${other}/`)));
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
	const offers = read.found.map(({ offer }) => offer);
	const more =
		folders.length > MAX_PLUGIN_SKILLS
			? [`${source.location}: ${folders.length} skills; only the first ${MAX_PLUGIN_SKILLS} are read`]
			: [];
	const top =
		isAtTop && below.length > 0
			? [`${source.location}: the capability at its top is not offered, because others lie below it`]
			: [];
	const extension = await readTreeText(tree, GEMINI_FILE, MAX_PLUGIN_FILE_BYTES, signal);
	const others =
		extension === undefined
			? []
			: [
					`${source.location}: it is an extension of Gemini CLI; its skills are offered, its servers, commands and context are not taken`,
				];
	return { name, offers, problems: [...read.problems, ...more, ...top, ...others] };
}

async function readMarketplace(
	tree: IndexTree,
	source: IndexSource,
	{ name, metadata, plugins }: z.infer<typeof MarketplaceFile>,
	elsewhere: FetchElsewhere,
	signal: AbortSignal,
): Promise<ReadIndex> {
	const offers: Offer[] = [];
	const problems: string[] = [];
	// Several plugins may name the same skill.
	const seen = new Set<string>();
	const roots = plugins.map((raw) => (raw as { readonly source?: unknown } | null)?.source);
	for (const [at, raw] of plugins.entries()) {
		try {
			const entry = PluginEntry.safeParse(raw);
			if (!entry.success) {
				throw createPluginError(formatSchemaProblems(entry.error));
			}
			const { source: from, ...fields } = entry.data;
			const wish = { entry: fields, source, index: name, seen };
			if (typeof from !== 'string' && from.source !== 'local') {
				if (!ELSEWHERE_KINDS.includes(from.source)) {
					throw createPluginError(
						`"${fields.name}": a source "${from.source}" is not read here, only ${ELSEWHERE_KINDS.join(', ')}`,
					);
				}
				offers.push(offerElsewhere((within) => elsewhere(from, within), wish));
				continue;
			}
			const path = typeof from === 'string' ? from : from.path;
			if (path === undefined) throw createPluginError(`"${fields.name}": its local source has no path`);
			const root = await resolvePluginRoot(tree, metadata?.pluginRoot ?? '', fields.name, path, signal);
			const isShared = root === '' && roots.filter((each) => each === from).length > 1;
			const found = await readPlugin({ ...wish, tree, root, isShared }, signal);
			offers.push(...found.offers);
			problems.push(...found.problems);
		} catch (error) {
			if (!isProwessError(error)) throw error;
			problems.push(`${source.location}: plugins.${at}: ${error.message}`);
		}
	}
	return { name, offers, problems };
}

async function resolvePluginRoot(
	tree: IndexTree,
	pluginRoot: string,
	name: string,
	from: string,
	signal: AbortSignal,
): Promise<string> {
	const below = pathBelow(from);
	// Follows Claude Code: a path that begins with ./ starts from the root of the marketplace.
	const root = from.startsWith('./') ? below : joinTreePath(pathBelow(pluginRoot), below);
	if (!(await isTreeFolder(tree, root, signal))) {
		throw createPluginError(`"${name}": there is no folder ${root}`);
	}
	return root;
}

async function isTreeFolder(tree: IndexTree, path: string, signal: AbortSignal): Promise<boolean> {
	const at = path.lastIndexOf('/');
	return path === '' || (await tree.folders(path.slice(0, Math.max(0, at)), signal)).includes(path.slice(at + 1));
}
