/** Names of folders that tools fill with what others wrote, or with what they make again: nobody here follows what they say. */
const TOOL_FOLDER_NAMES = new Set(['node_modules', '__pycache__', '.venv', 'venv', 'target', '.tox', '.mypy_cache']);

export function isToolFolderName(name: string): boolean {
	return TOOL_FOLDER_NAMES.has(name);
}
