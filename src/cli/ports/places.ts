/** Where things are on this machine. Only absolute entries of PATH count: a relative one would mean the workspace. */
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import type { PlacesPort } from '../../contract/ports/ports.ts';
import { installation } from '../home/installation.ts';

export function createPlaces(home: string, searchPath: string | undefined, ripgrepPath: string): PlacesPort {
	const program = process.platform === 'win32' ? 'rg.exe' : 'rg';
	const onPath = (searchPath ?? '')
		.split(delimiter)
		.filter(isAbsolute)
		.map((folder) => join(folder, program));
	return {
		home,
		userHome: homedir(),
		dist: installation.dist,
		ripgrepCandidates: [...(ripgrepPath === '' ? [] : [ripgrepPath]), ...onPath],
	};
}
