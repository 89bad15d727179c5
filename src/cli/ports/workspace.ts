/**
 * Workspace of one folder, trusted before anything is composed; or of none, for commands that work on our own state
 * only.
 */
import { basename } from 'node:path';
import type { WorkspacePort } from '../../contract/ports/ports.ts';

export function createWorkspace(folder: string | undefined): WorkspacePort {
	return {
		folders: folder === undefined ? [] : [{ name: basename(folder) || 'root', path: folder }],
		isTrusted: folder !== undefined,
		// Neither changes while a command runs.
		onDidChange: () => ({ dispose() {} }),
	};
}
