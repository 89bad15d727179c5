/** Files in which other programs keep custom agents: those of each folder of a trusted workspace, and the user's. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PlacesPort, WorkspacePort } from '../../../contract/ports/ports.ts';
import { limits } from '../limits.ts';

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
	const within = (folder: string, end: string, isOfProject: boolean) =>
		namesIn(folder, end).map((file) => ({
			path: join(folder, file),
			isOfProject,
			name: file.slice(0, -end.length).replace(/\.agent$/, ''),
		}));
	return [
		...(isTrusted ? folders : []).flatMap(({ path }) => [
			...within(join(path, '.github', 'agents'), '.agent.md', true),
			...within(join(path, '.claude', 'agents'), '.md', true),
		]),
		...within(join(userHome, '.copilot', 'agents'), '.md', false),
		...within(join(userHome, '.claude', 'agents'), '.md', false),
	];
}

function namesIn(folder: string, end: string): readonly string[] {
	try {
		return readdirSync(folder)
			.filter((name) => name.endsWith(end))
			.toSorted()
			.slice(0, limits.agentFiles);
	} catch {
		// The folder is missing or cannot be read.
		return [];
	}
}
