/** Why an op may run or not, as data. The ledger's row turns it into words, once. */
import { type ActedThrough, describeThrough } from '../protocol/approvals/access.ts';
import type { OpDetail } from '../protocol/approvals/approvals.ts';
import type { Permission, RiskLevel } from '../protocol/ops/risk.ts';
import type { PermissionLevel } from '../protocol/ops/permission-level.ts';
import { inEnglish, type Text, text } from '../protocol/text/text.ts';

/** Explanation of how an op would be judged, for the person who asks. `invalid`: there is no such op, or it cannot be meant so. */
export interface Explanation {
	readonly op: string;
	readonly title: string;
	readonly decision: 'allow' | 'ask' | 'deny' | 'invalid';
	/** The rule, the level or the property that spoke. */
	readonly rule: string;
	readonly reason: string;
	readonly level: RiskLevel | null;
	readonly permission: Permission | null;
	/** Effects in any 60 minutes; 0: no limit. */
	readonly perHour: number;
	/** Content of the approval; null when nobody would be asked. */
	readonly asked: {
		readonly detail: OpDetail | null;
		readonly pattern: string | null;
		readonly threadScope: string | null;
		/** Narrowest permission level at which nobody would be asked; null: at every level somebody is. */
		readonly passesAt: PermissionLevel | null;
		readonly warning: string | null;
	} | null;
	/** Permission level by which it was judged. */
	readonly threadLevel: PermissionLevel;
	/** Why the op was judged by what was written only. */
	readonly unprepared: string | null;
}

/** Why an open approval asks, and the same as a question to test rules with, without secrets. */
export interface WhyAsked {
	readonly explanation: Explanation;
	readonly question: string;
}

const LAST_WORDS: readonly (readonly [beginning: string, said: Text])[] = [
	['approved by the user once', text('You, once')],
	['approved by the user for the thread', text('You, for this thread')],
	['approved by the user always in this project', text('You, for this project')],
	['approved by the user always in all projects', text('You, for all projects')],
	['approved by the user always', text('You, for this version')],
	['denied by the user', text('You')],
	['nobody answered', text('Nobody answered')],
	// A check beside the gate: permissions, rates, hooks.
	['deny: ', text('Prowess')],
];

const ALLOWED: Readonly<Record<string, Text>> = {
	user: text('You'),
	level: text('No question needed'),
	trust: text('No question needed'),
	'allow-rule': text('Your rule'),
	'thread-grant': text('Your answer for the thread'),
	'turn-grant': text('Your answer for the turn'),
	'allowed-tools': text('Your consent'),
	consent: text('Your consent'),
	'built-in': text('Came with Prowess'),
	auto: text('Automatic: {level}', { level: 'auto' }),
	full: text('Automatic: {level}', { level: 'full' }),
};

const DENIED_BY_RULE: Readonly<Record<string, Text>> = {
	'deny-rule': text('A deny rule'),
	trust: text('Workspace not trusted'),
	'workspace-only': text('Outside the workspace'),
	caller: text('Not offered to it'),
	'skill-tools': text('A skill'),
};

/**
 * Reads who had the last word about an act from what the ledger keeps of its decision: `trigger` and `decision`, the words
 * of `decisionText`, of its first row. A decision that says nothing else is the gate's.
 */
export function whoDecided(trigger: string, decision: string): Text {
	const lastWord = LAST_WORDS.find(([beginning]) => decision.startsWith(beginning));
	if (lastWord !== undefined) {
		return lastWord[1];
	}
	const [, verdict = '', rule = ''] = /^(allow|deny) \(([^)]*)\): /.exec(decision) ?? [];
	if (verdict === 'allow') {
		return findOwnText(ALLOWED, rule) ?? text('Rule {rule}', { rule });
	}
	if (verdict === 'deny') {
		return findOwnText(DENIED_BY_RULE, rule) ?? text('Nobody could be asked');
	}
	if (trigger === 'user') {
		return text('You');
	}
	return trigger === 'host' || trigger.startsWith('execution:') ? text('Prowess') : text('Not judged');
}

function findOwnText(table: Readonly<Record<string, Text>>, rule: string): Text | undefined {
	return Object.hasOwn(table, rule) ? table[rule] : undefined;
}

export interface OpDecision {
	/** Verdict of the gate. `none`: nothing has judged it yet. */
	readonly verdict: 'none' | 'allow' | 'ask' | 'deny';
	/** The rule, level or property that spoke. */
	readonly rule: string;
	readonly reason: string;
	readonly by: DecidedBy;
	/** Notes collected on the way. */
	readonly notes: readonly string[];
}

/** Last word: the ruling itself, a check beside it, the person, or nobody because the person did not answer. */
type DecidedBy =
	| { readonly kind: 'ruling' }
	| { readonly kind: 'check'; readonly reason: string }
	| ({ readonly kind: 'person'; readonly said: 'yes'; readonly scope: ApprovedScope } & ActedThrough)
	| ({ readonly kind: 'person'; readonly said: 'no'; readonly words: string } & ActedThrough)
	| { readonly kind: 'nobody' };

/** Coverage of an approval. */
export type ApprovedScope =
	| { readonly kind: 'once' }
	/** In words. */
	| { readonly kind: 'thread' | 'turn'; readonly covers: string }
	| { readonly kind: 'project' | 'all projects'; readonly pattern: string }
	/** The rule could not be saved, so it holds for the thread only. */
	| { readonly kind: 'unsaved rule'; readonly pattern: string }
	/** For as long as the content stays what it is. */
	| { readonly kind: 'content' };

interface Ruling {
	readonly kind: 'allow' | 'ask' | 'deny';
	readonly rule: string;
	/** The ledger has it in English. */
	readonly reason: string | Text;
}

export const NOT_JUDGED: OpDecision = { verdict: 'none', rule: '', reason: '', by: { kind: 'ruling' }, notes: [] };

export function createDecision({ kind, rule, reason }: Ruling, notes: readonly string[]): OpDecision {
	const words = typeof reason === 'string' ? reason : inEnglish(reason);
	return { verdict: kind, rule, reason: words, by: { kind: 'ruling' }, notes };
}

/** A check that refuses what no ruling and no person has refused. */
export function refusedByCheck(decision: OpDecision, reason: string): OpDecision {
	return decision.by.kind === 'ruling' && decision.verdict !== 'deny'
		? { ...decision, by: { kind: 'check', reason } }
		: decision;
}

export function addDecisionNote(decision: OpDecision, note: string): OpDecision {
	return { ...decision, notes: [...decision.notes, note] };
}

/** For the ledger: who had the last word, what was ruled before, and the notes. */
export function decisionText({ verdict, rule, reason, by, notes }: OpDecision): string {
	const ruling = verdict === 'none' ? 'not judged' : `${verdict} (${rule}): ${reason}`;
	return [...lastWord(by), ruling, ...notes].join('; ');
}

function lastWord(by: DecidedBy): string[] {
	switch (by.kind) {
		case 'ruling':
			return [];
		case 'check':
			return [`deny: ${by.reason}`];
		case 'nobody':
			return ['nobody answered'];
		case 'person': {
			const client = describeThrough(by);
			const through = client === undefined ? '' : `, through ${client}`;
			if (by.said === 'yes') return [`approved by the user ${describeApprovedScope(by.scope)}${through}`];
			return [`denied by the user${by.words === '' ? '' : `: "${by.words}"`}${through}`];
		}
	}
}

function describeApprovedScope(scope: ApprovedScope): string {
	switch (scope.kind) {
		case 'once':
			return 'once';
		case 'content':
			return 'always';
		case 'thread':
			return `for the thread: ${scope.covers}`;
		case 'turn':
			return `for the turn: ${scope.covers}`;
		case 'project':
			return `always in this project, as "${scope.pattern}"`;
		case 'all projects':
			return `always in all projects, as "${scope.pattern}"`;
		case 'unsaved rule':
			return `for the thread, as "${scope.pattern}"; the rule could not be saved`;
	}
}
