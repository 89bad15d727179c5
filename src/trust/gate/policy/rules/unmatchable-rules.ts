/** Rules that tighten but can never cover anything: whoever wrote one believes to be guarded, so each is named with its source. */
import { OP_NAMES, type OpName } from '../../../../protocol/op-table/ops.ts';
import { parseRuleWords } from './argv-pattern.ts';
import { opCovers, type StrictRule, type StrictRules } from './strict-rule.ts';

/** Ops on files, with what their patterns are compared to: a path in the workspace. */
const FILE_OPS = /^(?:fs|search|git|editor|plist|sql)\./;
/** Ops on something else that a pattern can name: a command, a host, a secret, a server, its tool, resource, prompt or model, a capability. */
const NAMED_OPS =
	/^(?:shell\.run|http\.\w+|net\.connect|web\.search|secrets\.read|mcp\.(?:tools|call|resources|read|prompt|sample)|capability\.start)$/;

/** In words, for the doctor and the list of rules. */
export function unmatchableRules({ deny, ask }: StrictRules): string[] {
	return [...deny, ...ask].flatMap((rule) => {
		const why = whyUnmatchable(rule);
		return why === undefined ? [] : [`${rule.source}: "${rule.text}" can never match: ${why}`];
	});
}

function whyUnmatchable({ op, pattern }: StrictRule): string | undefined {
	if (pattern === '*' || pattern === '**') {
		return undefined;
	}
	const ops = OP_NAMES.filter((name) => opCovers(op, name));
	const touched = ops.filter((name) => FILE_OPS.test(name) || NAMED_OPS.test(name));
	if (touched.length === 0) {
		return `${op} names no file, host or command; write "${op} *"`;
	}
	const isOnly = (kind: RegExp) => touched.every((name: OpName) => kind.test(name));
	if (isOnly(FILE_OPS) && /^(?:[/\\~]|[A-Za-z]:|\.\.(?:[/\\]|$))/.test(pattern)) {
		return 'its path is not in the workspace; everything outside is refused anyway';
	}
	const operator = isOnly(/^shell\.run$/)
		? parseRuleWords(pattern)?.find(({ text }) => /^(?:\|\|?|&&?|;|>>?|<)$/.test(text))
		: undefined;
	return operator === undefined ? undefined : `each command is judged by itself, without ${operator.text}`;
}
