/** A VS Code server of its own for one run: no folder, setting or home of the machine it runs on. */

import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { installExtension, startVscodeServer, type VscodeServer } from '../../../scripts/vscode/server.ts';
import { settings as settingTable } from '../../../src/protocol/settings/settings.ts';
import { quietSettings } from '../../../scripts/vscode/settings.ts';
import { kit } from './kit.ts';
import { nodeUnderRules } from './system-folder.ts';

/** `off`: every folder is trusted. `restricted`: it is not, and nobody asks. */
export type Trust = 'off' | 'restricted';

/** Settings and trust that VS Code finds when a window opens. */
export interface StorySettings {
	/** User settings on top of the quiet ones. */
	readonly settings?: Readonly<Record<string, unknown>> | undefined;
	readonly trust?: Trust | undefined;
	/** Rules of an organisation on a machine of its own. Default: none. */
	readonly organisation?: object | undefined;
}

interface TestServerOptions extends Pick<StorySettings, 'organisation'> {
	readonly folder: string;
	readonly vsix?: string;
	readonly env?: NodeJS.ProcessEnv;
	readonly isTestDriver?: boolean;
	/** True when VS Code has only those of its own extensions that stories look at. Default: it has all. */
	readonly hasFewExtensions?: boolean;
}

/** Each of the others is read, registered or started in every window. */
const lookedAt = [
	...['theme-defaults', 'theme-seti', 'git', 'git-base', 'yaml', 'javascript', 'typescript-basics'],
	...['json', 'json-language-features', 'markdown-basics', 'markdown-language-features'],
];

/**
 * Installed extensions by package, shared by all servers of a run: VS Code takes seconds of processor time for each
 * installation.
 */
const installations = new Map<string, Promise<string>>();

export async function startTestServer(options: TestServerOptions): Promise<VscodeServer> {
	const { folder, vsix, env = {}, isTestDriver = false, hasFewExtensions = false, organisation } = options;
	if (vsix !== undefined) cpSync(await installed(vsix), join(folder, 'extensions'), { recursive: true });
	writeSettings(folder, {});
	return startVscodeServer({
		node: organisation === undefined ? kit.node : nodeUnderRules(folder, organisation),
		main: kit.server,
		dataFolder: folder,
		// The settings say which folders are trusted, anew for each window.
		hasWorkspaceTrust: true,
		isTestDriver,
		builtIn: hasFewExtensions ? fewExtensions(folder) : undefined,
		settings: {},
		env: { ...cleanEnvironment(folder), ...env },
	});
}

function fewExtensions(folder: string): string {
	const all = join(dirname(kit.server), '../extensions');
	const few = join(folder, 'built-in');
	mkdirSync(few);
	// The extensions share `node_modules`, so link it too.
	for (const name of [...lookedAt, 'node_modules']) symlinkSync(join(all, name), join(few, name));
	return few;
}

/** Writes the settings of a server that has this folder, for the windows that open from now on. */
export function writeSettings(folder: string, { settings = {}, trust = 'off' }: StorySettings): void {
	write(join(folder, 'user/User/settings.json'), {
		...quietSettings,
		// Turns off features that no spec looks at and that start processes in every window.
		'git.enabled': false,
		'js/ts.tsserver.useSyntaxServer': 'never',
		'remote.autoForwardPorts': false,
		'security.workspace.trust.enabled': trust !== 'off',
		'security.workspace.trust.startupPrompt': 'never',
		...settings,
	});
	// Settings of scope `machine` count only in a file of that machine, which for VS Code is not the machine that shows
	// the window.
	const isOfMachine = (name: string) =>
		(settingTable as Readonly<Record<string, { readonly scope: string }>>)[name]?.scope === 'machine';
	const ofMachine = Object.entries(settings).filter(([name]) => isOfMachine(name));
	write(join(folder, 'user/Machine/settings.json'), Object.fromEntries(ofMachine));
}

function write(file: string, settings: Readonly<Record<string, unknown>>): void {
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, JSON.stringify(settings, undefined, '\t'));
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
