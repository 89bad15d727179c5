/** Reads the params of an op from the text a person types after its name: a path, a command, an address or JSON. */
import { readShellLine } from '../../../protocol/ops/commands/read-shell-line.ts';
import { parseRuleWords } from '../../gate/policy/rules/argv-pattern.ts';
import type { OpWork } from '../../../contract/ops/perform-op.ts';

export interface ParamsReading {
	readonly params: unknown;
	/** Value that was filled in only so that the rest can be judged; undefined: none. */
	readonly filledIn?: string;
}

/** The first reading that the op takes; params that it refuses when there is none. */
export function readQuestion({ def }: OpWork, text: string): ParamsReading {
	if (text.startsWith('{')) {
		try {
			return { params: JSON.parse(text) };
		} catch {
			// Then it is a path that begins so.
		}
	}
	if (def.isCommand && text !== '') {
		return { params: readCommandParams(text) };
	}
	const readings: readonly ParamsReading[] = [
		...listPlainReadings(text),
		...withAPath(text),
		...toOnlyParam(def, text),
	];
	return readings.find(({ params }) => def.params.safeParse(params).success) ?? { params: {} };
}

/** Returns advice on writing the params when the text could not be read. */
export function questionAdvice({ op, def }: OpWork, text: string): string {
	const names = missingParams(def).map((name) => `"${name}": …`);
	return def.isCommand && text !== '' ? '' : `. Write its params as JSON after it: ${op} {${names.join(', ')}}`;
}

/** A line of which a shell would make more than words is given as such, and refused with the form in which to give it. */
function readCommandParams(text: string): unknown {
	const outsideQuotes = text.replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '');
	const words = parseRuleWords(text);
	const needsShell = words === undefined || /[;&|<>`*]|\$[\w({]/.test(outsideQuotes);
	return readShellLine(text) ?? { argv: needsShell ? text : words.map((word) => word.text) };
}

function listPlainReadings(text: string): ParamsReading[] {
	const words = parseRuleWords(text)?.map((word) => word.text) ?? [text];
	const [from, to] = words;
	return [
		{ params: text === '' ? {} : { path: text } },
		...(words.length === 2 ? [{ params: { from, to } }] : []),
		{ params: { messages: [{ role: 'user', content: text }] } },
	];
}

function withAPath(text: string): ParamsReading[] {
	const [, path = '', sql = ''] = /^(\S+)\s+(.+)$/s.exec(text) ?? [];
	return [
		{ params: { path: text, content: '' }, filledIn: 'what would be written' },
		{ params: { path: text, edits: [{ find: ' ', replace: ' ' }] }, filledIn: 'what would be edited' },
		{ params: { path, sql } },
		{ params: { path, statements: [{ sql }] } },
	];
}

/** Takes the whole text as the value of an op's only required param. */
function toOnlyParam(def: OpWork['def'], text: string): ParamsReading[] {
	const [name, ...others] = missingParams(def);
	return name === undefined || others.length > 0 || text === '' ? [] : [{ params: { [name]: text } }];
}

function missingParams(def: OpWork['def']): string[] {
	const { error } = def.params.safeParse({});
	return (error?.issues ?? []).flatMap(({ path: [name, ...deeper] }) =>
		typeof name === 'string' && deeper.length === 0 ? [name] : [],
	);
}
