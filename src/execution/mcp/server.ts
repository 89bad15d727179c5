/** An MCP server as it is configured, and who wrote that down. */

/** Whose file names it. What the user wrote comes before what the project brings. */
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
}

export interface McpServer {
	/** As rules write it; unique among all servers. */
	readonly name: string;
	readonly source: McpSource;
	/** File that names it, or the setting. */
	readonly path: string;
	/** Of a project: its folder. */
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
	/** What cannot be used, in sentences. */
	readonly problems: readonly string[];
}

/** Whether the project brought it: then what it says is not the user's. */
export function isOfProject({ source }: Pick<McpServer, 'source'>): boolean {
	return source === 'vscode' || source === 'project' || source === 'projectPlugin';
}

/** Its command line or address. */
export function addressOf({ launch }: Pick<McpServer, 'launch'>): string {
	return launch.kind === 'http' ? launch.url : [launch.command, ...launch.args].map(shownWord).join(' ');
}

function shownWord(word: string): string {
	return /^[\w@%+=:,./~${}-]+$/.test(word) ? word : JSON.stringify(word);
}
