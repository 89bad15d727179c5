import assert from 'node:assert/strict';
import { readInstructions } from './instructions.ts';

describe('Written instructions', () => {
	const tools = (front: string) => readInstructions(`---\nname: a\n${front}\n---\nDo it.\n`).tools;

	for (const [what, front, expected] of [
		['nothing of them', 'description: d', undefined],
		['none', 'allowed-tools:', []],
		['none that is known here', 'allowed-tools: Telepathy', []],
		['words with commas', 'allowed-tools: Read, Grep', ['fs.read', 'search.text']],
		['words with blanks', 'allowed-tools: Read Write', ['fs.read', 'fs.write']],
		['a list', 'allowed-tools:\n  - Read\n  - Glob', ['fs.read', 'fs.find']],
		['a list in brackets', 'allowed-tools: [Read, "Edit"]', ['fs.read', 'fs.edit']],
		['a condition', 'allowed-tools: Bash(git add *), Read', ['shell.run', 'shell.output', 'shell.stop', 'fs.read']],
		['our own names', 'allowed-tools: fs.read git.diff', ['fs.read', 'git.diff']],
		['one twice', 'allowed-tools: Edit, MultiEdit', ['fs.edit']],
		['a word that every object knows', 'allowed-tools: constructor', []],
		['one for notebooks', 'allowed-tools: NotebookEdit', ['fs.edit']],
		['what stands after it', 'allowed-tools: Read\nlicense: Grep', ['fs.read']],
	] as const) {
		it(`take from allowed-tools that says ${what}: ${expected?.join(', ') ?? 'no limit'}`, () => {
			assert.deepEqual(tools(front), expected);
		});
	}

	it('are their body without the front matter, and all of it when there is none', () => {
		assert.equal(
			readInstructions('\uFEFF---\r\nname: a\r\n---\r\n# Do\r\n\r\n---\r\nit\r\n').body,
			'# Do\r\n\r\n---\r\nit',
		);
		assert.deepEqual(readInstructions('Do it.\n---\nallowed-tools: Read\n---\n'), {
			body: 'Do it.\n---\nallowed-tools: Read\n---',
			tools: undefined,
		});
	});
});
