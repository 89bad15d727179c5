/** Reads the rules of the user's organisation as a host starts. Without any it costs one look at a folder. */
import type { Organisation } from '../../contract/ports/organisation.ts';
import { organisationFile, readSystemFile, type SystemPlace } from './system-file.ts';

/**
 * Undefined: no organisation has set rules on this machine. Rejects with ORGANISATION_RULES_REFUSED where there are rules that
 * cannot be relied on: then nothing may start. `home`: where signed rules are kept.
 */
export async function loadOrganisation(
	place: SystemPlace,
	home: string,
	signal: AbortSignal,
): Promise<Organisation | undefined> {
	const written = readSystemFile(place);
	if (written === undefined) return undefined;
	const { readOrganisation } = await import('./read-organisation.ts');
	return await readOrganisation(written, organisationFile(place), home, signal);
}
