/**
 * A form that a server wants the user to fill in while one of its tools runs: one question for each field, each with a way to
 * decline. Addresses that it wants opened are declined: it could lead anywhere.
 */
import { escapeInvisible } from '../../base/text/escape-invisible.ts';
import { cutText } from '../../base/text/one-line.ts';
import { isProwessError } from '../../protocol/errors/errors.ts';
import * as z from '../../protocol/text/zod.ts';
import { DEFAULT_CHARS, FORM_FIELDS, QUESTION_CHARS } from './limits.ts';
import type { McpUser } from './user.ts';

type ElicitedValue = string | number | boolean;
export type FormAnswer =
	| { readonly action: 'accept'; readonly content: Record<string, ElicitedValue> }
	| { readonly action: 'decline' | 'cancel' };

const ElicitedField = z.object({
	type: z.string(),
	title: z.string().optional(),
	description: z.string().optional(),
	enum: z.array(z.string()).optional(),
	oneOf: z.array(z.object({ const: z.string() })).optional(),
	default: z.union([z.string(), z.number(), z.boolean()]).optional().catch(undefined),
});
const ElicitationForm = z.object({
	mode: z.string().optional(),
	message: z.string(),
	requestedSchema: z.object({
		properties: z.record(z.string(), z.unknown()),
		required: z.array(z.string()).optional(),
	}),
});

const DECLINE = 'Decline';
const SKIP_FIELD = 'Skip';

export async function fillIn(server: string, asked: unknown, user: Pick<McpUser, 'answer'>): Promise<FormAnswer> {
	const form = ElicitationForm.safeParse(asked).data;
	const fields = Object.entries(form?.requestedSchema.properties ?? {});
	if (form === undefined || (form.mode ?? 'form') !== 'form' || fields.length > FORM_FIELDS) {
		return { action: 'decline' };
	}
	const { message, requestedSchema } = form;
	const head = `The MCP server ${server} asks: ${cutText(message, QUESTION_CHARS)}`;
	const content: Record<string, ElicitedValue> = {};
	try {
		for (const [name, written] of fields) {
			const field = ElicitedField.safeParse(written).data;
			const isNeeded = requestedSchema.required?.includes(name) === true;
			if (field === undefined || !['string', 'number', 'integer', 'boolean'].includes(field.type)) {
				if (isNeeded) return { action: 'decline' };
				continue;
			}
			const choices =
				field.type === 'boolean' ? ['yes', 'no'] : (field.enum ?? field.oneOf?.map((each) => each.const) ?? []);
			const skipped = findDefault(field.type, choices, field.default);
			const what = [
				[field.title ?? name, field.description ?? ''].filter(Boolean).join(': '),
				...(skipped === undefined ? [] : [`${SKIP_FIELD} answers: ${String(skipped)}`]),
			].join('\n');
			const question = escapeInvisible(`${head}\n${cutText(what, QUESTION_CHARS + DEFAULT_CHARS)}`, 'lines');
			const value = await askFieldValue(field.type, choices, (again) =>
				user.answer(`${question}${again}`, [
					...choices,
					...(isNeeded && skipped === undefined ? [] : [SKIP_FIELD]),
					DECLINE,
				]),
			);
			if (value === DECLINE) return { action: 'decline' };
			const given = value === SKIP_FIELD ? skipped : value;
			if (given !== undefined) content[name] = given;
		}
		return { action: 'accept', content };
	} catch (error) {
		if (isProwessError(error)) {
			return { action: 'cancel' };
		}
		throw error;
	}
}

/** The default of a field, which is sent where the user skips it; undefined: it has none that fits, or none that is shown whole. */
function findDefault(
	type: string,
	choices: readonly string[],
	written: ElicitedValue | undefined,
): ElicitedValue | undefined {
	const isFitting = type === 'integer' ? Number.isInteger(written) : typeof written === type && !Number.isNaN(written);
	const isOffered = type !== 'string' || choices.length === 0 || choices.includes(String(written));
	return isFitting && isOffered && String(written).length <= DEFAULT_CHARS ? written : undefined;
}

/** Asks once more what does not fit; then it is declined. */
async function askFieldValue(
	type: string,
	choices: readonly string[],
	ask: (again: string) => Promise<string>,
): Promise<ElicitedValue> {
	for (const again of ['', '\nThe answer before did not fit.']) {
		const answer = (await ask(again)).trim();
		if (answer === DECLINE || answer === SKIP_FIELD) {
			return answer;
		}
		const number = Number(answer);
		const isFitting =
			type === 'number' || type === 'integer'
				? answer !== '' && Number.isFinite(number) && (type === 'number' || Number.isInteger(number))
				: choices.length === 0 || choices.includes(answer);
		if (isFitting) {
			return type === 'boolean' ? answer === 'yes' : type === 'string' ? answer : number;
		}
	}
	return DECLINE;
}
