/** Diagnostics, completions and hovers for a manifest, computed from its text alone. */
import { MAX_MANIFEST_BYTES } from '../../protocol/capability/limits.ts';
import { createTopPlace, type ManifestProblem, manifestProblem } from '../../protocol/manifest/problem.ts';
import { text } from '../../protocol/text/text.ts';
import {
	completionKind,
	type CompletionItem,
	type LspDiagnostic,
	diagnosticSeverity,
	type Hover,
	type LspRange,
} from './lsp.ts';
import { type ManifestFile, manifestFileAt, problemsIn } from './manifest-file.ts';
import { type Schema, schemaAt, resolveManifestSchema, listSchemaValues } from './manifest-schema.ts';
import { keyAt, placeAt, type Position } from './yaml-place.ts';

/**
 * Returns the diagnostics of every open manifest in the folder of that file, because the content of one manifest counts
 * for the others. `open`: texts by their address.
 */
export function diagnosticsBeside(uri: string, open: ReadonlyMap<string, string>): [uri: string, LspDiagnostic[]][] {
	const folder = manifestFileAt(uri)?.folder;
	const beside = [...open].flatMap(([other, text]) => {
		const file = manifestFileAt(other);
		return file !== undefined && file.folder === folder ? [{ uri: other, text, file }] : [];
	});
	const texts = Object.fromEntries(beside.map(({ file, text }) => [file.name, text]));
	return beside.map((each) => [each.uri, diagnoseManifest(each.file, each.text, texts)]);
}

function diagnoseManifest(
	file: ManifestFile,
	written: string,
	texts: Readonly<Record<string, string>>,
): LspDiagnostic[] {
	const bytes = Buffer.byteLength(written);
	if (bytes > MAX_MANIFEST_BYTES) {
		const words = text('{bytes} bytes, the limit is {most}', { bytes, most: MAX_MANIFEST_BYTES });
		return [toLspDiagnostic(manifestProblem('error', words, createTopPlace(file.name)), written)];
	}
	return problemsIn(file, texts).map((problem) => toLspDiagnostic(problem, written));
}

const DIAGNOSTIC_SOURCE = 'Prowess';

function toLspDiagnostic(
	{ severity, message, said, line, column, path }: ManifestProblem,
	written: string,
): LspDiagnostic {
	const at = path.join('.');
	const problem = said ?? message;
	const data = path.length === 0 ? said : text('{at}: {problem}', { at, problem });
	return {
		range: lineRange(written, line - 1, column - 1),
		severity: diagnosticSeverity[severity],
		source: DIAGNOSTIC_SOURCE,
		message: path.length === 0 ? message : `${at}: ${message}`,
		...(data === undefined ? {} : { data }),
	};
}

/** From there to the end of what is written on that line. */
function lineRange(text: string, line: number, character: number): LspRange {
	const written = (text.split(/\r?\n/, line + 1)[line] ?? '').trimEnd();
	const start = Math.min(character, written.length);
	return { start: { line, character: start }, end: { line, character: Math.max(written.length, start) } };
}

export function listCompletions(uri: string, text: string | undefined, position: Position): CompletionItem[] {
	const schema = schemaFor(uri);
	const place = schema === undefined || text === undefined ? undefined : placeAt(text, position);
	const at = schema === undefined || place === undefined ? undefined : schemaAt(schema, place.path);
	if (place === undefined || at === undefined) {
		return [];
	}
	const { line, character } = position;
	const range = { start: { line, character: character - place.typed.length }, end: position };
	if (!place.isValue && at.properties !== undefined) {
		return Object.entries(at.properties)
			.filter(([name]) => !place.siblings.includes(name))
			.map(([name, { description }]) => ({
				label: name,
				kind: completionKind.property,
				...(at.required?.includes(name) === true ? { detail: 'required' } : {}),
				...(description === undefined ? {} : { documentation: description }),
				textEdit: { range, newText: `${name}: ` },
			}));
	}
	return listSchemaValues(at).map((value, index) => ({
		label: value,
		kind: completionKind.value,
		// Keep the order of the declaration: levels go from the least to the most.
		sortText: String(index).padStart(3, '0'),
		textEdit: { range, newText: value },
	}));
}

export function findHover(uri: string, text: string | undefined, position: Position): Hover | undefined {
	const schema = schemaFor(uri);
	const key = text === undefined ? undefined : keyAt(text, position);
	const at = schema === undefined || key === undefined ? undefined : schemaAt(schema, key.path);
	if (at === undefined || key === undefined) {
		return undefined;
	}
	const values = listSchemaValues(at);
	const inItems = at.items === undefined ? [] : listSchemaValues(at.items);
	const lines = [
		...(at.description === undefined ? [] : [at.description]),
		...(values.length + inItems.length === 0 ? [] : [[...values, ...inItems].map((each) => `\`${each}\``).join(', ')]),
		...(at.default === undefined ? [] : [`Default: \`${JSON.stringify(at.default)}\``]),
	];
	if (lines.length === 0) {
		return undefined;
	}
	const { line } = position;
	const range = { start: { line, character: key.start }, end: { line, character: key.end } };
	return { contents: { kind: 'markdown', value: lines.join('\n\n') }, range };
}

/** SKILL.md has a form of its own. */
function schemaFor(uri: string): Schema | undefined {
	const file = manifestFileAt(uri);
	return file === undefined || file.name.endsWith('.md') ? undefined : resolveManifestSchema(file.kind);
}
