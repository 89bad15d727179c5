/** Permission levels in the words of the command line. */
import { isWiderLevel, LEVEL_WORDS, type LevelHere } from '../../protocol/ops/permission-level.ts';
import { inEnglish, type Text } from '../../protocol/text/text.ts';

/** Warns about the limits of `--approve auto` on a machine without a sandbox. `why` says what is missing, and what helps. */
export function unsandboxedText(why: Text): string {
	return `prowess: commands are not sandboxed here, so --approve auto runs only those that read. ${inEnglish(why)}\n`;
}

/** Names the level at which a thread works: as in `--approve never` where nobody is asked and nothing is allowed by itself. */
export function formatLevelName({ level, isUnattended }: LevelHere): string {
	return isUnattended && !isWiderLevel(level, 'ask') ? 'Never' : inEnglish(LEVEL_WORDS[level].name);
}
