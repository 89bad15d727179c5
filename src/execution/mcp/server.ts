/** An MCP server as it is configured, and who wrote that down. */

/** Kind of file or setting that names a server. Names by the user come before names by the project. */
export type McpSource = 'settings' | 'copilot' | 'plugin' | 'vscode' | 'project' | 'projectPlugin';

export interface McpNeeds {
	readonly network: readonly string[];
	readonly read: readonly string[];
	readonly write: readonly string[];
}

export interface StdioLaunch {
	readonly kind: 'stdio';
	readonly command: string;
	readonly args: readonly string[];
	/** With references such as `${secret:github}` as they are written. */
	readonly env: Readonly<Record<string, string>>;
	/** Absolute. */
	readonly cwd: string;
	/** False: outside of the sandbox. Only the user's own settings may say so. */
	readonly isSandboxed: boolean;
	readonly needs: McpNeeds;
}

export interface HttpLaunch {
	readonly kind: 'http';
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	/** Client by which the user signs in; absent: one that is registered then. */
	readonly oauth?: { readonly clientId: string; readonly clientSecret?: string };
	/** Present: it speaks the transport `sse` of 2024-11-05. */
	readonly isOlder?: true;
}

export interface McpServer {
	/** Name of the server as rules write it; unique among all servers. */
	readonly name: string;
	readonly source: McpSource;
	/** File that names it, or the setting. */
	readonly path: string;
	/** Folder of the project that names the server; undefined: no project does. */
	readonly folder: string | undefined;
	readonly isDisabled: boolean;
	/** Folder of the plugin that it is a part of; absent: none. */
	readonly pluginRoot?: string;
	/** Folder that this plugin keeps its data in, whether it is there or not. */
	readonly pluginData?: string;
	readonly launch: StdioLaunch | HttpLaunch;
}

export interface McpConfiguration {
	readonly servers: readonly McpServer[];
	/** Entries and files that cannot be used, in sentences. */
	readonly problems: readonly string[];
}

/** True when the project brought the server: then its entry does not speak for the user. */
export function isOfProject({ source }: Pick<McpServer, 'source'>): boolean {
	return source === 'vscode' || source === 'project' || source === 'projectPlugin';
}

/** Returns what is written to the server, or to its authorization server, with references to secrets. */
export function listWrittenValues({ launch }: Pick<McpServer, 'launch'>): readonly string[] {
	return Object.values(launch.kind === 'stdio' ? launch.env : { ...launch.headers, ...launch.oauth });
}

/** Returns the server's command line or address. */
export function formatServerAddress({ launch }: Pick<McpServer, 'launch'>): string {
	return launch.kind === 'http' ? launch.url : [launch.command, ...launch.args].map(shownWord).join(' ');
}

function shownWord(word: string): string {
	return /^[\w@%+=:,./~${}-]+$/.test(word) ? word : JSON.stringify(word);
}

/** Servers of an answer on all, and a sentence on those that are left out of it. */
export function leaveOutServers(
	servers: readonly McpServer[],
	isListed: (name: string) => boolean,
): { readonly wanted: readonly McpServer[]; readonly ruled: readonly string[] } {
	const wanted = servers.filter(({ name }) => isListed(name));
	const left = servers.filter((server) => !wanted.includes(server)).map(({ name }) => name);
	return { wanted, ruled: left.length === 0 ? [] : [`Rules of the user leave out: ${left.join(', ')}.`] };
}
