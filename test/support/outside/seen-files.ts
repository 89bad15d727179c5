/** Files as they look, to see later what has become of them. */
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Entries that tools obey, wherever they lie in a workspace. */
const OBEYED_NAME =
	/(?:^|\/)(?:\.git\/(?:hooks|modules)(?:\/|$)|\.git\/(?:config|config\.worktree|commondir|info\/attributes)$|\.(?:vscode|idea|devcontainer|prowess|claude|cursor|gemini|codex|husky|githooks|circleci|direnv)(?:\/|$)|\.github\/workflows(?:\/|$)|\.(?:mcp\.json|npmrc|yarnrc\.yml|pnpmfile\.cjs|envrc|env|env\.[\w.]+|gitlab-ci\.yml|pre-commit-config\.yaml|bashrc|profile|gdbinit|vimrc|exrc|dir-locals\.el|tool-versions|ripgreprc)$|lefthook\.yml$|mise\.toml$|[^/]+\.code-workspace$)/;

/**
 * Returns the look of each file and folder below the folder, by path. `isSkipped`: omits the path and everything in it.
 */
export function allIn(folder: string, isSkipped: (path: string) => boolean): Map<string, string> {
	return seenIn(folder, (path, isFolder) => (isSkipped(path) ? 'neither' : isFolder ? 'both' : 'it'));
}

/**
 * Returns the look of those files of a workspace that tools obey. Empty folders are omitted: they steer nothing,
 * wherever they lie.
 */
export function obeyedIn(workspace: string): Map<string, string> {
	return seenIn(workspace, (path, isFolder) => {
		if (!isObeyed(path, path.slice(workspace.length + 1))) return isFolder ? 'below' : 'neither';
		if (!isFolder) return 'it';
		return looksLikeRepository(path) ? 'both' : 'below';
	});
}

type Seen = 'it' | 'below' | 'both' | 'neither';

function seenIn(folder: string, whatOf: (path: string, isFolder: boolean) => Seen): Map<string, string> {
	const seen = new Map<string, string>();
	const walk = (at: string) => {
		for (const entry of readdirSync(at, { withFileTypes: true })) {
			const path = join(at, entry.name);
			const isFolder = entry.isDirectory();
			if (isFolder && entry.name === 'objects' && at.endsWith('/.git')) continue;
			const what = whatOf(path, isFolder);
			if (what === 'it' || what === 'both') seen.set(path, isFolder ? 'a folder' : looksLike(path));
			if (isFolder && what !== 'it' && what !== 'neither') walk(path);
		}
	};
	walk(folder);
	return seen;
}

/** A repository in a folder of the workspace is obeyed as a whole; so is a program that runs as its owner. */
function isObeyed(path: string, inner: string): boolean {
	if (OBEYED_NAME.test(inner)) return true;
	if (/.\/\.git$/.test(inner)) return true;
	const stat = lstatSync(path);
	if (stat.isFile() && (stat.mode & 0o6000) !== 0) return true;
	if (stat.isBlockDevice() || stat.isCharacterDevice()) return true;
	return stat.isDirectory() && inner !== '.git' && looksLikeRepository(path);
}

function looksLikeRepository(path: string): boolean {
	return ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(path, name)));
}

/** Describes a file without opening it for long; two files with the same description count as the same. */
export function looksLike(path: string): string {
	const { mode, size, mtimeMs, nlink } = lstatSync(path);
	const kind = mode & 0o170000;
	if (kind === 0o120000) return `a link to ${readlinkSync(path)}`;
	if (kind !== 0o100000) return `kind ${kind.toString(8)}`;
	const text = size < 4096 ? readFileSync(path, 'latin1') : '';
	return `${(mode & 0o7777).toString(8)} ${size} ${mtimeMs} ${nlink} ${text}`;
}
