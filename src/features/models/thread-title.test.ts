import assert from 'node:assert/strict';
import { Redactor } from '../../trust/record/redaction/redactor.ts';
import { TITLE_WORDS_CHARS } from './limits.ts';
import { titleThread } from './thread-title.ts';

const { signal } = new AbortController();

describe('A title of a thread', () => {
	const title = async (said: string, message = 'Mend the test') => {
		let prompt = '';
		const ask = titleThread(new Redactor(), async (asked) => {
			({ prompt } = asked);
			return asked.clean(said);
		});
		return { title: await ask({ message, answer: 'Done.' }, signal), prompt };
	};

	it('is what the model says, without what is around it', async () => {
		assert.equal((await title('Fix of the cart test')).title, 'Fix of the cart test');
		assert.equal((await title('\n## "Fix  of the cart test."\n\nIt names the bug.')).title, 'Fix of the cart test');
		assert.equal((await title('Title: **Fix of the cart test**')).title, 'Fix of the cart test');
		assert.equal((await title('…\n')).title, '');
	});

	it('is asked for with the beginning of what was said, and without secrets', async () => {
		const key = `ghp_${'aB3dE5gH7jK9'.repeat(3)}`;
		const { prompt } = await title('x', `Use ${key}${' long'.repeat(TITLE_WORDS_CHARS)}last`);
		assert.match(prompt, /^<user>\nUse /);
		assert.doesNotMatch(prompt, /ghp_aB3|last/);
	});
});
