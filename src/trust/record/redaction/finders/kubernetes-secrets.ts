/**
 * Finds the values of a Kubernetes Secret, as `kubectl get secret -o yaml` (or `json`) prints one. Their names say nothing
 * (`ca.pem`, `extra`), and Base64 hides their form; that it is a Secret says it all.
 */
import type { Place } from '../findings.ts';

const kindInYaml = /^([ \t]*)kind:[ \t]*(["']?)secret\2[ \t\r]*$/im;
const kindInJson = /"kind":\s{0,4}"Secret"/;
const dataInJson = /"(?:data|stringData)":\s{0,4}\{([^{}]*)\}/g;
const valueInJson = /:\s{0,4}"([^"\\\n]{6,})"/g;
const dataInYaml = /^([ \t]*)(?:data|stringData):[ \t\r]*$/;
/** A value behind its name, or a line of a block that a `|` began. A template has blanks or braces. */
const valueInYaml = /^[ \t]+(?:["']?[\w.-]+["']?:[ \t]+)?["']?([\w+/.~^*@%$-][^\s"'{}:#]{5,}=*)["']?[ \t\r]*$/;

export function findKubernetesSecrets(text: string): Place[] {
	return [...inJson(text), ...inYaml(text)];
}

function inJson(text: string): Place[] {
	if (!kindInJson.test(text)) {
		return [];
	}
	return [...text.matchAll(dataInJson)].flatMap((block) =>
		[...block[0].matchAll(valueInJson)].map((match) => placeOf(match, block.index)),
	);
}

function inYaml(text: string): Place[] {
	if (!kindInYaml.test(text)) {
		return [];
	}
	const found: Place[] = [];
	let at = 0;
	for (const document of text.split(/^(?=---)/m)) {
		const indent = kindInYaml.exec(document)?.[1];
		if (indent !== undefined) {
			found.push(...valuesOf(document, indent, at));
		}
		at += document.length;
	}
	return found;
}

/** `indent`: of `kind`, and so of the `data` that belongs to it. */
function valuesOf(document: string, indent: string, start: number): Place[] {
	const found: Place[] = [];
	let at = start;
	let isInData = false;
	for (const line of document.split('\n')) {
		const isDeeper = /^[ \t]*/.exec(line)?.[0] !== indent && line.startsWith(indent);
		if (!isDeeper && line.trim() !== '') {
			isInData = dataInYaml.exec(line)?.[1] === indent;
		} else if (isInData) {
			const match = valueInYaml.exec(line);
			if (match !== null) {
				found.push(placeOf(match, at));
			}
		}
		at += line.length + 1;
	}
	return found;
}

/** Returns the place of the first group of `match`, which was found in a part of the text that begins at `start`. */
function placeOf(match: RegExpMatchArray, start: number): Place {
	const [whole, value = ''] = match;
	const from = start + (match.index ?? 0) + whole.lastIndexOf(value);
	return { start: from, end: from + value.length };
}
