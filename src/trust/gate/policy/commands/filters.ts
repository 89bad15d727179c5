/** Programs that do nothing with what they read but write it, changed, to their output. Into others no rule pipes anything. */
import { listNames, runsOtherPrograms } from './indirect-commands.ts';

const FILTERS = listNames(
	`base64 cat cksum column comm cut diff egrep expand fgrep fmt fold grep head hexdump jq md5sum nl od paste rev rg
	sha1sum sha256sum sha512sum sort strings sum tac tail tr unexpand uniq wc xxd`,
);

/**
 * True when the command is a filter, named without a path: a bare name means the program on the PATH, while a file of
 * the workspace may be called anything.
 */
export function isFilter(argv: readonly string[]): boolean {
	return FILTERS.has(argv[0] ?? '') && !runsOtherPrograms(argv);
}
