/** Where the programs of the real VS Code tests are. `npm test` says it in the environment; alone, they are where it puts them. */

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');
const { env } = process;

export const kit = {
	root,
	/** The server runs on the same Node as the tests. */
	node: process.execPath,
	/** A desktop VS Code needs neither this nor the browser: they are looked for when they are used. */
	get server() {
		const own = join(root, '.tools/vscode/node_modules/code-server/lib/vscode/out/server-main.js');
		return needed(env['PROWESS_VSCODE_SERVER'] ?? own);
	},
	get chromium() {
		return needed(env['PROWESS_CHROMIUM'] ?? '/usr/bin/chromium');
	},
	/** Screenshots and logs, kept after the run. */
	artifacts: env['PROWESS_ARTIFACTS'] ?? join(root, 'artifacts'),
	vsix: env['PROWESS_VSIX'] ?? join(root, 'dist/prowess.vsix'),
	extensionId: 'prowess.prowess',
} as const;

function needed(path: string): string {
	if (existsSync(path)) return path;
	throw new Error(`${path} is not there; run \`npm test -- --only vscode\`, which fetches it`);
}
