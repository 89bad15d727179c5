import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { problemInWords, problemText } from './problem.ts';
import { readCapabilityManifest, readExecutorManifest } from './read-manifest.ts';
import { strictProblems } from './strict-skill.ts';

const bundle = new URL('../../../l10n/bundle.l10n.de.json', import.meta.url);
const german = JSON.parse(readFileSync(bundle, 'utf8')) as Readonly<Record<string, string>>;
const place = { name: 'greet', type: 'skill' };
const said = (written: string, file = 'capability.yaml') =>
	readCapabilityManifest({ [file]: written }, place).problems.map((problem) => [
		problemText(problem),
		problemInWords(problem, (template) => german[template] ?? template),
	]);

describe('A problem of a manifest', () => {
	it('is told in the language of the reader, and in English where it is recorded', () => {
		const head = 'name: greet\ntype: skill\nversion: 1.0.0\ndescription: d\n';
		assert.deepEqual(said(`${head}level: SAVE\ntags: a\n`), [
			[
				'capability.yaml:5: level: expected one of "SAFE", "MONITORED", "CONTROLLED", "RESTRICTED", "PRIVILEGED", got "SAVE"; did you mean "SAFE"?',
				'capability.yaml:5: level: erwartet wird eines von "SAFE", "MONITORED", "CONTROLLED", "RESTRICTED", "PRIVILEGED", gefunden wurde "SAVE"; meinten Sie "SAFE"?',
			],
			[
				'capability.yaml:6: tags: expected a list, got "a"',
				'capability.yaml:6: tags: erwartet wird eine Liste, gefunden wurde "a"',
			],
		]);
		assert.deepEqual(said(`${head}inputs:\n- { type: string, format: file, choices: [a] }\n`), [
			['capability.yaml:6: inputs.0.name: required', 'capability.yaml:6: inputs.0.name: wird gebraucht'],
		]);
		assert.deepEqual(said('name: ../x\ntype: skill\nversion: 1.0.0\ndescription: d\n'), [
			[
				'capability.yaml:1: name: expected lower-case letters, digits and hyphens, at most 64',
				'capability.yaml:1: name: erwartet werden Kleinbuchstaben, Ziffern und Bindestriche, höchstens 64',
			],
			[
				'capability.yaml:1: name: the folder is called "greet"; the name in the file counts',
				'capability.yaml:1: name: der Ordner heißt „greet“; es gilt der Name in der Datei',
			],
		]);
		assert.deepEqual(said('no mapping'), [
			[
				'capability.yaml:1: expected a mapping, with lines such as "name: …"',
				'capability.yaml:1: erwartet wird eine Zuordnung mit Zeilen wie „name: …“',
			],
		]);
	});

	it('has German for each sentence of ours', () => {
		const problems = [
			...readCapabilityManifest({ 'SKILL.md': '---\nname: Greet Me: now\nallowed-tools: Read\n---\n' }, place).problems,
			...readCapabilityManifest({ 'readme.md': '---\ncapabilities: [what]\n---\n' }, place).problems,
			...readCapabilityManifest({ 'capability.yaml': 'a: [' }, { name: 'other', type: 'power' }).problems,
			...readExecutorManifest({ 'executor.yaml': 'name: a\nfoo: 1\n', 'executor.yml': '' }).problems,
			...strictProblems('---\nname: -A_b--\nfoo: 1\n---\n', 'SKILL.md', 'greet'),
		];
		assert.ok(problems.length > 8, String(problems.length));
		const untold = problems
			.flatMap(({ said: words }) => (words === undefined ? [] : [words.template]))
			.filter((each) => german[each] === undefined);
		assert.deepEqual(untold, []);
	});
});
