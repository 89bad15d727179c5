/**
 * Finds out which services are available to ops that need more than a host, such as an editor or a provider of web
 * searches.
 */
import { type OpName, ops } from '../../protocol/op-table/ops.ts';
import type { WorkspaceInfo } from '../../protocol/server.ts';
import type { Settings } from '../../protocol/settings/settings.ts';

export interface OpSurroundings {
	readonly hasEditor: boolean;
	/** The user has named a provider. */
	readonly hasWebSearch: boolean;
	/** MCP servers are configured. */
	readonly hasMcp: boolean;
	/** The user has switched the code index on. */
	readonly hasCodeIndex: boolean;
	/** The user wants memories of earlier threads. */
	readonly hasMemory: boolean;
}

interface SurroundingsDeps {
	readonly hasEditor: boolean;
	readonly settings: () => Settings;
	readonly workspace: () => Pick<WorkspaceInfo, 'hasMcpFile'>;
}

export function readSurroundings({ hasEditor, settings, workspace }: SurroundingsDeps): OpSurroundings {
	const { 'prowess.web.search': web, 'prowess.mcp.servers': servers } = settings();
	return {
		hasEditor,
		hasWebSearch: web.provider !== 'off',
		hasMcp: workspace().hasMcpFile === true || Object.keys(servers).length > 0,
		hasCodeIndex: settings()['prowess.search.codeIndex'],
		hasMemory: settings()['prowess.memory.enabled'],
	};
}

/** Returns words for the model on why the op cannot be used here; undefined when it can. */
export function describeOpLack(
	name: OpName,
	{ hasEditor, hasWebSearch, hasMcp, hasCodeIndex, hasMemory }: OpSurroundings,
): string | undefined {
	if (name.startsWith('editor.') && !hasEditor) {
		return 'needs an editor; there is none here';
	}
	if (ops[name].permission === 'mcp' && !hasMcp) {
		return 'needs an MCP server; none is configured';
	}
	if (ops[name].permission === 'memory' && !hasMemory) {
		return 'is switched off by the user, in prowess.memory.enabled';
	}
	if (name === 'search.code' && !hasCodeIndex) {
		return 'needs the code index, which only the user can switch on, in prowess.search.codeIndex';
	}
	return name === 'web.search' && !hasWebSearch
		? 'needs a provider, which only the user can name, in prowess.web.search'
		: undefined;
}
