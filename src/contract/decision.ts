/** Why an op may run or not, as data. The ledger's row turns it into words, once. */
import { inEnglish, type Text } from '../protocol/text/text.ts';

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
	| { readonly kind: 'person'; readonly said: 'yes'; readonly scope: ApprovedScope }
	| { readonly kind: 'person'; readonly said: 'no'; readonly words: string }
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
		case 'person':
			if (by.said === 'yes') return [`approved by the user ${describeApprovedScope(by.scope)}`];
			return [by.words === '' ? 'denied by the user' : `denied by the user: "${by.words}"`];
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
