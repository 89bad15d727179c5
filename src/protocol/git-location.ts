/**
 * Locations of repositories, as people write them: `owner/repo`, `github:owner/repo`, `git@host:owner/repo.git`, an address
 * with or without `.git`, and a page of a folder on GitHub. All become one address that git fetches without a key. After `#`
 * stand a branch or tag and, after a colon, a folder: `#v2:skills`.
 */

export interface GitLocation {
	/** `https:`, `http:` or `file:`. */
	readonly url: string;
	/** A branch or tag; undefined: what the repository has as HEAD. */
	readonly ref: string | undefined;
	/** Where the index lies in it; empty: at its root. */
	readonly folder: string;
}

/** Hosts on which an address of two segments is a repository. */
const HOSTS = 'github\\.com|gitlab\\.com|codeberg\\.org|bitbucket\\.org';
const REPOSITORY_PAGE = new RegExp(`^https://(?:www\\.)?(?:${HOSTS})/[^/]+/[^/]+?/?$`, 'i');
const FOLDER_PAGE = /^https:\/\/(?:www\.)?github\.com\/([^/]+)\/([^/]+)\/tree\/([^/]+)\/?(.*)$/i;
const SHORT = /^(?:github:)?([\w-][\w.-]*)\/([\w-][\w.-]*)$/i;
const SSH = /^(?:ssh:\/\/)?git@([^/:]+)[/:](.+)$/i;

/** Undefined when the location names no repository. */
export function parseGitLocation(location: string): GitLocation | undefined {
	const [, address = '', ref, folder = ''] = /^([^#]*)(?:#([^:]*)(?::(.*))?)?$/s.exec(location) ?? [];
	const [, owner, name, branch = '', below = ''] = FOLDER_PAGE.exec(address) ?? [];
	if (owner !== undefined && name !== undefined) {
		return { url: `https://github.com/${owner}/${dotGit(name)}`, ref: branch, folder: below.replace(/\/+$/, '') };
	}
	const url = parseRepositoryUrl(address);
	return url === undefined ? undefined : { url, ref: ref === '' ? undefined : ref, folder };
}

function parseRepositoryUrl(address: string): string | undefined {
	if (/^git\+(?:https?|file):\/\//i.test(address)) {
		return address.replace(/^git\+/i, '');
	}
	if (REPOSITORY_PAGE.test(address)) {
		return dotGit(address.replace(/\/$/, ''));
	}
	if (/^https?:\/\//i.test(address)) {
		return address.endsWith('.git') ? address : undefined;
	}
	const [, host, path] = SSH.exec(address) ?? [];
	if (host !== undefined && path !== undefined) {
		return `https://${host}/${dotGit(path)}`;
	}
	const [, owner, name] = SHORT.exec(address) ?? [];
	return owner === undefined || name === undefined ? undefined : `https://github.com/${owner}/${dotGit(name)}`;
}

function dotGit(address: string): string {
	return address.endsWith('.git') ? address : `${address}.git`;
}
