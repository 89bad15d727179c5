/** Name of the permission level at which a thread works, as the command line prints it. */
import { isWiderLevel, LEVEL_WORDS, type LevelHere } from '../../protocol/permission-level.ts';
import { inEnglish } from '../../protocol/text/text.ts';

/** Where nobody is asked and nothing is allowed by itself, it is called as in `--approve never`. */
export function formatLevelName({ level, isUnattended }: LevelHere): string {
	return isUnattended && !isWiderLevel(level, 'ask') ? 'Never' : inEnglish(LEVEL_WORDS[level].name);
}
