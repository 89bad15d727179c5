/** The folders in which capabilities are looked for, in the order in which they are registered: the later one wins. */
import { join } from 'node:path';
import type { PlacesPort, WorkspacePort } from '../../../contract/ports/ports.ts';
import type { CapabilityLocation } from './capability-source.ts';
import type { Layout } from '../items.ts';

export interface Root extends CapabilityLocation {
	readonly layout: Layout;
	/** Links may lead out of this folder only when it is undefined. */
	readonly within: string | undefined;
}

/** Project and user; where both or several have a skill, the first in this order is taken. */
const OTHERS = ['.gemini/skills', '.cline/skills', '.kilocode/skills', '.cursor/skills'];
const PROJECT_SKILLS = ['.agents/skills', '.claude/skills', '.github/skills', ...OTHERS];
const USER_SKILLS = ['.agents/skills', '.claude/skills', '.copilot/skills', '.gemini/antigravity/skills', ...OTHERS];

/** Folders of Codebolt, whose agents lie beside its capabilities. */
const CODEBOLT_FOLDERS = ['.codebolt/agents', '.codebolt/capabilities'];

/**
 * Returns the roots in which capabilities are looked for, later ones winning. Roots of the workspace are among them
 * only when it is trusted.
 */
export function listRoots(workspace: Pick<WorkspacePort, 'folders' | 'isTrusted'>, places: PlacesPort): Root[] {
	const { home, userHome, dist } = places;
	// Reversed, because the last root wins, and of several folders the first one must win.
	const folders = workspace.isTrusted ? workspace.folders.map(({ path }) => path).reverse() : [];
	const createUserRoot = (path: string, layout: Layout): Root => ({
		path,
		source: 'global',
		layout,
		within: undefined,
	});
	const createProjectRoot = (folder: string, name: string, layout: Layout): Root => ({
		path: join(folder, name),
		source: 'project',
		layout,
		within: folder,
	});
	return [
		{ path: join(dist, '../capabilities'), source: 'built-in', layout: 'prowess', within: undefined },
		...CODEBOLT_FOLDERS.map((name) => createUserRoot(join(userHome, name), 'codebolt')),
		createUserRoot(join(home, 'capabilities'), 'prowess'),
		...folders.flatMap((folder) => [
			...CODEBOLT_FOLDERS.map((name) => createProjectRoot(folder, name, 'codebolt')),
			createProjectRoot(folder, '.prowess/capabilities', 'prowess'),
		]),
		// These are added only where a name is free: the first of them counts.
		...folders
			.toReversed()
			.flatMap((folder) => PROJECT_SKILLS.map((name) => createProjectRoot(folder, name, 'skill-folder'))),
		...USER_SKILLS.map((name) => createUserRoot(join(userHome, name), 'skill-folder')),
		...folders
			.toReversed()
			.flatMap((folder) => [
				createProjectRoot(folder, '.claude/commands', 'commands'),
				createProjectRoot(folder, '.github/prompts', 'prompts'),
			]),
		createUserRoot(join(userHome, '.claude/commands'), 'commands'),
	];
}
