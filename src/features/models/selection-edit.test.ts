import assert from 'node:assert/strict';
import { isProwessError } from '../../protocol/errors/errors.ts';
import { Redactor } from '../../trust/record/redaction/redactor.ts';
import { EDIT_CHARS } from './limits.ts';
import { SelectionEditor } from './selection-edit.ts';

const { signal } = new AbortController();
const refused = (said: RegExp) => (error: unknown) =>
	isProwessError(error) && error.code === 'INVALID_STATE' && said.test(error.message);

describe('A proposed edit of lines', () => {
	function editor(answer: string) {
		const asked: string[] = [];
		const made = new SelectionEditor({
			redactor: new Redactor(),
			ask: async ({ prompt, clean }) => {
				asked.push(prompt);
				return clean(answer);
			},
			write: () => undefined,
			performForUser: () => Promise.reject(new Error('nothing is to be done')),
		});
		const propose = (selected: string) =>
			made.propose({ path: 'a.ts', instruction: 'Two.', selected, before: 'b', after: 'c' }, signal);
		return { asked, propose };
	}

	it('keeps its indentation, and loses a fence and the line end behind it', async () => {
		assert.equal(await editor('```ts\n\t\tone();\n\ttwo();\n```\n').propose('x'), '\t\tone();\n\ttwo();');
		assert.equal(await editor('\tone();\n').propose('x'), '\tone();');
	});

	it('is not asked for lines with a secret, which would be lost from the file', async () => {
		const { asked, propose } = editor('x');
		await assert.rejects(propose(`const key = 'ghp_${'aB3dE5gH7jK9'.repeat(3)}';`), refused(/secret/));
		assert.deepEqual(asked, []);
	});

	it('is not asked for more than a model can give back', async () => {
		const { asked, propose } = editor('x');
		await assert.rejects(propose('a '.repeat(EDIT_CHARS)), refused(/more than/));
		assert.deepEqual(asked, []);
	});
});
