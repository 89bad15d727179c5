/**
 * Where administrators put the file of their organisation, and the check that only they can have written it. The place
 * depends on no variable of the environment: a user could point it elsewhere.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs';
import { posix, win32 } from 'node:path';
import { findErrno } from '../paths/file-error.ts';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import { inEnglish, text, type Text } from '../../protocol/text/text.ts';

const FILE_NAME = 'organisation.json';
/** Largest file of rules. */
export const RULES_BYTES = 262_144;

/** Folder of the system, and who may own what lies in it. */
export interface SystemPlace {
	readonly folder: string;
	/** User ids of owners; undefined: the platform has none, and its folder can only be written by administrators. */
	readonly owners: readonly number[] | undefined;
}

export function systemPlace(platform: NodeJS.Platform): SystemPlace {
	switch (platform) {
		case 'win32':
			return { folder: 'C:\\Program Files\\Prowess', owners: undefined };
		case 'darwin':
			return { folder: '/Library/Application Support/Prowess', owners: [0] };
		default:
			return { folder: '/etc/prowess', owners: [0] };
	}
}

export function organisationFile({ folder }: SystemPlace): string {
	return (folder.slice(1, 3) === ':\\' ? win32 : posix).join(folder, FILE_NAME);
}

/** Returns why somebody besides administrators could have written what these are the facts of; undefined: nobody could. */
export function ownershipProblem(
	{ uid, mode }: Pick<Stats, 'uid' | 'mode'>,
	owners: SystemPlace['owners'],
): Text | undefined {
	if (owners === undefined) return undefined;
	if (!owners.includes(uid)) return text('it belongs to user {uid}, and not to root', { uid });
	return (mode & 0o022) === 0 ? undefined : text('its group or others may write it');
}

/** The text of the file; undefined where there is none. Throws ORGANISATION_RULES_REFUSED where it cannot be relied on. */
export function readSystemFile(place: SystemPlace): string | undefined {
	const path = organisationFile(place);
	let file: number | undefined;
	try {
		const folder = lstatSync(place.folder, { throwIfNoEntry: false });
		if (folder === undefined) return undefined;
		if (!folder.isDirectory()) throw rulesRefused(path, text('its folder is a link, or no folder'));
		// Looked at first: opening a device or a pipe may do something.
		const found = lstatSync(path, { throwIfNoEntry: false });
		if (found === undefined) return undefined;
		const ofFolder = ownershipProblem(folder, place.owners);
		if (ofFolder !== undefined) throw rulesRefused(path, text('its folder is not safe: {why}', { why: ofFolder }));
		if (!found.isFile()) throw rulesRefused(path, text('it is a link, or no file'));
		file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
		const stats = fstatSync(file);
		const problem = stats.isFile() ? ownershipProblem(stats, place.owners) : text('it is a link, or no file');
		if (problem !== undefined) throw rulesRefused(path, problem);
		if (stats.size > RULES_BYTES) throw rulesRefused(path, text('it has more than {n} bytes', { n: RULES_BYTES }));
		const bytes = Buffer.alloc(RULES_BYTES + 1);
		let length = 0;
		for (let got = -1; got !== 0 && length < bytes.length; length += got) {
			got = readSync(file, bytes, length, bytes.length - length, length);
		}
		return bytes.toString('utf8', 0, length);
	} catch (error) {
		const code = findErrno(error);
		if (code === undefined || isProwessError(error)) throw error;
		throw rulesRefused(path, text('it cannot be read ({code})', { code }), error);
	} finally {
		if (file !== undefined) closeSync(file);
	}
}

/** Rules that cannot be relied on: nothing starts, because what they forbid is unknown. */
export function rulesRefused(place: string, why: Text, cause?: unknown): ProwessError {
	const said = text('{place}: {why}', { place, why });
	return new ProwessError('ORGANISATION_RULES_REFUSED', `${place}: ${inEnglish(why)}`, { place, said }, cause);
}
