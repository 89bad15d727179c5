import { ProwessError } from '../../protocol/errors/errors.ts';

/** Property list as JSON. Types that JSON lacks have a name that begins with `$`. */
export type PlistValue =
	| string
	| number
	| boolean
	| null
	| PlistValue[]
	| { [key: string]: PlistValue }
	| { readonly $date: string }
	| { readonly $data: string }
	| { readonly $uid: number }
	| { readonly $integer: string };

/** Nesting that the redaction still looks into. */
export const MAX_PLIST_DEPTH = 60;
/** Values that are made, those that are shared counted each time: a small file may name one a million times over. */
export const MAX_VALUES = 200_000;

export function malformedPlistError(why: string): ProwessError {
	return new ProwessError('DATA_MALFORMED', `the property list cannot be read: ${why}`, {});
}

export function toPlistInteger(value: bigint): PlistValue {
	const number = Number(value);
	return Number.isSafeInteger(number) ? number : { $integer: value.toString() };
}

export function toPlistDate(date: Date): PlistValue {
	if (Number.isNaN(date.getTime())) {
		throw malformedPlistError('a date is not valid');
	}
	return { $date: date.toISOString() };
}
