import assert from 'node:assert/strict';
import { filledInstructions } from '../protocol/manifest/filled-instructions.ts';
import { splitFrontMatter } from '../protocol/manifest/front-matter.ts';
import { readSkillFile } from '../protocol/manifest/skill-md.ts';
import { commandAsSkill, commandName, isCommandFile } from './command-file.ts';

const command = '/app/.claude/commands/git/commit.md';
const prompt = '/app/.github/prompts/form.prompt.md';

describe('A command or prompt file', () => {
	const fields = (text: string, path: string, name?: string) =>
		readSkillFile(commandAsSkill(text, path, name), 'SKILL.md').fields;
	const told = (text: string, path: string, line?: string) =>
		filledInstructions(splitFrontMatter(commandAsSkill(text, path)).body.trim(), {
			folder: '/copy',
			params: line === undefined ? {} : { arguments: line },
		});

	it('has its folders in its name', () => {
		assert.equal(commandName('git/commit.md'), 'git-commit');
		assert.equal(commandName('Write Docs.prompt.md'), 'write-docs');
		assert.deepEqual(['a.md', 'README.md', 'a.txt'].map(isCommandFile), [true, false, false]);
	});

	it('keeps its description, hint and tools, and says what it does by its first line without a description', () => {
		const front = '---\ndescription: Commits\nargument-hint: "[message]"\nallowed-tools: Bash(git commit:*)\n---\n';
		const read = fields(`${front}Commit.\n`, command, 'git-commit');
		const { name, description, argumentHint, allowedTools, modelInvocable } = read;
		assert.deepEqual(
			[name, description, argumentHint, allowedTools, modelInvocable],
			['git-commit', 'Commits', '[message]', ['Bash(git commit:*)'], undefined],
		);
		assert.equal(fields('\n# Commit it\n\nNow.\n', command)['description'], 'Commit it');
	});

	it('is for people only where it is a prompt file', () => {
		const read = fields('---\nmode: agent\nmodel: x\ntools: [codebase, runCommands]\n---\nDo it.\n', prompt);
		assert.deepEqual([read['modelInvocable'], read['allowedTools'], read['tools']], [false, undefined, undefined]);
	});

	it('leaves commands and references in it as they are written', () => {
		const text = 'Look at !`git status` and @src/a.ts.';
		assert.equal(told(text, command), text);
	});

	it('takes all words for its only input', () => {
		const text = 'Explain ${input:topic:What?} and ${input:topic}.';
		assert.match(told(text, prompt, 'red black trees'), /^Explain red black trees and red black trees\.\n/);
		assert.equal(fields(text, prompt)['argumentHint'], '[topic]');
	});

	it('takes a word for each of several inputs, and has the agent ask for those that are missing', () => {
		const text = 'Make ${input:formName:MyForm} with ${input:fields}.';
		assert.equal(
			told(text, prompt, '"My Login"'),
			'Make My Login with .\n\nInputs; ask the user for each that is empty:\n- formName (MyForm): "My Login"\n- fields: ""',
		);
		assert.equal(fields(text, prompt)['argumentHint'], '[formName] [fields]');
	});

	it('says where its relative links start', () => {
		const start = /Relative links start from the folder \.github\/prompts of the workspace\.$/;
		assert.match(told('See [rules](../rules.md).', prompt), start);
		assert.doesNotMatch(told('See [rules](https://example.org).', prompt), start);
	});
});
