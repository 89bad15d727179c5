/**
 * Asks for a person's yes to just that pair, where something leaves after the model has read a text from outside, or one that
 * holds secrets. Labels only tighten: they never let anything pass that the gate would ask about or refuse.
 */
import { formatLabel, type ReadText, type Receiver, describeText } from '../../../contract/labels.ts';
import { joinTexts, joinTextsWithCommas, type Text, text } from '../../../protocol/text/text.ts';
import type { Flow, GateDecision, GateInput } from '../policy/gate-decision.ts';
import { exactPattern, parseAllowRules, ruleCovers } from '../policy/rules/allow-rule.ts';
import { namePatternCovers } from '../policy/rules/name-pattern.ts';
import { MOST_TEXTS_NAMED } from './limits.ts';
import { receiversOfOp } from './receivers-of-op.ts';

/** Further parts that nothing needs before the first text from outside. */
export { fetchesText } from './connecting-commands.ts';
export { MadeElsewhere } from './made-elsewhere.ts';

/** Longest rule that is offered. */
const MAX_RULE_CHARS = 500;

/** Returns the decision after the labels of the thread: a question, or a denial where nobody can be asked. */
export function tightenByLabels(input: GateInput, decision: GateDecision): GateDecision {
	if (decision.kind === 'deny' || input.caller.kind === 'user') {
		return decision;
	}
	const flow = findFlow(input);
	if (flow === undefined) {
		// An answer for the thread covers what comes back.
		const receivers = decision.kind === 'ask' ? receiversOfOp(input) : [];
		return decision.kind === 'allow' || receivers.length === 0
			? decision
			: { ...decision, flow: { ...withAnswers({ texts: [], receivers }), shown: [], isOnly: false } };
	}
	const reason = flowReason(flow);
	if (decision.kind === 'ask') {
		const pattern = decision.pattern === null ? null : rulePattern(decision.pattern, flow);
		return {
			...decision,
			reason: joinTexts(decision.reason, reason),
			isReasonUsual: false,
			isTurnOffered: false,
			isPartOfAll: false,
			pattern,
			wider: [],
			flow: { ...withAnswers(flow), shown: showTexts(flow), isOnly: false },
		};
	}
	const pattern = rulePattern(receiverPattern(flow), flow);
	if (input.mode !== 'ask') {
		const how =
			pattern === null
				? []
				: [text('To allow it here, add the rule "{pattern}" to prowess.approvals.allow.', { pattern })];
		return {
			kind: 'deny',
			code: 'DENIED_BY_RULE',
			rule: 'outside-text',
			reason: joinTexts(reason, text('This session cannot ask.'), ...how),
			unattended: { automatic: 'never' },
		};
	}
	return {
		kind: 'ask',
		rule: 'outside-text',
		reason,
		isReasonUsual: false,
		pattern,
		wider: [],
		threadScope: text('sending to {receivers} after {texts}, and after what it answers', {
			receivers: receiversInWords(flow),
			texts: textsInWords(flow),
		}),
		isTurnOffered: false,
		isPartOfAll: false,
		passesAt: null,
		flow: { ...withAnswers(flow), shown: showTexts(flow), isOnly: true },
	};
}

/** Undefined when nothing leaves, or the user has allowed each pair of text and receiver. */
function findFlow(input: GateInput): Flow | undefined {
	const { texts = [] } = input;
	if (texts.length === 0) {
		return undefined;
	}
	const receivers = receiversOfOp(input).filter((receiver) => !isNamedReceiver(input, receiver));
	const isOpen = (read: ReadText) => receivers.some((receiver) => !isPairAllowed(input, read, receiver));
	const open = texts.filter(isOpen);
	return open.length === 0 ? undefined : { texts: open, receivers };
}

/** True for a host that is only asked for something, where the user has named just that host. */
function isNamedReceiver({ rules, isGranted }: GateInput, { isPlain, targets }: Receiver): boolean {
	return (
		isPlain === true &&
		targets.some(
			({ op, target }) =>
				isGranted(op, target) || rules.some((rule) => ruleCovers(rule, op, target) && !rule.pattern.includes('*')),
		)
	);
}

function isPairAllowed({ rules, isFlowGranted }: GateInput, read: ReadText, receiver: Receiver): boolean {
	return (
		isFlowGranted?.(read, receiver) === true ||
		rules.some(
			(rule) =>
				isNamedAfter(rule.after, read) && receiver.targets.some(({ op, target }) => ruleCovers(rule, op, target)),
		)
	);
}

function isNamedAfter(after: readonly string[] | undefined, read: ReadText): boolean {
	return after?.some((pattern) => namePatternCovers(pattern, formatLabel(read), { nocase: false })) === true;
}

function flowReason(flow: Flow): Text {
	return text('The agent has read {texts}, and this sends something to {receivers}.', {
		texts: textsInWords(flow),
		receivers: receiversInWords(flow),
	});
}

function textsInWords({ texts }: Flow): Text {
	const named = texts.slice(0, MOST_TEXTS_NAMED).map(describeText);
	const more = texts.length - named.length;
	return joinTextsWithCommas(more === 0 ? named : [...named, text('{n} more', { n: more })]);
}

function showTexts({ texts }: Flow): readonly { readonly said: Text; readonly opId: string }[] {
	return texts
		.slice(0, MOST_TEXTS_NAMED)
		.flatMap((each) => (each.opId === undefined ? [] : [{ said: describeText(each), opId: each.opId }]));
}

function receiversInWords({ receivers }: Flow): string {
	return [...new Set(receivers.map(({ name }) => name))].join(', ');
}

/** The rule that would let the act pass; null where no single one would. */
function receiverPattern({ receivers }: Flow): string | null {
	const [only] = receivers;
	const named = receivers.length === 1 ? only?.targets.at(-1) : undefined;
	return named === undefined ? null : `${named.op} ${exactPattern(named.target)}`;
}

/** A yes to sending somewhere covers what comes back from there, or the second request would be another question. */
function withAnswers({ texts, receivers }: Flow): Flow {
	const answers = receivers.flatMap(({ targets }) =>
		targets.flatMap(({ target }): ReadText[] => {
			if (target.kind === 'host') return [{ source: 'web', name: target.host, secrecy: 'public' }];
			return target.kind === 'mcp' ? [{ source: 'mcp', name: target.server, secrecy: 'workspace' }] : [];
		}),
	);
	return { texts: [...texts, ...answers], receivers };
}

/** The rule, for just these texts; null where it cannot be written so that it is read back as it is meant. */
function rulePattern(pattern: string | null, flow: Flow): string | null {
	const { texts } = withAnswers(flow);
	const labels = [...new Set(texts.map((each) => formatLabel(each).replace(/[\\*?[\]{}()!]/g, '\\$&')))];
	const rule = `${pattern} after ${labels.join(',')}`;
	const [read] = pattern === null || rule.length > MAX_RULE_CHARS ? [] : parseAllowRules([rule]);
	return texts.every((each) => isNamedAfter(read?.after, each)) ? rule : null;
}
