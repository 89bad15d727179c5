/** Where the agent works: all of it with the first message, later what has changed since it was told. */
import { escapeHidden } from '../../base/text/hidden-characters.ts';
import type { ContextRef } from '../../protocol/thread/context.ts';
import type { OpResult } from '../../protocol/op-table/ops.ts';
import { LEVEL_WORDS, type PermissionLevel } from '../../protocol/ops/permission-level.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import { TOLD_ENVIRONMENT, toldEnvironment } from '../history/told-sections.ts';
import type { ModelMessage } from '../models/model-port.ts';
import { promptLimits } from './limits.ts';
import { type HostOpAsker, requestHostOpWithin } from '../host/request-op.ts';
import { formatSection } from './notes.ts';

/** To put after the user's text; empty when nothing has changed, or nobody can say. */
export async function readEnvironment(
	before: readonly ModelMessage[],
	refs: readonly ContextRef[],
	asker: HostOpAsker,
	signal: AbortSignal,
): Promise<string> {
	const read = await requestHostOpWithin(promptLimits.environmentMs, 'workspace.environment', {}, asker, signal);
	const told = toldEnvironment(before);
	const now = [...(read.ok ? listEnvironmentLines(read.result) : []), ...refs.flatMap(activeLine)];
	const lines = now.filter(([name, value]) => told.get(name) !== value);
	if (lines.length === 0) {
		return '';
	}
	return `\n\n${formatSection(TOLD_ENVIRONMENT, told.size === 0 ? '' : 'changed', lines.map((line) => line.join(': ')).join('\n'))}`;
}

/** Fact about the environment, with its name. */
type EnvironmentLine = readonly [name: string, value: string];

function listEnvironmentLines(read: OpResult<'workspace.environment'>): EnvironmentLine[] {
	const { platform, date, folders, git, top, more, newCapabilities = [] } = read;
	const names = top.map(escapeLineText).join(', ');
	const holds: EnvironmentLine = ['holds', more === 0 ? names : `${names} and ${more} more`];
	return [
		['today', date],
		['system', platform],
		...folders.map(({ name, path }, index): EnvironmentLine =>
			folders.length === 1
				? ['folder', escapeLineText(path)]
				: [`folder ${index + 1}`, `${escapeLineText(name)} = ${escapeLineText(path)}`],
		),
		...(top.length === 0 ? [] : [holds]),
		...(git === undefined ? [] : [['git', gitLine(git)] as const]),
		['permissions', permissionsLine(read)],
		...(newCapabilities.length === 0 ? [] : [['new capabilities', newLine(newCapabilities)] as const]),
	];
}

/** Acts that each permission level allows when nobody can be asked about the rest. */
const UNATTENDED_ACTS: { readonly [L in PermissionLevel]: string } = {
	manual: 'reading',
	ask: 'reading, commands that only read',
	edit: 'reading, commands that only read, file changes that can be undone',
	auto: 'reading, file changes, commands in the sandbox',
	full: 'reading, file changes, commands, outside the sandbox too',
};

/** Returns the line on permissions, as they stand in the host that carries out this turn. */
function permissionsLine({ level, mode, isUnattended, hasRules }: OpResult<'workspace.environment'>): string {
	if (mode === 'ask') {
		return 'Only reading, in the mode Ask.';
	}
	if (mode === 'plan') {
		return isUnattended === true
			? 'Only reading. Nobody can approve a plan here, so answer with it.'
			: 'Only reading until the user approves the plan.';
	}
	if (isUnattended !== true) {
		return inEnglish(LEVEL_WORDS[level].sentence);
	}
	const rules = hasRules === true && level !== 'manual' ? ", what the user's rules allow" : '';
	return `Allowed: ${UNATTENDED_ACTS[level]}${rules}. Nobody can be asked here: what needs an approval is denied, so do not try it; say what you would do.`;
}

function newLine(names: readonly string[]): string {
	const named = names.slice(0, promptLimits.newCapabilities).map(escapeLineText).join(', ');
	const more = names.length - promptLimits.newCapabilities;
	return `${named}${more > 0 ? ` and ${more} more` : ''} (capability_detail tells what each is for)`;
}

/** Line of what the user looks at; said before the user's words may mean it. */
function activeLine(ref: ContextRef): EnvironmentLine[] {
	if (ref.kind !== 'active') {
		return [];
	}
	const { path, startLine, endLine } = ref;
	const lines = startLine === undefined ? '' : `, lines ${startLine}-${endLine ?? startLine} selected`;
	return [['open in the editor', escapeLineText(path) + lines]];
}

function gitLine({ branch, changedFiles, isMore }: NonNullable<OpResult<'workspace.environment'>['git']>): string {
	const where = branch === null ? 'no branch' : `branch ${escapeLineText(branch)}`;
	const count = `${changedFiles}${isMore ? ' or more' : ''} changed ${changedFiles === 1 && !isMore ? 'file' : 'files'}`;
	return `${where}, ${changedFiles === 0 ? 'nothing changed' : count}`;
}

/** A name can hold a line end. */
function escapeLineText(text: string): string {
	return escapeHidden(text.includes('\n') || text.includes('\r') ? text.replaceAll(/[\r\n]+/g, ' ') : text);
}
