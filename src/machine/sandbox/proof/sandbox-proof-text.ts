/** Text of the doctor on the sandbox of commands, in the editor and on the terminal. */
import { joinTexts, joinTextsWithCommas, type Text, text } from '../../../protocol/text/text.ts';
import type { SandboxProof, SandboxUse } from '../command-wall.ts';

interface SandboxReport {
	readonly ok: boolean;
	readonly detail: Text;
	/** A line for what is writable, readable, hidden and limited each; empty where there is no sandbox. */
	readonly more: readonly Text[];
}

export function sandboxReport(use: SandboxUse, proof: SandboxProof | undefined): SandboxReport {
	if (!use.works || proof === undefined) {
		const without = text('Without it, commands that you allow run with your permissions.');
		return { ok: false, detail: use.works ? without : joinTexts(use.why, without), more: [] };
	}
	const { by, attempts, writable, readable, hidden, limits } = proof;
	const through = attempts.filter(({ isKept }) => !isKept).map(({ what }) => what);
	return {
		ok: through.length === 0,
		detail:
			through.length === 0
				? text('{by}; a program in it was kept from {what}', {
						by,
						what: joinTextsWithCommas(attempts.map(({ what }) => what)),
					})
				: text('{by}; a program in it was not kept from {what}', { by, what: joinTextsWithCommas(through) }),
		more: [
			text('writable: {what}', { what: joinTextsWithCommas(writable) }),
			text('read-only: {what}', { what: joinTextsWithCommas(readable) }),
			text('hidden: {what}', { what: joinTextsWithCommas(hidden) }),
			text('at most: {what}', { what: joinTextsWithCommas(limits) }),
		],
	};
}
