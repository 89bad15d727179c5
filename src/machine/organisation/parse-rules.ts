/** The rules of an organisation from the text of their file. A mistake anywhere in it refuses all of it, with its place. */
import type * as z from '../../protocol/text/zod.ts';
import { OrganisationAddress, OrganisationRules } from '../../protocol/settings/organisation-rules.ts';
import { joinTexts, text } from '../../protocol/text/text.ts';
import { rulesRefused } from './system-file.ts';

/** Reads the file in the system folder: the rules, or the address where they are. Throws ORGANISATION_RULES_REFUSED. */
export function parseSystemFile(written: string, place: string): OrganisationRules | OrganisationAddress {
	const value = parseObject(written, place);
	return 'address' in value || 'publicKey' in value
		? parseWith(OrganisationAddress, value, place)
		: parseWith(OrganisationRules, value, place);
}

/** Throws ORGANISATION_RULES_REFUSED, also when the rules have ended. `today`: as in `validUntil`. */
export function parseRules(written: string, place: string, today: string): OrganisationRules {
	return refuseEnded(parseWith(OrganisationRules, parseObject(written, place), place), place, today);
}

export function refuseEnded(rules: OrganisationRules, place: string, today: string): OrganisationRules {
	const { validUntil } = rules;
	if (validUntil !== undefined && validUntil < today) {
		throw rulesRefused(place, text('these rules were valid until {date}', { date: validUntil }));
	}
	return rules;
}

function parseObject(written: string, place: string): object {
	let value: unknown;
	try {
		value = JSON.parse(written);
	} catch (error) {
		throw rulesRefused(place, text('it is not valid JSON: {why}', { why: String(error).split('\n')[0] ?? '' }), error);
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		throw rulesRefused(place, text('it holds no object'));
	}
	return value;
}

function parseWith<S extends z.ZodType>(schema: S, value: object, place: string): z.output<S> {
	const parsed = schema.safeParse(value);
	if (parsed.success) return parsed.data;
	const faults = parsed.error.issues.map(({ path, message }) =>
		path.length === 0 ? message : `${path.join('.')}: ${message}`,
	);
	throw rulesRefused(place, joinTexts(faults.join('; ')));
}
