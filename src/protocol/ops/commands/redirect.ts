/** Where a command of a chain reads from and writes to instead of the pipe or the terminal: files, or its other stream. */

/** In a list they take effect in its order, as in a shell. */
export type Redirect = RedirectToFile | ToStream;

interface RedirectToFile {
	readonly stream: 'stdin' | 'stdout' | 'stderr';
	/** `write` replaces what the file holds. */
	readonly mode: 'read' | 'write' | 'append';
	/** Relative to the folder that the command runs in, or elsewhere: from the root, the home of the user or a folder above. */
	readonly path: string;
}

/** The stream goes where the other one goes at that point of the list. */
interface ToStream {
	readonly stream: 'stdout' | 'stderr';
	readonly to: 'stdout' | 'stderr';
}

/** Path with no file behind it: reading gives nothing, writing keeps nothing. */
export const NULL_DEVICE_PATH = '/dev/null';

/** Returns the redirects to files; `NULL_DEVICE_PATH` does not count. */
export function listRedirectFiles(redirects: readonly Redirect[]): readonly RedirectToFile[] {
	return redirects.filter((each): each is RedirectToFile => 'path' in each && each.path !== NULL_DEVICE_PATH);
}

/** Returns the redirect as it is typed in a shell: `2>> log`, `2>&1`. */
export function redirectText(redirect: Redirect, word: (path: string) => string): string {
	const number = redirect.stream === 'stderr' ? '2' : '';
	if ('to' in redirect) {
		return `${number}>&${redirect.to === 'stderr' ? 2 : 1}`;
	}
	const sign = { read: '<', write: '>', append: '>>' } as const;
	const { path } = redirect;
	// In quotes it would be the name of a folder.
	return `${number}${sign[redirect.mode]} ${isHomePath(path) ? `~/${word(path.slice(2))}` : word(path)}`;
}

function isHomePath(path: string): boolean {
	return path.startsWith('~/');
}

/** Up and down again only the system could follow, with links. */
export function isBelowCwd(path: string): boolean {
	return !/^[/\\~]|^[A-Za-z]:/.test(path) && !path.includes('\0') && !path.split(/[/\\]/).includes('..');
}

/**
 * Returns true when the path names a file from the root, the home of the user or a folder above, as it stands: up at
 * its beginning only, where no link can change what that means, and to no file that the system makes up as it is read.
 */
export function isElsewhere(path: string): boolean {
	const [, rest] = /^(?:~?\/|(?:\.\.\/)+)(?<rest>.+)$/s.exec(path) ?? [];
	return (
		rest !== undefined &&
		!/^\/+(?:dev|proc|sys|run)(?:\/|$)/.test(path) &&
		!/[\\\0]/.test(path) &&
		!rest.split('/').some((name) => name === '' || name === '.' || name === '..')
	);
}

/** Returns true when a command that has a folder of its own for temporary files finds the path there. */
export function isTemporary(path: string): boolean {
	return /^\/(?:var\/)?tmp\//.test(path);
}
