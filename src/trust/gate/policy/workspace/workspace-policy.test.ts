import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { parseWorkspacePolicy } from './workspace-policy.ts';

const read = (text: string) => parseWorkspacePolicy(text, 'policy.yaml');

describe('the policy of a workspace', () => {
	it('has lists of what is refused and what is asked', () => {
		const policy = read('# ours\ndeny:\n  - shell.run git push\n  - "fs.* secrets"\nask: [fs.write migrations]\n');
		assert.deepEqual(
			[policy.deny.map(({ text }) => text), policy.ask.map(({ text }) => text)],
			[['shell.run git push', 'fs.* secrets'], ['fs.write migrations']],
		);
		assert.deepEqual([...policy.unreadable, ...policy.refused], []);
		assert.equal(policy.deny[1]?.source, 'policy.yaml:4:5');
	});

	for (const text of ['', '# nothing\n', 'deny:\n', 'deny: []\nask:\n', '---\n']) {
		it(`may say nothing: ${JSON.stringify(text)}`, () => {
			assert.deepEqual(read(text), { deny: [], ask: [], unreadable: [], refused: [] });
		});
	}

	for (const word of ['allow', 'autonomy', 'level', 'mode', 'trust']) {
		it(`cannot loosen with "${word}", which is named with its place; the rest counts`, () => {
			const policy = read(`deny: [shell.run rm]\n${word}: [shell.run *]\n`);
			assert.equal(policy.refused.length, 1);
			assert.match(policy.refused[0] ?? '', new RegExp(`^policy\\.yaml:2:1: "${word}" is refused`));
			assert.deepEqual([policy.deny.length, policy.unreadable], [1, []]);
		});
	}

	for (const [what, text, place] of [
		['a word nobody knows', 'denny: [shell.run rm]', '1:1'],
		['a list that is none', 'deny: shell.run rm', '1:1'],
		['a rule that is no text', 'deny:\n  - 5', '2:5'],
		['a rule that cannot be read', 'ask:\n  - fs.wirte src', '2:5'],
		['an alias', 'deny:\n  - &a fs.write src\n  - *a', '3:5'],
		['a tag of its own', 'deny: !!js/function [fs.write x]', '1:7'],
		['a merge', 'base: &b {deny: [fs.write x]}\n<<: *b', '1:1'],
		['two documents', 'deny: [fs.write x]\n---\nask: []', '2:1'],
		['no level where one belongs', 'deny: []\nwidestLevel:', '2:1'],
		['a level that nobody knows', 'widestLevel: Auto', '1:1'],
		['a list of levels', 'widestLevel: [ask]', '1:1'],
		['a list at the top', '- fs.write x', '1:1'],
		['an open quote', 'deny: ["fs.write x', '1:'],
		['a tab as indent', 'deny:\n\t- fs.write x', '2:1'],
	] as const) {
		it(`makes everything a question with ${what}, and says where`, () => {
			const { unreadable } = read(text);
			assert.ok(unreadable.length > 0);
			assert.ok(
				unreadable.some((problem) => problem.startsWith(`policy.yaml:${place}`)),
				unreadable.join('\n'),
			);
		});
	}

	it('names the widest permission level, with its place; of two the stricter one counts', () => {
		assert.deepEqual(read('deny: []\nwidestLevel: edit\n').widest, { level: 'edit', source: 'policy.yaml:2:1' });
		assert.equal(read('widestLevel: ask\nwidestLevel: full').widest?.level, 'ask');
		assert.equal(read('widestLevel: full\nwidestLevel: ask').widest?.level, 'ask');
		assert.match(
			read('widestLevel: Auto').unreadable[0] ?? '',
			/names no permission level; write one of manual, ask, /,
		);
	});

	for (const [what, text] of [
		['too long', `deny: [${'fs.write x, '.repeat(6_000)}]`],
		['with too many rules', `deny:\n${'- fs.write x\n'.repeat(1_001)}`],
		['nested without end', '['.repeat(60_000)],
		['nested in lists without end', '- '.repeat(30_000)],
		['nested in keys without end', '? '.repeat(30_000)],
		['made of thousands of keys', Array.from({ length: 8_000 }, (_, n) => `k${n}: 1`).join('\n')],
	] as const) {
		it(`is not read when it is ${what}`, () => {
			assert.ok(read(text).unreadable.length > 0);
		});
	}

	it('never throws, whatever it holds', () => {
		const piece = fc.constantFrom(
			'deny:',
			'ask:',
			'allow:',
			' - ',
			'\n',
			'&a',
			'*a',
			'!!x ',
			'{',
			'}',
			'[',
			']',
			'"',
			'|',
			'>',
			': ',
			'? ',
			'\t',
			'\0',
			'fs.write x',
			'%YAML 1.1\n---\n',
		);
		fc.assert(fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => void read(pieces.join(''))));
	});
});
