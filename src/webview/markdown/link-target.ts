/**
 * Effect that a link in the model's text may have: ask the editor to open a web page or a file of the workspace, or
 * none.
 */
import { decodePercentOrSame } from '../../base/text/lenient.ts';
type LinkTarget =
	| { readonly kind: 'web'; readonly url: string; readonly host: string }
	| { readonly kind: 'file'; readonly path: string; readonly line?: number }
	| { readonly kind: 'inert' };

const INERT: LinkTarget = { kind: 'inert' };

export function linkTarget(href: string): LinkTarget {
	const trimmed = href.trim();
	if (trimmed === '' || trimmed.startsWith('#') || trimmed.startsWith('//') || hasControlCharacter(trimmed)) {
		return INERT;
	}
	return /^https?:/i.test(trimmed) ? webTarget(trimmed) : parseFileTarget(trimmed);
}

function webTarget(href: string): LinkTarget {
	if (!URL.canParse(href)) {
		return INERT;
	}
	const url = new URL(href);
	const isPlain = url.username === '' && url.password === '' && url.href.length <= 8192;
	return isPlain && url.host !== '' ? { kind: 'web', url: url.href, host: url.host } : INERT;
}

/** `src/a.ts`, `src/a.ts:12` or `src/a.ts#L12`. A scheme makes it no file; whether it may be opened is for the extension to say. */
function parseFileTarget(href: string): LinkTarget {
	const match = /^([^:#?\\]+)(?::(\d{1,7})(?::\d+)?|#L(\d{1,7})(?:-L?\d+)?)?$/.exec(href);
	// Checks the decoded path, because `%0a` and `%00` decode to control characters.
	const path = match?.[1] === undefined ? undefined : decodePercentOrSame(match[1]);
	if (path === undefined || path.includes('&') || path.length > 4096 || hasControlCharacter(path)) {
		return INERT;
	}
	const line = Number(match?.[2] ?? match?.[3] ?? 0);
	return { kind: 'file', path, ...(line > 0 ? { line } : {}) };
}

function hasControlCharacter(text: string): boolean {
	return /[\p{Cc}\p{Cf}]/u.test(text);
}
