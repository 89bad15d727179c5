/**
 * Parses a workspace's `.prowess/policy.yaml`: lists `deny` and `ask`, and `widestLevel`. The file may only tighten the
 * user's settings; an entry that would loosen them is refused and named. Pure; every problem says where it is.
 */
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { isWiderLevel, PERMISSION_LEVELS, PermissionLevel } from '../../../../protocol/ops/permission-level.ts';
import { parseStrictRule, type StrictRule, type StrictRules, type WidestLevel } from '../rules/strict-rule.ts';
import { MAX_POLICY_BYTES, MAX_POLICY_NESTING, MAX_POLICY_RULES } from '../limits.ts';

export interface WorkspacePolicy extends StrictRules {
	/** Refused because it would loosen; the rest of the file counts. */
	readonly refused: readonly string[];
}

/** Known words of the settings that a workspace might try. */
const LOOSENING = new Set(['allow', 'autonomy', 'level', 'mode', 'perHour', 'timeoutMinutes', 'trust', 'approvals']);

/** `path` is how problems name the file; `folder` is that of a workspace with several. */
export function parseWorkspacePolicy(text: string, path: string, folder?: string): WorkspacePolicy {
	const unreadable: string[] = [];
	const refused: string[] = [];
	const found: Record<'deny' | 'ask', StrictRule[]> = { deny: [], ask: [] };
	let widest: WidestLevel | undefined;
	const createPolicy = () => ({ ...found, unreadable, refused, ...(widest === undefined ? {} : { widest }) });
	if (Buffer.byteLength(text) > MAX_POLICY_BYTES) {
		unreadable.push(`${path}: longer than ${MAX_POLICY_BYTES} bytes`);
		return createPolicy();
	}
	const lines = new LineCounter();
	const document = isDeep(text) ? undefined : parsePolicyDocument(text, lines);
	if (document === undefined) {
		unreadable.push(`${path}: nested too deeply`);
		return createPolicy();
	}
	const describePlace = (offset: number | undefined) => {
		const { line, col } = lines.linePos(offset ?? 0);
		return `${path}:${Math.max(1, line)}:${Math.max(1, col)}`;
	};
	for (const { pos, message } of [...document.errors, ...document.warnings]) {
		unreadable.push(`${describePlace(pos[0])}: ${message}`);
	}
	const { contents } = document;
	if (unreadable.length > 0 || contents === null || (isScalar(contents) && contents.value === null)) {
		return createPolicy();
	}
	if (!isMap(contents)) {
		unreadable.push(`${describePlace(contents.range?.[0])}: expected "deny", "ask" or "widestLevel"`);
		return createPolicy();
	}
	for (const { key, value } of contents.items) {
		const name = isScalar(key) && typeof key.value === 'string' ? key.value : '?';
		const place = describePlace((key as Node).range?.[0]);
		if (name === 'deny' || name === 'ask') {
			found[name].push(...readRuleList(value as Node | null, name, place));
		} else if (name === 'widestLevel') {
			const named = readWidestLevel(value as Node | null, place);
			widest =
				widest === undefined || (named !== undefined && isWiderLevel(widest.level, named.level)) ? named : widest;
		} else if (LOOSENING.has(name)) {
			refused.push(
				`${place}: "${name}" is refused: a workspace may only deny and ask; it belongs in your own settings`,
			);
		} else {
			unreadable.push(`${place}: unknown "${name}"; there are "deny", "ask" and "widestLevel"`);
		}
	}
	return createPolicy();

	function readWidestLevel(value: Node | null, place: string): WidestLevel | undefined {
		const level = PermissionLevel.safeParse(isScalar(value) ? value.value : undefined);
		if (!level.success) {
			const levels = PERMISSION_LEVELS.join(', ');
			unreadable.push(`${place}: "widestLevel" names no permission level; write one of ${levels}`);
			return undefined;
		}
		return { level: level.data, source: place };
	}

	function readRuleList(list: Node | null, name: string, place: string): StrictRule[] {
		if (list === null || (isScalar(list) && list.value === null)) {
			return [];
		}
		if (!isSeq(list)) {
			unreadable.push(`${place}: "${name}" must be a list of rules`);
			return [];
		}
		if (list.items.length > MAX_POLICY_RULES) {
			unreadable.push(`${place}: more than ${MAX_POLICY_RULES} rules in "${name}"`);
			return [];
		}
		return list.items.flatMap((item) => {
			const where = describePlace((item as Node | null)?.range?.[0]);
			// An alias is no scalar: nothing is ever expanded.
			const rule = isScalar(item) && typeof item.value === 'string' ? item.value : undefined;
			const parsed = rule === undefined ? 'a rule is a text like "fs.write src"' : parseStrictRule(rule, where, folder);
			if (typeof parsed === 'string') {
				unreadable.push(`${where}: ${parsed}`);
				return [];
			}
			return [parsed];
		});
	}
}

/** Lists of rules are three levels deep; the parser is slow in what has thousands. Brackets in texts count too. */
function isDeep(text: string): boolean {
	let depth = 0;
	for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
		depth += bracket === '[' || bracket === '{' ? 1 : -1;
		if (depth > MAX_POLICY_NESTING) {
			return true;
		}
	}
	return /(?:[-?:][ \t]+){50}/.test(text);
}

/** Undefined when the text is nested so deeply that the parser gives up. */
function parsePolicyDocument(text: string, lineCounter: LineCounter) {
	try {
		return parseDocument(text, {
			schema: 'core',
			version: '1.2',
			merge: false,
			resolveKnownTags: false,
			uniqueKeys: false,
			prettyErrors: false,
			logLevel: 'error',
			lineCounter,
		});
	} catch (error) {
		if (error instanceof RangeError) {
			return undefined;
		}
		throw error;
	}
}
