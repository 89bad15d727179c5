/** Skills of a plugin, or of folders that hold nothing else: which there are, and each as it is offered. */
import { isProwessError } from '../../../protocol/errors/errors.ts';
import {
	AGENT_OS_FILE,
	agentOsModules,
	capabilityManifestsIn,
	SKILL_FILES,
	TELLING_FILES,
} from '../../../protocol/capability/manifest.ts';
import type { IndexSource } from '../../../protocol/capability/marketplace.ts';
import { isProgramFile } from '../../plugins/plugin-of-files.ts';
import { manifestOfFiles } from '../../registry/reading/manifest-of-files.ts';
import { MAX_PLUGIN_FILE_BYTES, MAX_PLUGIN_SKILLS } from '../limits.ts';
import type { PackageFile } from '../../package-file.ts';
import { type IndexTree, pathBelow } from './index-tree.ts';
import type { Offer } from './offer.ts';
import { createPluginError, joinTreePath } from './plugin-files.ts';

interface About {
	readonly source: IndexSource;
	/** Name of the index. */
	readonly index: string;
	/** Author of the skills, for those that name none themselves. */
	readonly by: string | undefined;
	/** Name of the plugin that they are a part of. */
	readonly plugin?: string;
}

interface ReadSkills {
	readonly found: readonly { readonly folder: string; readonly offer: Offer }[];
	readonly problems: readonly string[];
}

/** Every skill is read alone: a bad one is a problem, and the others are offered. */
export async function readSkills(
	tree: IndexTree,
	about: About,
	folders: readonly string[],
	signal: AbortSignal,
): Promise<ReadSkills> {
	const found: { folder: string; offer: Offer }[] = [];
	const problems: string[] = [];
	for (const path of folders) {
		try {
			found.push({ folder: path, offer: await readSkill(tree, about, path, signal) });
		} catch (error) {
			if (!isProwessError(error)) throw error;
			problems.push(`${about.source.location}: ${error.message}`);
		}
	}
	return { found, problems };
}

/** A path names a skill, or a folder of skills. */
export async function skillFolders(
	tree: IndexTree,
	root: string,
	named: readonly string[],
	signal: AbortSignal,
): Promise<string[]> {
	const found = new Set<string>();
	for (const path of named) {
		const folder = joinTreePath(root, pathBelow(path));
		if (folder !== '' && (await skillFileIn(tree, folder, signal)) !== undefined) {
			found.add(folder);
			continue;
		}
		for (const name of await tree.folders(folder, signal)) {
			if (found.size >= MAX_PLUGIN_SKILLS) {
				throw createPluginError(`more than ${MAX_PLUGIN_SKILLS} skills`);
			}
			const below = joinTreePath(folder, name);
			if ((await skillFileIn(tree, below, signal)) !== undefined) {
				found.add(below);
			}
		}
	}
	return [...found];
}

/** True for a folder that is a skill itself. */
export async function holdsSkill(tree: IndexTree, folder: string, signal: AbortSignal): Promise<boolean> {
	return (await skillFileIn(tree, folder, signal)) !== undefined;
}

/** Some authors write its name in lower case. */
async function skillFileIn(tree: IndexTree, folder: string, signal: AbortSignal): Promise<PackageFile | undefined> {
	for (const name of SKILL_FILES) {
		const file = await readTreeFile(tree, folder, name, signal);
		if (file !== undefined) return file;
	}
	return undefined;
}

async function readTreeFile(
	tree: IndexTree,
	folder: string,
	name: string,
	signal: AbortSignal,
): Promise<PackageFile | undefined> {
	const bytes = await tree.readFile(joinTreePath(folder, name), MAX_PLUGIN_FILE_BYTES, signal);
	return bytes === undefined ? undefined : { path: name, bytes };
}

async function readSkill(
	tree: IndexTree,
	{ source, index, by: author, plugin }: About,
	path: string,
	signal: AbortSignal,
): Promise<Offer> {
	const read = await Promise.all(TELLING_FILES.map((name) => readTreeFile(tree, path, name, signal)));
	const files = read.filter((each) => each !== undefined);
	if (files.some((file) => file.path === AGENT_OS_FILE)) {
		// Their names alone decide which is its program.
		const modules = agentOsModules(await tree.filesBelow(path, signal));
		files.push(...modules.map((name) => ({ path: name, bytes: Buffer.alloc(0) })));
	}
	if (capabilityManifestsIn(files.map((file) => file.path)).length === 0) {
		throw createPluginError(`there is no ${SKILL_FILES[0]} in ${path}`);
	}
	const manifest = manifestOfFiles(files, path, {
		name: path === '' ? index : path.slice(path.lastIndexOf('/') + 1),
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
		...(plugin === undefined ? {} : { plugin: { name: plugin } }),
		requiredKey: source.key,
		isRemote: false,
		hasScripts: async (within) => (await tree.filesBelow(path, within)).some(isProgramFile),
		async fetch(within) {
			if (source.key !== undefined) {
				throw createPluginError(`the skill ${name} of ${source.location} is not signed, and must be by ${source.key}`);
			}
			return { files: await tree.readFolder(path, within), sha256: undefined };
		},
	};
}
