/** The user's own folder, as the environment or the table of users names it. */
import { homedir } from 'node:os';

/** A container may run as a user whom no table names: nothing is there, and nothing is read or written in its place. */
const NO_HOME = '/nonexistent';

export function userHomeFolder(): string {
	try {
		return homedir();
	} catch {
		return NO_HOME;
	}
}
