/**
 * Reads the front matter of skills, commands and custom agents leniently: what is no YAML is read line by line, what is too
 * long is cut and what is too much left out, never in silence.
 */
import { text, type Text } from '../text/text.ts';
import { FRONT_MATTER_LINE, splitFrontMatter } from './front-matter.ts';
import { type ManifestProblem, manifestProblem } from './problem.ts';
import { readStrictYaml, type StrictYaml } from './strict-yaml.ts';

/** A file of another ecosystem, read as the fields of a manifest. */
export interface ForeignManifest {
	/** Fields of a manifest, as far as they are there; not yet checked. */
	readonly fields: Readonly<Record<string, unknown>>;
	readonly problems: readonly ManifestProblem[];
	readonly problemAt: StrictYaml['problemAt'];
}

interface ReadFrontMatter {
	readonly front: Readonly<Record<string, unknown>>;
	/** Text below the front matter. */
	readonly body: string;
	/** False: it is no YAML and was read line by line, so all values are texts. */
	readonly isMapping: boolean;
	/** Warnings, each with its place. */
	readonly problems: readonly ManifestProblem[];
	/** Values of `front`, cut to bounds; keeps a warning for each that was. */
	readonly found: FrontMatterFields;
	readonly problemAt: StrictYaml['problemAt'];
}

/**
 * `known`: the only names that begin a field where the text is read line by line; a line with another one before its colon
 * belongs to the text above it. Absent: any name begins one.
 */
export function readFrontMatter(written: string, file: string, known?: ReadonlySet<string>): ReadFrontMatter {
	const { yaml, body } = splitFrontMatter(written);
	return { ...readFields(yaml ?? '', file, yaml === undefined ? 1 : FRONT_MATTER_LINE, known), body };
}

/** Reads fields as front matter has them, from a file that has nothing else; `line`: that of their first one. */
export function readFields(
	written: string,
	file: string,
	line = 1,
	known?: ReadonlySet<string>,
): Omit<ReadFrontMatter, 'body'> {
	const { value, problems, problemAt } = readStrictYaml(written, file, line);
	const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value);
	const front = isMapping ? (value as Record<string, unknown>) : lineByLine(written, known);
	return {
		front,
		isMapping,
		problems: problems.map((found) => {
			const words = text('{problem}; read line by line instead', { problem: found.said ?? found.message });
			return manifestProblem('warning', words, found);
		}),
		found: new FrontMatterFields(front, problemAt),
		problemAt,
	};
}

interface Bounds {
	readonly most: number;
	readonly chars: number;
}

export class FrontMatterFields {
	readonly problems: ManifestProblem[] = [];
	readonly #front: Readonly<Record<string, unknown>>;
	readonly #problemAt: StrictYaml['problemAt'];

	constructor(front: Readonly<Record<string, unknown>>, problemAt: StrictYaml['problemAt']) {
		this.#front = front;
		this.#problemAt = problemAt;
	}

	text([field, inner]: readonly [string, string?], most: number): string | undefined {
		const value = this.#front[field];
		const given = toFieldText(inner === undefined ? value : toMapping(value)[inner]);
		if (given === undefined || given.length <= most) return given;
		const path = inner === undefined ? [field] : [field, inner];
		this.warn(path, text('{length} characters, the first {most} are taken', { length: given.length, most }));
		return given.slice(0, most);
	}

	/** The first ones of at most `chars`. */
	short(path: readonly string[], given: readonly string[], { most, chars }: Bounds): string[] {
		const taken = given.filter(({ length }) => length <= chars);
		const left = given.length - taken.length;
		if (left === 1) this.warn(path, text('1 longer than {chars} characters is left out', { chars }));
		if (left > 1) this.warn(path, text('{left} longer than {chars} characters are left out', { left, chars }));
		if (taken.length > most) {
			this.warn(path, text('{length} entries, the first {most} are taken', { length: taken.length, most }));
		}
		return taken.slice(0, most);
	}

	warn(path: readonly string[], words: Text): void {
		this.problems.push(this.#problemAt('warning', path, words));
	}
}

/**
 * Reads `key: value` lines, for front matter in which a value holds a colon. Indented lines belong to the value above. A
 * duplicate key is ambiguous, so its values are joined.
 */
function lineByLine(written: string, known: ReadonlySet<string> | undefined): Record<string, unknown> {
	const fields = new Map<string, string[]>();
	let current: string[] | undefined;
	for (const line of written.split(/\r?\n/)) {
		const [, key, value] = /^([A-Za-z][\w-]*):(?:[ \t]+(.*))?$/.exec(line) ?? [];
		if (key !== undefined && known?.has(key) !== false) {
			current = fields.get(key) ?? [];
			fields.set(key, current);
			current.push(stripValueQuotes((value ?? '').trim().replace(/^[|>][+-]?\d?$/, '')));
		} else if (known !== undefined || /^(?:[ \t]|-[ \t])/.test(line)) {
			current?.push(line.trim());
		}
	}
	return Object.fromEntries([...fields].map(([key, lines]) => [key, lines.join(' ').trim()]));
}

function stripValueQuotes(value: string): string {
	return value.replace(/^(["'])(.*)\1$/, '$2');
}

export function toFieldText(value: unknown): string | undefined {
	return typeof value === 'string' && value.trim() !== ''
		? value.trim()
		: typeof value === 'number'
			? String(value)
			: undefined;
}

export function toMapping(value: unknown): Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
