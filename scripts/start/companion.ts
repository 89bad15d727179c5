/** The extension beside ours that shows the chat at once: for the workbench of `npm start`, where nobody knows yet where to click. */

import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup/paths.mjs';

export const companionFolder = join(root, 'scripts/start/show-chat');
const id = 'prowess.prowess-show-chat';

/** Puts it among the installed ones. Before the server starts: it reads the folder when it has no list of it. */
export function addCompanion(extensions: string): void {
	cpSync(companionFolder, join(extensions, `${id}-1.0.0`), { recursive: true });
	const list = join(extensions, 'extensions.json');
	if (existsSync(list) && !readFileSync(list, 'utf8').includes(id)) rmSync(list);
}
