/** What the doctor says of the sandbox of commands, in the editor and on the terminal. */
import { inEnglish } from '../../../../protocol/text/text.ts';
import type { SandboxProof, SandboxUse } from '../command-wall.ts';

interface SandboxReport {
	readonly ok: boolean;
	readonly detail: string;
	/** A line for what is writable, readable, hidden and limited each; empty where there is no sandbox. */
	readonly more: readonly string[];
}

export function sandboxReport(use: SandboxUse, proof: SandboxProof | undefined): SandboxReport {
	if (!use.works || proof === undefined) {
		const why = use.works ? '' : `${inEnglish(use.why)} `;
		return { ok: false, detail: `${why}Without it, commands that you allow run with your permissions.`, more: [] };
	}
	const { by, attempts, writable, readable, hidden, limits } = proof;
	const through = attempts.filter(({ isKept }) => !isKept).map(({ what }) => what);
	return {
		ok: through.length === 0,
		detail:
			through.length === 0
				? `${by}; a program in it was kept from ${attempts.map(({ what }) => what).join(', ')}`
				: `${by}; a program in it was not kept from ${through.join(', ')}`,
		more: [
			`writable: ${writable.join(', ')}`,
			`read-only: ${readable.join(', ')}`,
			`hidden: ${hidden.join(', ')}`,
			`at most: ${limits.join(', ')}`,
		],
	};
}
