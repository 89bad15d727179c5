/** Text of others in a row of a Quick Pick, where `$(name)` becomes an icon and what reorders a line would act. */
import { escapeInvisible } from '../../../base/text/escape-invisible.ts';

export function pickText(text: string): string {
	return escapeInvisible(text.replaceAll(/\s+/g, ' ').trim(), 'line').replaceAll('$(', '\\$(');
}
