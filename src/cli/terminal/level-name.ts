/** Name of the permission level at which a thread works, as the command line prints it. */
import { isWider, LEVEL_WORDS, type LevelHere } from '../../protocol/permission-level.ts';
import { inEnglish } from '../../protocol/text/text.ts';

/** Where nobody is asked and nothing is allowed by itself, it is called as in `--approve never`. */
export function levelName({ level, isUnattended }: LevelHere): string {
	return isUnattended && !isWider(level, 'ask') ? 'Never' : inEnglish(LEVEL_WORDS[level].name);
}
