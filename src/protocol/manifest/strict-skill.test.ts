import assert from 'node:assert/strict';
import { problemText } from './problem.ts';
import { strictProblems } from './strict-skill.ts';

/** The verdicts are those that the reference validator records for the same texts. */
describe('A SKILL.md by the letter of its specification', () => {
	const verdict = (front: string, folder = 'my-skill') =>
		strictProblems(`---\n${front}---\nDo it.\n`, 'SKILL.md', folder).map(problemText);
	const valid = 'name: my-skill\ndescription: Does it\n';

	for (const [what, front, about, folder] of [
		['without a name', 'description: Does it\n', /name: it is required/],
		['without a description', 'name: my-skill\n', /description: it is required/],
		['with an empty description', 'name: my-skill\ndescription: ""\n', /description: it is required/],
		['with capitals', 'name: MySkill\ndescription: d\n', /lower-case/, 'MySkill'],
		['with a hyphen first', 'name: -my\ndescription: d\n', /hyphen stands at its beginning/, '-my'],
		['with two hyphens', 'name: my--skill\ndescription: d\n', /two hyphens/, 'my--skill'],
		['with an underscore', 'name: my_skill\ndescription: d\n', /only letters, digits and hyphens/, 'my_skill'],
		['with another folder', valid, /the folder is called "other"/, 'other'],
		['with a name of 65 letters', `name: ${'a'.repeat(65)}\ndescription: d\n`, /65 characters/, 'a'.repeat(65)],
		['with a long description', `name: my-skill\ndescription: ${'d'.repeat(1_025)}\n`, /1025 characters/],
		['with a long compatibility', `${valid}compatibility: ${'c'.repeat(501)}\n`, /501 characters/],
		['with a field of its own', `${valid}version: 1.0.0\n`, /version: the specification has no such field/],
		['with front matter that is no YAML', 'name: my-skill\ndescription: Use when: x\n', /SKILL\.md:3/],
	] as const) {
		it(`is refused ${what}`, () => assert.match(verdict(front, folder).join(), about));
	}

	it('is refused without front matter', () => {
		assert.match(strictProblems('# Hello\n', 'SKILL.md', 'a').map(problemText).join(), /there is no front matter/);
	});

	for (const [name, folder] of [
		['my-skill', 'my-skill'],
		['技能', '技能'],
		['мой-навык', 'мой-навык'],
		['cafe\u0301', 'café'],
	] as const) {
		it(`may be called ${name}`, () => assert.deepEqual(verdict(`name: ${name}\ndescription: d\n`, folder), []));
	}

	it('may have each field of the specification', () => {
		const all = `${valid}license: MIT\nallowed-tools: Read\ncompatibility: git\nmetadata:\n  a: b\n`;
		assert.deepEqual(verdict(all), []);
	});
});
