/** Files in which other programs keep custom agents: those of each folder of a trusted workspace, and the user's. */
import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PlacesPort, WorkspacePort } from '../../../contract/ports/ports.ts';
import { agentLimits } from '../limits.ts';

export interface AgentFile {
	/** Absolute. */
	readonly path: string;
	readonly isOfProject: boolean;
	/** Name of the file, without the ending that all of them share. */
	readonly name: string;
	/** Plugin that it is a part of: its name goes before that of the agent. Absent: none. */
	readonly plugin?: string;
	/** Set for a folder that holds more than is read: what is left out, in words. */
	readonly leftOut?: string;
}

/** Lists the files of custom agents, those of the project first: where several have a name, the first counts. */
export function agentFiles(
	{ userHome }: Pick<PlacesPort, 'userHome'>,
	{ folders, isTrusted }: Pick<WorkspacePort, 'folders' | 'isTrusted'>,
): readonly AgentFile[] {
	return [
		...(isTrusted ? folders : []).flatMap(({ path }) => [
			...filesWithin(join(path, '.github', 'agents'), true),
			...filesWithin(join(path, '.claude', 'agents'), true),
		]),
		...filesWithin(join(userHome, '.copilot', 'agents'), false),
		...filesWithin(join(userHome, '.claude', 'agents'), false),
	];
}

/** A README beside agents is for people. Folders are looked through, links to folders are not followed. */
function filesWithin(top: string, isOfProject: boolean): AgentFile[] {
	const files: AgentFile[] = [];
	const folders = [top];
	let left = 0;
	for (const folder of folders) {
		for (const entry of readEntries(folder)) {
			const path = join(folder, entry.name);
			if (entry.isDirectory()) folders.push(path);
			else if (!/\.md$/i.test(entry.name) || /^readme\.md$/i.test(entry.name)) continue;
			else if (files.length === agentLimits.agentFiles) left += 1;
			else files.push({ path, isOfProject, name: entry.name.replace(/(?:\.agent)?\.md$/i, '') });
		}
		if (folders.length > agentLimits.agentFolders) {
			const leftOut = `more than ${agentLimits.agentFolders} folders lie in it; custom agents in the others are left out`;
			return [...files, { path: top, isOfProject, name: top, leftOut }];
		}
	}
	const leftOut = `it holds ${files.length + left} custom agents; the first ${files.length} are read, ${left} are left out`;
	return left === 0 ? files : [...files, { path: top, isOfProject, name: top, leftOut }];
}

function readEntries(folder: string): readonly Dirent[] {
	try {
		return readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
	} catch {
		// The folder is missing or cannot be read.
		return [];
	}
}
