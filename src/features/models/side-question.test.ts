import assert from 'node:assert/strict';
import { Redactor } from '../../trust/record/redaction/redactor.ts';
import { SIDE_CONVERSATION_CHARS } from './limits.ts';
import { answerBeside } from './side-question.ts';

const { signal } = new AbortController();

describe('A question beside a thread', () => {
	const prompts: string[] = [];
	const ask = answerBeside(new Redactor(), async ({ prompt, clean }) => {
		prompts.push(prompt);
		return clean(' Because of the tax.\n');
	});

	it('is asked with the end of what was said, and without secrets', async () => {
		const key = `ghp_${'aB3dE5gH7jK9'.repeat(3)}`;
		const conversation = `first${'x'.repeat(SIDE_CONVERSATION_CHARS)}last`;
		assert.equal(await ask({ question: `Why not ${key}?`, conversation }, signal), 'Because of the tax.');
		const [prompt = ''] = prompts;
		assert.match(prompt, /xlast\n<\/conversation>\n\nQuestion: Why not /);
		assert.doesNotMatch(prompt, /first|ghp_aB3/);
	});
});
