/** Errors about the rules of an organisation. */
import { ProwessError } from '../../protocol/errors/errors.ts';
import { inEnglish, type Text, text } from '../../protocol/text/text.ts';

/** Rules that cannot be relied on: nothing starts, because what they forbid is unknown. */
export function rulesRefused(place: string, why: Text, cause?: unknown): ProwessError {
	const said = text('{place}: {why}', { place, why });
	return new ProwessError('ORGANISATION_RULES_REFUSED', `${place}: ${inEnglish(why)}`, { place, said }, cause);
}

export function deniedByOrganisation(reason: Text): ProwessError {
	return new ProwessError('DENIED_BY_ORGANISATION', inEnglish(reason), { said: reason });
}
