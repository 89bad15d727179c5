/** View that a manifest declares for its result, and a result as that view draws it: bounded, and plain text throughout. */
import { SaidText } from './said-text.ts';
import { inEnglish, text } from './text.ts';
import * as z from './zod.ts';

/** Name of a member of a result, or names with a dot between them. */
const MemberName = z
	.string()
	.max(200)
	.regex(
		/^[^.\s]+(?:\.[^.\s]+)*$/u,
		inEnglish(text('expected a name of the result, or names with a dot between them')),
	);

export const OutputView = z.strictObject({
	view: z
		.enum(['table', 'places', 'checklist', 'diff', 'markdown'])
		.describe(
			'View of the result: table (rows), places (files with their lines, as links), checklist (done or not), diff (changes of files) or markdown.',
		),
	from: MemberName.optional().describe(
		'Name of the part of the result that is drawn, such as items. Default: the whole result.',
	),
	columns: z
		.array(MemberName)
		.min(1)
		.max(12)
		.optional()
		.describe('Names of the columns of a table, in their order. Default: those of the first rows.'),
});
export type OutputView = z.infer<typeof OutputView>;

/** File of the workspace, which a person opens at its line. */
export const ResultPlace = z.object({ path: z.string(), line: z.int().positive().optional() });
export type ResultPlace = z.infer<typeof ResultPlace>;

/** Parts of a result beside the one that is drawn, as words. */
const facts = { facts: z.array(z.object({ name: z.string(), text: z.string() })).optional() };
/** `total`: of all rows, also of those that are left out. */
const ofRows = { total: z.int().nonnegative(), ...facts };

export const DrawnResult = z.discriminatedUnion('view', [
	z.object({
		view: z.literal('table'),
		columns: z.array(z.string()),
		/** `place`: the cell names a file. */
		rows: z.array(z.array(z.object({ text: z.string(), place: ResultPlace.optional() }))),
		...ofRows,
	}),
	z.object({
		view: z.literal('places'),
		/** Without a `place` where an entry names no file. */
		rows: z.array(z.object({ place: ResultPlace.optional(), text: z.string() })),
		...ofRows,
	}),
	z.object({
		view: z.literal('checklist'),
		rows: z.array(z.object({ isDone: z.boolean(), text: z.string(), place: ResultPlace.optional() })),
		...ofRows,
	}),
	z.object({
		view: z.literal('diff'),
		rows: z.array(z.object({ place: ResultPlace.optional(), patch: z.string(), isCut: z.boolean() })),
		...ofRows,
	}),
	z.object({ view: z.literal('markdown'), text: z.string(), isCut: z.boolean(), ...facts }),
	/** Plain words, or JSON. `why`: it does not fit the view that is declared. */
	z.object({ view: z.enum(['text', 'json']), text: z.string(), isCut: z.boolean(), why: SaidText.optional() }),
]);
export type DrawnResult = z.infer<typeof DrawnResult>;
