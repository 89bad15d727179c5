/** Files in which other programs keep custom agents: those of each folder of a trusted workspace, and the user's. */
import { readdirSync } from 'node:fs';
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
}

/** Lists the files of custom agents, those of the project first: where several have a name, the first counts. */
export function agentFiles(
	{ userHome }: Pick<PlacesPort, 'userHome'>,
	{ folders, isTrusted }: Pick<WorkspacePort, 'folders' | 'isTrusted'>,
): readonly AgentFile[] {
	const listFilesWithin = (folder: string, end: string, isOfProject: boolean) =>
		listAgentFileNames(folder, end).map((file) => ({
			path: join(folder, file),
			isOfProject,
			name: file.slice(0, -end.length).replace(/\.agent$/, ''),
		}));
	return [
		...(isTrusted ? folders : []).flatMap(({ path }) => [
			...listFilesWithin(join(path, '.github', 'agents'), '.agent.md', true),
			...listFilesWithin(join(path, '.claude', 'agents'), '.md', true),
		]),
		...listFilesWithin(join(userHome, '.copilot', 'agents'), '.md', false),
		...listFilesWithin(join(userHome, '.claude', 'agents'), '.md', false),
	];
}

function listAgentFileNames(folder: string, end: string): readonly string[] {
	try {
		return readdirSync(folder)
			.filter((name) => name.endsWith(end))
			.toSorted()
			.slice(0, agentLimits.agentFiles);
	} catch {
		// The folder is missing or cannot be read.
		return [];
	}
}
