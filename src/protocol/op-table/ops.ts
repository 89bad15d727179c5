/**
 * The one table of effects. To add an op: define it in `ops/definitions/`, name it here. The broker then does not
 * compile without an implementation, `cards.ts` not without the card of its tool, and the gate matrix test asks for its
 * row.
 */
import type * as z from '../text/zod.ts';
import type { OpDef } from '../ops/define-op.ts';
import { agentApply, agentList, agentSend, agentSpawn, agentStop } from '../agents/agent-ops.ts';
import { goalStart, goalVerdict } from '../ops/definitions/agent/goal.ts';
import { scriptRun } from '../ops/definitions/agent/script.ts';
import { scheduleAdd, scheduleList, scheduleSwitch } from '../ops/definitions/agent/schedule.ts';
import { agentRun } from '../ops/definitions/agent/agent.ts';
import { browserAct, browserLook, browserOpen } from '../ops/definitions/network/browser.ts';
import {
	capabilityDetail,
	capabilityList,
	capabilityStart,
	capabilityStatus,
	capabilityStop,
	capabilitySwitch,
	servicesCall,
	servicesListProviders,
} from '../capability/capability-ops.ts';
import {
	cryptoAesGcmDecrypt,
	cryptoAesGcmEncrypt,
	cryptoHash,
	cryptoHkdf,
	cryptoHmac,
	cryptoPbkdf2,
	cryptoRandomBytes,
} from '../ops/definitions/data/crypto.ts';
import { editorComment } from '../ops/definitions/agent/comments.ts';
import { editorDiagnostics, editorReferences, editorSymbols } from '../ops/definitions/agent/editor.ts';
import {
	fsDelete,
	fsEdit,
	fsFind,
	fsList,
	fsMakeFolder,
	fsMove,
	fsRead,
	fsStat,
	fsWrite,
} from '../ops/definitions/files/files.ts';
import { gitDiff, gitStatus } from '../ops/definitions/agent/git.ts';
import {
	cookieClear,
	cookieGet,
	cookieResolve,
	httpGet,
	httpRequest,
	httpSessionClose,
	httpSessionOpen,
} from '../ops/definitions/network/http.ts';
import { progressReport, todoWrite, userAsk } from '../ops/definitions/agent/interaction.ts';
import { llmChat, llmOneshot, llmResolveTools } from '../ops/definitions/agent/llm.ts';
import { mcpCall, mcpSample, mcpTools } from '../ops/definitions/agent/mcp.ts';
import { mcpPrompt, mcpRead, mcpResources } from '../ops/definitions/agent/mcp-offers.ts';
import { memoryForget, memoryRecall, memoryRemember } from '../ops/definitions/agent/memory.ts';
import { netConnect } from '../ops/definitions/network/net.ts';
import { planWrite } from '../ops/definitions/agent/plan.ts';
import { plistParse } from '../ops/definitions/data/plist.ts';
import { editorRefactor } from '../ops/definitions/files/refactor.ts';
import { searchCode } from '../ops/definitions/files/search-code.ts';
import { searchText } from '../ops/definitions/files/search.ts';
import { secretsList, secretsRead, secretsWrite } from '../ops/definitions/data/secrets.ts';
import { shellOutput, shellRun, shellStop } from '../ops/definitions/commands/shell.ts';
import { sqlExecute, sqlQuery } from '../ops/definitions/data/sql.ts';
import { workspaceEnvironment } from '../ops/definitions/commands/environment.ts';
import { webSearch } from '../ops/definitions/network/web.ts';
import { workspaceChanges, workspaceInstructions } from '../ops/definitions/agent/workspace.ts';
import { toolName } from './op-tool.ts';

/** In the order in which the model is told of them; the order is part of the cached prompt prefix (G8). */
export const ops = {
	'fs.read': fsRead,
	'fs.list': fsList,
	'fs.find': fsFind,
	'search.text': searchText,
	'search.code': searchCode,
	'fs.edit': fsEdit,
	'fs.write': fsWrite,
	'fs.move': fsMove,
	'fs.delete': fsDelete,
	'shell.run': shellRun,
	'shell.output': shellOutput,
	'shell.stop': shellStop,
	'editor.diagnostics': editorDiagnostics,
	'editor.symbols': editorSymbols,
	'editor.references': editorReferences,
	'git.status': gitStatus,
	'git.diff': gitDiff,
	'http.get': httpGet,
	'user.ask': userAsk,
	'todo.write': todoWrite,
	'plan.write': planWrite,
	'capability.list': capabilityList,
	'capability.detail': capabilityDetail,
	'capability.start': capabilityStart,
	'capability.status': capabilityStatus,
	'capability.stop': capabilityStop,
	// Told of by their names only, until the model looks for them
	'fs.stat': fsStat,
	'editor.refactor': editorRefactor,
	'editor.comment': editorComment,
	'http.request': httpRequest,
	'sql.query': sqlQuery,
	'sql.execute': sqlExecute,
	'plist.parse': plistParse,
	'web.search': webSearch,
	'browser.open': browserOpen,
	'browser.look': browserLook,
	'browser.act': browserAct,
	'mcp.tools': mcpTools,
	'mcp.call': mcpCall,
	'mcp.resources': mcpResources,
	'mcp.read': mcpRead,
	'memory.remember': memoryRemember,
	'memory.recall': memoryRecall,
	'memory.forget': memoryForget,
	'schedule.add': scheduleAdd,
	'goal.start': goalStart,
	'goal.verdict': goalVerdict,
	'script.run': scriptRun,
	'agent.spawn': agentSpawn,
	'agent.send': agentSend,
	'agent.list': agentList,
	'agent.stop': agentStop,
	'agent.apply': agentApply,
	// Not offered to the model: for running capabilities
	'mcp.prompt': mcpPrompt,
	'mcp.sample': mcpSample,
	'fs.makeFolder': fsMakeFolder,
	'net.connect': netConnect,
	'cookie.get': cookieGet,
	'cookie.clear': cookieClear,
	'cookie.resolve': cookieResolve,
	'http.sessionOpen': httpSessionOpen,
	'http.sessionClose': httpSessionClose,
	'secrets.list': secretsList,
	'secrets.read': secretsRead,
	'secrets.write': secretsWrite,
	'crypto.hash': cryptoHash,
	'crypto.hmac': cryptoHmac,
	'crypto.pbkdf2': cryptoPbkdf2,
	'crypto.hkdf': cryptoHkdf,
	'crypto.aesGcmEncrypt': cryptoAesGcmEncrypt,
	'crypto.aesGcmDecrypt': cryptoAesGcmDecrypt,
	'crypto.randomBytes': cryptoRandomBytes,
	'llm.chat': llmChat,
	'llm.oneshot': llmOneshot,
	'llm.resolveTools': llmResolveTools,
	'services.call': servicesCall,
	'services.listProviders': servicesListProviders,
	'agent.run': agentRun,
	'progress.report': progressReport,
	'capability.switch': capabilitySwitch,
	'schedule.list': scheduleList,
	'schedule.switch': scheduleSwitch,
	'workspace.instructions': workspaceInstructions,
	'workspace.changes': workspaceChanges,
	'workspace.environment': workspaceEnvironment,
} as const satisfies Record<string, OpDef>;

export type OpName = keyof typeof ops;
/** Ops that models are told of. */
export type ToolOp = { [N in OpName]: (typeof ops)[N] extends { readonly tool: string } ? N : never }[OpName];
/** Params as a caller writes them: what has a default may be left out. */
export type OpInput<N extends OpName> = z.input<(typeof ops)[N]['params']>;
export type OpParams<N extends OpName> = z.output<(typeof ops)[N]['params']>;
export type OpResult<N extends OpName> = z.output<(typeof ops)[N]['result']>;

export const OP_NAMES = Object.keys(ops) as readonly OpName[];

const opOfAlias: ReadonlyMap<string, OpName> = new Map(
	OP_NAMES.flatMap((op) => ((ops[op] as OpDef).aliases ?? []).map((name) => [name, op])),
);

/** Own name of the op that has this alias; any other text as it is. */
export function canonicalOp(name: string): string {
	return opOfAlias.get(name) ?? name;
}

/** Own keys only: `__proto__` and `constructor` name no op. */
export function isOpName(name: string): name is OpName {
	return Object.hasOwn(ops, name);
}

/** Ops whose params are a command. */
export const COMMAND_OPS: readonly OpName[] = OP_NAMES.filter((name) => (ops[name] as OpDef).isCommand);

const opOfTool = new Map(
	OP_NAMES.filter((name) => (ops[name] as OpDef).tool !== undefined).map((n) => [toolName(n), n]),
);

/** The op a model means; undefined for a tool that does not exist. Each op can be called by a name of its own, too. */
export function opOfCall(tool: string, input: unknown): OpName | undefined {
	const named = opOfTool.get(tool);
	const isMeantByInput = (name: OpName) => {
		const { sharedTool }: OpDef = ops[name];
		return sharedTool !== undefined && sharedTool.of === named && isGiven(input, sharedTool.by, isToolFlag(name));
	};
	return OP_NAMES.find(isMeantByInput) ?? named;
}

/** Parameters of the op's tool that only say which op is meant. */
export function listToolFlags(op: OpName): readonly string[] {
	const isOfTool = (name: OpName) => name === op || (ops[name] as OpDef).sharedTool?.of === op;
	return OP_NAMES.filter((name) => isOfTool(name) && isToolFlag(name)).map(
		(name) => (ops[name] as OpDef).sharedTool?.by ?? '',
	);
}

function isToolFlag(name: OpName): boolean {
	const { sharedTool, params } = ops[name] as OpDef & { readonly params: { readonly shape?: object } };
	return sharedTool !== undefined && !Object.hasOwn(params.shape ?? {}, sharedTool.by);
}

const UNSET = /^\s*(?:|false|no|off|none|null|0)\s*$/i;

/** Some models fill in what they do not mean: an empty text, or a flag that is not set, also as a text. */
function isGiven(input: unknown, param: string, isFlagged: boolean): boolean {
	if (typeof input !== 'object' || input === null || !Object.hasOwn(input, param)) {
		return false;
	}
	const value: unknown = Reflect.get(input, param);
	return isFlagged && typeof value === 'string' ? !UNSET.test(value) : Boolean(value);
}
