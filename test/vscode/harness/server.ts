/** A VS Code server of its own for one run: no folder, setting or home of the machine it runs on. */

import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { installExtension, startVscodeServer, type VscodeServer } from '../../../scripts/vscode/server.ts';
import { settings as settingTable } from '../../../src/protocol/settings/settings.ts';
import { quietSettings } from '../../../scripts/vscode/settings.ts';
import { kit } from './kit.ts';

/** `off`: every folder is trusted. `restricted`: it is not, and nobody asks. `asks`: VS Code asks as it does with users. */
export type Trust = 'off' | 'restricted' | 'asks';

export interface TestServerOptions {
	readonly folder: string;
	readonly vsix?: string | undefined;
	readonly settings?: Readonly<Record<string, unknown>> | undefined;
	readonly env?: NodeJS.ProcessEnv | undefined;
	readonly trust?: Trust | undefined;
	readonly isTestDriver?: boolean;
}

/** One installation for all servers of a run: VS Code takes seconds of processor time for each. */
const installations = new Map<string, Promise<string>>();

export async function startTestServer(options: TestServerOptions): Promise<VscodeServer> {
	const { folder, vsix, settings = {}, env = {}, trust = 'off', isTestDriver = false } = options;
	const extensions = join(folder, 'extensions');
	// With others there, VS Code makes its list of all of them only when it installs one itself.
	const isAlone = !existsSync(extensions);
	if (vsix !== undefined && isAlone) cpSync(await installed(vsix), extensions, { recursive: true });
	writeMachineSettings(folder, settings);
	return startVscodeServer({
		node: kit.node,
		main: kit.server,
		dataFolder: folder,
		vsix: isAlone ? undefined : vsix,
		hasWorkspaceTrust: trust !== 'off',
		isTestDriver,
		settings: {
			...quietSettings,
			// What no spec looks at, and starts processes in every window.
			'git.enabled': false,
			'js/ts.tsserver.useSyntaxServer': 'never',
			'security.workspace.trust.enabled': trust !== 'off',
			'security.workspace.trust.startupPrompt': trust === 'asks' ? 'always' : 'never',
			...settings,
		},
		env: { ...cleanEnvironment(folder), ...env },
	});
}

/** Those of a machine count only in a file of that machine, which for VS Code is not the one that shows the window. */
function writeMachineSettings(folder: string, given: Readonly<Record<string, unknown>>): void {
	const isOfMachine = (name: string) =>
		(settingTable as Readonly<Record<string, { readonly scope: string }>>)[name]?.scope === 'machine';
	const file = join(folder, 'user/Machine/settings.json');
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, JSON.stringify(Object.fromEntries(Object.entries(given).filter(([name]) => isOfMachine(name)))));
}

function installed(vsix: string): Promise<string> {
	const known = installations.get(vsix) ?? install(vsix);
	installations.set(vsix, known);
	return known;
}

async function install(vsix: string): Promise<string> {
	const dataFolder = join(kit.artifacts, `installed-${process.pid}-${installations.size + 1}`);
	rmSync(dataFolder, { recursive: true, force: true });
	const env = cleanEnvironment(dataFolder);
	await installExtension({ node: kit.node, main: kit.server, dataFolder, settings: {}, env }, vsix);
	return join(dataFolder, 'extensions');
}

function cleanEnvironment(folder: string): NodeJS.ProcessEnv {
	const own = (name: string) => {
		const path = join(folder, name);
		mkdirSync(path, { recursive: true });
		return path;
	};
	return {
		PATH: `${dirname(kit.node)}${delimiter}${process.env['PATH'] ?? ''}`,
		LANG: 'C.UTF-8',
		HOME: own('home'),
		TMPDIR: own('t'),
		XDG_CONFIG_HOME: own('xdg/config'),
		XDG_DATA_HOME: own('xdg/data'),
		XDG_CACHE_HOME: own('xdg/cache'),
		...kept('NODE_V8_COVERAGE'),
		...kept('NODE_COMPILE_CACHE'),
	};
}

function kept(name: string): NodeJS.ProcessEnv {
	const value = process.env[name];
	return value === undefined ? {} : { [name]: value };
}
