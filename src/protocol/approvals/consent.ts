/** Consent to a capability: what a person reads before a capability may run, in the order in which every host shows it. */
import * as z from '../text/zod.ts';
import { RiskLevel } from '../ops/risk.ts';
import { joinTexts, type Text, text } from '../text/text.ts';
import { SaidText } from '../text/said-text.ts';

export const ConsentDetail = z.object({
	kind: z.literal('consent'),
	/** Description from the capability itself. */
	description: z.string(),
	/** Rights it gets, each with the permission it is called; null for what has no such name. */
	may: z.array(z.object({ permission: z.string().nullable(), meaning: SaidText })),
	/** Rights it asks for and does not get. */
	mayNot: z.array(SaidText),
	/** Reach that nothing keeps it from on this machine. */
	notEnforced: z.array(SaidText),
	enforced: z.array(SaidText),
	/** Where it comes from, and who says that they made it. */
	maker: z.array(SaidText),
	level: RiskLevel,
	levelMeaning: SaidText,
	/** For who compares: folder, hash. */
	details: z.array(z.object({ label: SaidText, value: z.string() })),
});
export type ConsentDetail = z.infer<typeof ConsentDetail>;

/** The same as lines, for a terminal. */
export function consentLines(detail: ConsentDetail): readonly Text[] {
	const { description, may, mayNot, notEnforced, enforced, maker, levelMeaning, details } = detail;
	return [
		...(description === '' ? [] : [text('Description: {words}', { words: description })]),
		...(may.length === 0 ? [text('May: nothing')] : []),
		...may.map(({ permission, meaning }) =>
			permission === null
				? text('May: {meaning}', { meaning })
				: text('May: {meaning} ({permission})', { meaning, permission }),
		),
		...mayNot,
		...notEnforced.map((words) => text('NOT enforced on this machine: {words}', { words })),
		...enforced,
		...maker,
		text('In short: {meaning}', { meaning: levelMeaning }),
		...details.map(({ label, value }) => joinTexts(label, value)),
	];
}
