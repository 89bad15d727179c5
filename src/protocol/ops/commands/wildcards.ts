/** Wildcards in words, as a shell without further options reads them: `*`, `?`, `[ab]`, `[a-z]`, `[!a]`. */

/** Programs that change nothing, so that wildcards for them, and for what follows them, can be looked up beforehand. */
const READERS = new Set(
	(
		'cat,head,tail,wc,ls,grep,egrep,fgrep,sort,cut,diff,cmp,file,stat,du,md5sum,sha1sum,sha256sum,echo,basename,dirname,' +
		'nl,tac,od,strings,true,false,test,[,pwd,which'
	).split(','),
);
/** Flags by which one of them writes all the same. */
const WRITING_FLAGS = /^(?:-[a-zA-Z]*[oC]|--(?:o|comp))/;

export function changesNothing([program = '', ...words]: readonly string[]): boolean {
	return READERS.has(program) && !words.some((word) => WRITING_FLAGS.test(word));
}

/** Returns true when the command removes the files that exist among its names, and is content where none does. */
export function removesAtMost([program, ...words]: readonly string[]): boolean {
	return program === 'rm' && words.some((word) => /^(?:-[a-zA-Z]*f[a-zA-Z]*|--force)$/.test(word));
}

/** Programs whose operands are files that they change, and that read no pattern themselves. */
const CHANGING_PROGRAMS = new Set(
	'rm,mv,cp,ln,chmod,chown,chgrp,touch,rmdir,unlink,truncate,tar,zip,gzip,gunzip,bzip2,xz,dos2unix,unix2dos'.split(','),
);

/**
 * Returns true when a word with wildcards stands for names of files that the program changes. A flag may hold a pattern
 * of its own.
 */
export function changesNamed([program = '']: readonly string[], word: string): boolean {
	return CHANGING_PROGRAMS.has(program) && !word.startsWith('-');
}

const SET = /\[[!^]?(?:\][^\]/]*|[^\]/]+)\]/;

/** `bare`: the characters outside of quotes, in the place of each other one a NUL. */
export function hasWildcard(bare: string): boolean {
	return /[*?]/.test(bare) || SET.test(bare);
}

/** Returns true when a word begins with the home of the user, and has no wildcard: then only the home is put in. */
export function isHomeWord(bare: string): boolean {
	return /^~(?:\/|$)/.test(bare) && !hasWildcard(bare);
}

/** The word as a pattern in which nothing but its beginning is acted on. */
export function homePattern(text: string): string {
	return `~${text.slice(1).replaceAll(/[*?[\]\\]/g, String.raw`\$&`)}`;
}

/** The word with what quotes keep from the shell behind a backslash; undefined: only a shell knows what it means. */
export function toWildcardPattern(text: string, bare: string): string | undefined {
	const isKnown =
		!/\*\*|^[/~]|\/\/|\[[:.=]|\[[!^]?\]|\[[^\]]*\0|[^\0-\uffff]/u.test(bare) &&
		!text.split('/').includes('..') &&
		!/[^\0-\uffff]/u.test(text) &&
		bare.length === text.length;
	const written = [...text].map((character, index) =>
		bare.charAt(index) === '\0' && /[*?[\]\\]/.test(character) ? `\\${character}` : character,
	);
	const pattern = written.join('');
	return isKnown && pattern.split('/').every(isReadablePattern) ? pattern : undefined;
}

function isReadablePattern(part: string): boolean {
	try {
		nameMatcher(part);
		return true;
	} catch {
		// A range whose end comes before its beginning.
		return false;
	}
}

/** The word without the backslashes of the pattern: what a shell passes on where nothing matches. */
export function unescapePattern(pattern: string): string {
	return pattern.replaceAll(/\\(.)/gs, '$1');
}

const PATTERN_PARTS = /\\(.)|(\*)|(\?)|\[([!^]?)(\][^\]]*|[^\]]+)\]|(.)/gsu;

/** Matches the names that a part of a pattern between slashes means; undefined: it is a name itself. */
export function nameMatcher(part: string): RegExp | undefined {
	let isPattern = false;
	const source = part.replaceAll(
		PATTERN_PARTS,
		(_, escaped?: string, star?: string, any?: string, not?: string, set?: string, plain?: string) => {
			if (star === undefined && any === undefined && set === undefined) {
				return (escaped ?? plain ?? '').replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
			}
			isPattern = true;
			const inside = (set ?? '').replaceAll(/[\\\]^[]/g, String.raw`\$&`);
			return star === undefined ? (any === undefined ? `[${not === '' ? '' : '^'}${inside}]` : '.') : '.*';
		},
	);
	// A dot at the beginning is matched by a dot only.
	return isPattern ? new RegExp(`^${part.startsWith('.') ? '' : String.raw`(?!\.)`}${source}$`, 'su') : undefined;
}
