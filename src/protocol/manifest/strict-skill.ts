/**
 * A SKILL.md by the letter of the Agent Skills specification, as its reference validator judges: what is read here with a
 * warning is an error there.
 */
import { FRONT_MATTER_LINE, splitFrontMatter } from './front-matter.ts';
import { MAX_NAME_CHARS, MAX_NOTE_CHARS, MAX_STRICT_DESCRIPTION_CHARS } from '../capability/limits.ts';
import { text, type Text } from '../text/text.ts';
import type { ManifestProblem } from './problem.ts';
import { readStrictYaml } from './strict-yaml.ts';

const SKILL_FIELDS: ReadonlySet<string> = new Set([
	'name',
	'description',
	'license',
	'allowed-tools',
	'metadata',
	'compatibility',
]);

/** Errors alone; none where the specification allows it. `folder`: name of the folder that it lies in. */
export function strictProblems(written: string, file: string, folder: string): readonly ManifestProblem[] {
	const { yaml } = splitFrontMatter(written);
	const { value, problems, problemAt } = readStrictYaml(yaml ?? '', file, yaml === undefined ? 1 : FRONT_MATTER_LINE);
	if (yaml === undefined || problems.length > 0) {
		return yaml === undefined
			? [problemAt('error', [], text('there is no front matter between two lines of ---'))]
			: problems;
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		return [problemAt('error', [], text('expected a mapping, with lines such as "name: …"'))];
	}
	const front = value as Readonly<Record<string, unknown>>;
	const found = [
		...Object.keys(front)
			.filter((name) => !SKILL_FIELDS.has(name))
			.map((name) => [name, text('the specification has no such field')] as const),
		...nameFaults(front['name'], folder).map((fault) => ['name', fault] as const),
		...textFaults(front['description'], MAX_STRICT_DESCRIPTION_CHARS).map((fault) => ['description', fault] as const),
		...(front['compatibility'] === undefined ? [] : textFaults(front['compatibility'], MAX_NOTE_CHARS)).map(
			(fault) => ['compatibility', fault] as const,
		),
	];
	return found.map(([name, fault]) => problemAt('error', [name], fault));
}

function nameFaults(given: unknown, folder: string): readonly Text[] {
	if (typeof given !== 'string' || given.trim() === '') {
		return [text('it is required, as a text')];
	}
	const name = given.trim().normalize('NFKC');
	return [
		...([...name].length > MAX_NAME_CHARS ? [describeTooLong([...name].length, MAX_NAME_CHARS)] : []),
		...(name === name.toLowerCase() ? [] : [text('expected lower-case letters')]),
		...(/^-|-$/.test(name) ? [text('a hyphen stands at its beginning or end')] : []),
		...(name.includes('--') ? [text('two hyphens stand side by side')] : []),
		...(/^[\p{L}\p{N}-]*$/u.test(name) ? [] : [text('expected only letters, digits and hyphens')]),
		...(name === folder.normalize('NFKC') ? [] : [text('the folder is called "{name}"', { name: folder })]),
	];
}

function textFaults(given: unknown, most: number): readonly Text[] {
	if (typeof given !== 'string' || given.trim() === '') {
		return [text('it is required, as a text')];
	}
	return given.length > most ? [describeTooLong(given.length, most)] : [];
}

function describeTooLong(length: number, most: number): Text {
	return text('{length} characters, the limit is {most}', { length, most });
}
