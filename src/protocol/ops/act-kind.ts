/** Kind of an op, for the person who is asked about it: one word that says more than its risk level. */
import type { Permission } from './risk.ts';
import { type Text, text } from '../text/text.ts';
import * as z from '../text/zod.ts';
import type { OpDef } from './define-op.ts';

const ACT_KIND_TEXTS = {
	reads: text('Reads'),
	changes: text('Changes files'),
	runs: text('Runs a program'),
	connects: text('Uses the network'),
	changesDatabase: text('Changes a database'),
	usesSecret: text('Uses a secret'),
	runsCapability: text('Runs a capability'),
	asksModel: text('Asks a model'),
	callsTool: text('Calls an MCP tool'),
	other: text('Acts for you'),
} as const;

export const ActKind = z.enum(Object.keys(ACT_KIND_TEXTS) as (keyof typeof ACT_KIND_TEXTS)[]);
export type ActKind = z.infer<typeof ActKind>;

const BY_PERMISSION: Partial<Record<Permission, ActKind>> = {
	shell: 'runs',
	http: 'connects',
	secrets: 'usesSecret',
	capabilities: 'runsCapability',
	llm: 'asksModel',
	mcp: 'callsTool',
};

export function toActKind({ permission, effect }: Pick<OpDef, 'permission' | 'effect'>): ActKind {
	const kind = BY_PERMISSION[permission];
	if (kind !== undefined) {
		return kind;
	}
	if (effect === 'write') {
		return permission === 'database' ? 'changesDatabase' : 'changes';
	}
	return effect === 'read' ? 'reads' : 'other';
}

/** In one or two words; what is dangerous is that first. */
export function describeActKind(kind: ActKind, isDangerous: boolean): Text {
	return isDangerous ? text('Dangerous') : ACT_KIND_TEXTS[kind];
}

const LOOKING_NAME =
	/^(?:get|list|search|find|read|fetch|query|describe|show|view|count|lookup|browse|status)(?![a-z])/;

/** True for a tool of an MCP server that only looks, as tools say by their name alone: `get_issue`, `listFiles`. */
export function onlyLooks(tool: string): boolean {
	return LOOKING_NAME.test(tool.replace(/^[a-z]+_(?=(?:get|list|search|find|read)_)/, ''));
}
