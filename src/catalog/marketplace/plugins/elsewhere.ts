/** Plugins that do not lie beside their marketplace: in another repository, in a folder of one, or in a package of npm. */
import { parseGitLocation } from '../../../protocol/git-location.ts';
import type { Downloads } from '../download.ts';
import { fetchRepository, type GitAccess } from '../indexes/git-repository.ts';
import { GitTree } from '../indexes/git-tree.ts';
import { fetchNpmPackage } from './npm-package.ts';
import type { IndexTree } from '../indexes/index-tree.ts';
import { type Elsewhere, createPluginError } from '../indexes/plugin-files.ts';

interface ElsewhereAccess {
	readonly git: GitAccess;
	readonly downloads: Downloads;
	/** The index that names the plugin lies on this machine. */
	readonly isOfMachine: boolean;
}

export async function fetchElsewhere(
	from: Elsewhere,
	{ git, downloads, isOfMachine }: ElsewhereAccess,
	signal: AbortSignal,
): Promise<{ readonly tree: IndexTree; readonly root: string }> {
	const { source, repo, url, path = '', ref, sha } = from;
	if (source === 'npm') {
		return { tree: await fetchNpmPackage(from, git, signal), root: path };
	}
	const written = url ?? repo ?? '';
	const location = parseRepositoryAddress(written);
	if (location === undefined) {
		throw createPluginError(`"${written}" (${source}) is no repository that is read here`);
	}
	if (location.url.startsWith('file:') && !isOfMachine) {
		throw createPluginError(`"${written}" lies on this machine, and the index that names it does not`);
	}
	const { repository, commit } = await fetchRepository(
		{ url: location.url, ref: sha ?? ref ?? location.ref },
		git,
		downloads,
		signal,
	);
	if (sha !== undefined && commit !== sha.toLowerCase()) {
		throw createPluginError(`${location.url} gives the commit ${commit}, not ${sha}`);
	}
	return { tree: new GitTree(repository, commit), root: path === '' ? location.folder : path };
}

/** An address need not end in `.git` where it can be nothing else. */
function parseRepositoryAddress(written: string): ReturnType<typeof parseGitLocation> {
	return (
		parseGitLocation(written) ??
		(/^(?:https?|file):\/\//i.test(written) ? parseGitLocation(`git+${written}`) : undefined)
	);
}
