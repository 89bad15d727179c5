/** Globs of requests, one meaning for every engine: dot files match, no negation, no extended patterns. */
import picomatch from 'picomatch';
import { ProwessError } from '../../../protocol/errors.ts';
import { PATTERN_WILDCARDS } from './limits.ts';

/** Tells whether a path (slashes forward) matches. A pattern without a slash means the name, at any depth. */
export function compileGlob(pattern: string): (path: string) => boolean {
	const trimmed = pattern.replaceAll('\\', '/').replace(/^(?:\.?\/)+/, '');
	const whole = trimmed.endsWith('/') ? `${trimmed}**` : trimmed;
	// Each wildcard of one name multiplies the ways to match it; a regex engine tries them all.
	const worst = Math.max(...whole.split('/').map((part) => part.replaceAll(/\*+/g, '*').split('*').length - 1));
	if (whole === '' || worst > PATTERN_WILDCARDS) {
		const message = `the glob ${JSON.stringify(pattern)} is ${whole === '' ? 'empty' : `too complex: more than ${PATTERN_WILDCARDS} "*" in one name`}`;
		throw new ProwessError('INVALID_PARAMS', message, { pattern });
	}
	const matches = picomatch(whole, { dot: true, nonegate: true, noextglob: true, basename: !whole.includes('/') });
	return (path) => matches(path);
}
