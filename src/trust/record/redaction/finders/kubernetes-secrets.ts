/**
 * Finds the values of a Kubernetes Secret, as `kubectl get secret -o yaml` (or `json`) prints one. Their names say nothing
 * (`ca.pem`, `extra`), and Base64 hides their form; that it is a Secret says it all.
 */
import type { TextPlace } from '../findings.ts';

const kindInYaml = /^([ \t]*)kind:[ \t]*(["']?)secret\2[ \t\r]*$/im;
const kindInJson = /"kind":\s{0,4}"Secret"/;
const dataInJson = /"(?:data|stringData)":\s{0,4}\{([^{}]*)\}/g;
const valueInJson = /:\s{0,4}"([^"\\\n]{6,})"/g;
const dataInYaml = /^([ \t]*)(?:data|stringData):[ \t\r]*$/;
/** A value behind its name, or a line of a block that a `|` began. A template has blanks or braces. */
const valueInYaml = /^[ \t]+(?:["']?[\w.-]+["']?:[ \t]+)?["']?([\w+/.~^*@%$-][^\s"'{}:#]{5,}=*)["']?[ \t\r]*$/;

export function findKubernetesSecrets(text: string): TextPlace[] {
	return [...inJson(text), ...inYaml(text)];
}

function inJson(text: string): TextPlace[] {
	if (!kindInJson.test(text)) {
		return [];
	}
	return [...text.matchAll(dataInJson)].flatMap((block) =>
		[...block[0].matchAll(valueInJson)].map((match) => toGroupPlace(match, block.index)),
	);
}

function inYaml(text: string): TextPlace[] {
	if (!kindInYaml.test(text)) {
		return [];
	}
	const found: TextPlace[] = [];
	let at = 0;
	for (const document of text.split(/^(?=---)/m)) {
		const indent = kindInYaml.exec(document)?.[1];
		if (indent !== undefined) {
			found.push(...findYamlValues(document, indent, at));
		}
		at += document.length;
	}
	return found;
}

/** `indent`: of `kind`, and so of the `data` that belongs to it. */
function findYamlValues(document: string, indent: string, start: number): TextPlace[] {
	const found: TextPlace[] = [];
	let at = start;
	let isInData = false;
	for (const line of document.split('\n')) {
		const isDeeper = /^[ \t]*/.exec(line)?.[0] !== indent && line.startsWith(indent);
		if (!isDeeper && line.trim() !== '') {
			isInData = dataInYaml.exec(line)?.[1] === indent;
		} else if (isInData) {
			const match = valueInYaml.exec(line);
			if (match !== null) {
				found.push(toGroupPlace(match, at));
			}
		}
		at += line.length + 1;
	}
	return found;
}

/** Returns the place of the first group of `match`, which was found in a part of the text that begins at `start`. */
function toGroupPlace(match: RegExpMatchArray, start: number): TextPlace {
	const [whole, value = ''] = match;
	const from = start + (match.index ?? 0) + whole.lastIndexOf(value);
	return { start: from, end: from + value.length };
}
