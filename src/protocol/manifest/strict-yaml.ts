/**
 * Parses YAML as manifests use it: the core schema, no custom tags, no duplicate keys, few aliases, every problem with its
 * place. Hostile input costs at most the time of reading it once.
 */
import { withoutByteOrderMark } from '../../base/text/lenient.ts';
import {
	isAlias,
	isCollection,
	isMap,
	isNode,
	isPair,
	isScalar,
	Lexer,
	LineCounter,
	parseDocument,
	type Document,
	type YAMLError,
	type YAMLMap,
} from 'yaml';
import { MAX_ALIASES, MAX_MANIFEST_DEPTH, MAX_MANIFEST_PROBLEMS, MAX_TOKENS } from '../capability/limits.ts';
import { text, type Text } from '../text/text.ts';
import { createTopPlace, type ManifestProblem, manifestProblem } from './problem.ts';

type DocumentPath = readonly (string | number)[];

export interface StrictYaml {
	/** Undefined when there is an error. */
	readonly value: unknown;
	readonly problems: readonly ManifestProblem[];
	/** A problem at the node of that path, or at the nearest one above it that is there. */
	problemAt(severity: ManifestProblem['severity'], path: DocumentPath, words: Text | string): ManifestProblem;
}

const options = {
	schema: 'core',
	version: '1.2',
	customTags: null,
	merge: false,
	// Disabled: the library's own check compares each key with every other one.
	uniqueKeys: false,
	strict: true,
	stringKeys: true,
	prettyErrors: false,
} as const;

const YAML_TOO_DEEP = text('nested too deeply');

/** `firstLine`: of the text in its file. */
export function readStrictYaml(given: string, file: string, firstLine = 1): StrictYaml {
	const written = withoutByteOrderMark(given);
	const lines = new LineCounter();
	const problems: ManifestProblem[] = [];
	const createProblemAt = (
		severity: ManifestProblem['severity'],
		offset: number,
		path: DocumentPath,
		words: Text | string,
	): ManifestProblem => {
		const { line, col } = lines.linePos(offset);
		const place = { file, line: Math.max(1, line) + firstLine - 1, column: Math.max(1, col), path };
		return manifestProblem(severity, words, place);
	};
	const nul = written.indexOf('\0');
	if (nul >= 0) {
		const before = written.slice(0, nul).split('\n');
		const line = before.length + firstLine - 1;
		const column = (before.at(-1)?.length ?? 0) + 1;
		return refuseYaml(manifestProblem('error', text('a NUL character'), { file, line, column, path: [] }));
	}
	const excess = findYamlExcess(written);
	if (excess !== undefined) {
		return refuseYaml(manifestProblem('error', excess, { ...createTopPlace(file), line: firstLine }));
	}
	let document: Document.Parsed;
	try {
		document = parseDocument(written, { ...options, lineCounter: lines });
		// A warning is a tag that nobody knows.
		const exhausted = document.errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
		if (exhausted !== undefined) {
			return refuseYaml(createProblemAt('error', exhausted.pos[0], [], YAML_TOO_DEEP));
		}
		for (const found of [...document.errors, ...document.warnings].slice(0, MAX_MANIFEST_PROBLEMS)) {
			problems.push(createProblemAt('error', found.pos[0], [], describeYamlError(found)));
		}
		if (problems.length === 0) {
			problems.push(...structureProblems(document, (offset, words) => createProblemAt('error', offset, [], words)));
		}
		const value: unknown = problems.length === 0 ? document.toJS({ maxAliasCount: MAX_ALIASES }) : undefined;
		return {
			value,
			problems,
			problemAt: (severity, path, words) => createProblemAt(severity, findPathOffset(document, path), path, words),
		};
	} catch (error) {
		const words = error instanceof RangeError ? YAML_TOO_DEEP : String(error);
		return refuseYaml(manifestProblem('error', words, { ...createTopPlace(file), line: firstLine }));
	}
}

/** The library's words, but for those that tell nobody what to do. */
function describeYamlError({ code, message }: YAMLError): Text | string {
	if (code === 'MULTIPLE_DOCS') {
		return text('a second document begins here');
	}
	// Give advice for a bracket in a plain text, such as `{ type: string[] }`.
	return /^Unexpected flow-(?:seq|map)-start/.test(message)
		? text('unexpected bracket; a text that holds brackets needs quotes here')
		: message;
}

/** Checks the tokens, which is cheap. Composing is not, least of all for nested brackets, and it cannot be stopped. */
function findYamlExcess(written: string): Text | undefined {
	if (written.length <= MAX_TOKENS && written.split(/[[{]/).length <= MAX_MANIFEST_DEPTH) {
		return undefined;
	}
	let [tokens, depth] = [0, 0];
	for (const token of new Lexer().lex(written)) {
		tokens += 1;
		if (token === '[' || token === '{') depth += 1;
		if (token === ']' || token === '}') depth -= 1;
		if (depth > MAX_MANIFEST_DEPTH) return YAML_TOO_DEEP;
		if (tokens > MAX_TOKENS) {
			return text('more than {most} words and signs; a manifest is shorter', { most: MAX_TOKENS });
		}
	}
	return undefined;
}

function refuseYaml(problem: ManifestProblem): StrictYaml {
	return {
		value: undefined,
		problems: [problem],
		problemAt: (severity, path, words) => manifestProblem(severity, words, { ...problem, path }),
	};
}

function structureProblems(
	document: Document.Parsed,
	at: (offset: number, words: Text) => ManifestProblem,
): ManifestProblem[] {
	const problems: ManifestProblem[] = [];
	let aliases = 0;
	// In the order of the text. The library's own way through a document takes several times as long.
	const lookAtNode = (node: unknown): void => {
		if (isPair(node)) {
			lookAtNode(node.key);
			lookAtNode(node.value);
		} else if (isAlias(node)) {
			aliases += 1;
			if (aliases === MAX_ALIASES + 1) {
				problems.push(at(node.range?.[0] ?? 0, text('more than {most} aliases', { most: MAX_ALIASES })));
			}
		} else if (isCollection(node)) {
			if (isMap(node)) lookAtKeys(node);
			node.items.forEach(lookAtNode);
		}
	};
	const lookAtKeys = ({ items }: YAMLMap) => {
		const seen = new Set<unknown>();
		for (const { key } of items) {
			const name: unknown = isScalar(key) ? key.value : key;
			if (seen.has(name) && problems.length < MAX_MANIFEST_PROBLEMS) {
				const words = text('the key "{name}" is not unique', { name: String(name) });
				problems.push(at((isNode(key) ? key.range?.[0] : undefined) ?? 0, words));
			}
			seen.add(name);
		}
	};
	lookAtNode(document.contents);
	return problems;
}

/** Offset of the value, or of its key if the value is missing or is a whole mapping below the key. */
function findPathOffset(document: Document.Parsed, path: DocumentPath): number {
	for (let length = path.length; length > 0; length -= 1) {
		const parent: unknown = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
		const last = path[length - 1];
		const pair = isMap(parent) ? parent.items.find(({ key }) => isScalar(key) && key.value === last) : undefined;
		const node: unknown = pair?.value ?? pair?.key ?? document.getIn(path.slice(0, length), true);
		if (isNode(node) && node.range !== undefined && node.range !== null) {
			return node.range[0];
		}
	}
	return document.contents?.range?.[0] ?? 0;
}
