/**
 * A rule that says in its front matter what it is about: `applyTo` (`*.instructions.md`), or `globs`, `alwaysApply` and
 * `description` (`.mdc`). Read line by line, because what the editors of these files write is not always YAML: `globs: *.ts`.
 */
import { splitFrontMatter } from '../../protocol/manifest/front-matter.ts';
import { FRONT_MATTER_CHARS, RULE_DESCRIPTION_CHARS, RULE_GLOBS } from './limits.ts';

interface InstructionRule {
	/** Without the front matter. */
	readonly body: string;
	/** True when the rule holds for every file. */
	readonly isForAll: boolean;
	/** Globs of the files it is for, below the folder of the workspace. */
	readonly globs: readonly string[];
	/** Subject of the rule, as the rule describes it; empty when the rule gives no description. */
	readonly description: string;
}

const CATCH_ALL_GLOBS = ['**', '**/*', '*'];

/** A rule without front matter is for everything. */
export function readRule(text: string): InstructionRule {
	const { yaml, body } = splitFrontMatter(text);
	const fields = parseRuleFields((yaml ?? '').slice(0, FRONT_MATTER_CHARS));
	const globs = [...(fields.get('applyTo') ?? []), ...(fields.get('globs') ?? [])].slice(0, RULE_GLOBS);
	const description = (fields.get('description') ?? []).join(', ').slice(0, RULE_DESCRIPTION_CHARS);
	const says = fields.get('alwaysApply')?.[0];
	const isSilent = globs.length === 0 && description === '' && says === undefined;
	const isForAll = says === 'true' || globs.some((glob) => CATCH_ALL_GLOBS.includes(glob)) || isSilent;
	return { body, isForAll, globs: isForAll ? [] : globs, description };
}

/** Values by name: what commas part, and the points of a list below the name. */
function parseRuleFields(yaml: string): ReadonlyMap<string, readonly string[]> {
	const fields = new Map<string, string[]>();
	let current: string[] | undefined;
	for (const line of yaml.split(/\r?\n/)) {
		const [, name, value = ''] = /^([A-Za-z]+):[ \t]*(.*)$/.exec(line) ?? [];
		const [, point] = /^[ \t]*-[ \t]+(.+)$/.exec(line) ?? [];
		if (name !== undefined) {
			current = name === 'description' ? [stripRuleQuotes(value)] : splitRuleValues(value);
			fields.set(name, current);
		} else if (point !== undefined) {
			current?.push(stripRuleQuotes(point));
		}
	}
	return new Map([...fields].map(([name, list]) => [name, list.filter((each) => each !== '')]));
}

/** `a, b`, `"a,b"` and `["a", "b"]` are two values each; a comma within braces parts none. */
function splitRuleValues(text: string): string[] {
	const bare = stripRuleQuotes(text.trim().replace(/^\[(.*)\]$/, '$1'));
	return bare.split(/,(?![^{]*\})/).map(stripRuleQuotes);
}

function stripRuleQuotes(text: string): string {
	return text.trim().replace(/^(["'])(.*)\1$/, '$2');
}
