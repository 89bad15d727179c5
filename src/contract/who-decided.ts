/** The last word about an act: who had it, read from what the ledger keeps of its decision: the words of `decisionText`. */
import { type Text, text } from '../protocol/text/text.ts';

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

/** `trigger` and `decision` of the first row. A decision that says nothing else is the gate's. */
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
