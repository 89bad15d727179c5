/** Reads what an organisation has set, from the file in the system folder. Loaded only where there is such a file. */
import type { Organisation } from '../../contract/ports/organisation.ts';
import { ManagedRules } from './managed-rules.ts';
import { parseRules, parseSystemFile, refuseEnded } from './parse-rules.ts';
import { signedRules } from './signed-rules.ts';

export { checkRulesFile, signRulesFile } from './rules-file.ts';

/** Rejects with ORGANISATION_RULES_REFUSED. */
export async function readOrganisation(
	written: string,
	path: string,
	home: string,
	signal: AbortSignal,
): Promise<Organisation> {
	const today = new Date().toISOString().slice(0, 10);
	const found = parseSystemFile(written, path);
	if (!('address' in found)) return new ManagedRules(refuseEnded(found, path, today), path);
	const { rules, note } = await signedRules(found, home, signal);
	return new ManagedRules(parseRules(rules, found.address, today), found.address, note);
}
