/** Globs of requests, one meaning for every engine: dot files match, no negation, no extended patterns. */
import picomatch from 'picomatch';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { PATTERN_WILDCARDS } from './limits.ts';

/**
 * Tells whether a path (slashes forward) matches. A pattern without a slash, even a leading one, means the name, at any depth. Several have commas
 * between them; what begins with `!` is left out.
 */
export function compileGlob(pattern: string): (path: string) => boolean {
	const globs = splitGlobs(pattern);
	const wanted = globs.filter((glob) => !glob.startsWith('!')).map((glob) => compileOne(glob, pattern));
	const unwanted = globs.filter((glob) => glob.startsWith('!')).map((glob) => compileOne(glob.slice(1), pattern));
	if (globs.length === 0) {
		throw new ProwessError('INVALID_PARAMS', `the glob ${JSON.stringify(pattern)} is empty`, { pattern });
	}
	return (path) =>
		(wanted.length === 0 || wanted.some((matches) => matches(path))) && !unwanted.some((matches) => matches(path));
}

/** A comma within braces or brackets belongs to one glob. */
export function splitGlobs(pattern: string): string[] {
	const globs = [''];
	let depth = 0;
	for (const character of pattern) {
		depth += '{['.includes(character) ? 1 : '}]'.includes(character) && depth > 0 ? -1 : 0;
		if (character === ',' && depth === 0) {
			globs.push('');
		} else {
			globs[globs.length - 1] += character;
		}
	}
	return globs.map((glob) => glob.trim()).filter((glob) => glob !== '');
}

function compileOne(glob: string, pattern: string): (path: string) => boolean {
	const trimmed = glob.replaceAll('\\', '/').replace(/^(?:\.?\/)+/, '');
	const whole = trimmed.endsWith('/') ? `${trimmed}**` : trimmed;
	// Each wildcard of one name multiplies the ways to match it; a regex engine tries them all.
	const worst = Math.max(...whole.split('/').map((part) => part.replaceAll(/\*+/g, '*').split('*').length - 1));
	if (whole === '' || worst > PATTERN_WILDCARDS) {
		const message = `the glob ${JSON.stringify(pattern)} is ${whole === '' ? 'empty' : `too complex: more than ${PATTERN_WILDCARDS} "*" in one name`}`;
		throw new ProwessError('INVALID_PARAMS', message, { pattern });
	}
	const matches = picomatch(whole, { dot: true, nonegate: true, noextglob: true, basename: !glob.includes('/') });
	return (path) => matches(path);
}
