/** Warning about the limits of `--approve auto` on a machine without a sandbox. */
import { inEnglish, type Text } from '../../protocol/text/text.ts';

/** `why` there is none, and what helps. */
export function unsandboxedText(why: Text): string {
	return `prowess: commands are not sandboxed here, so --approve auto runs only those that read. ${inEnglish(why)}\n`;
}
