import assert from 'node:assert/strict';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { fillIn } from './elicitation.ts';

/** Answers the questions in order, and keeps them. */
function answering(...answers: readonly string[]) {
	const asked: { question: string; options: readonly string[] }[] = [];
	const left = [...answers];
	return {
		asked,
		answer(question: string, options: readonly string[]) {
			asked.push({ question, options });
			const next = left.shift();
			return next === undefined
				? Promise.reject(new ProwessError('APPROVAL_EXPIRED', 'nobody answered'))
				: Promise.resolve(next);
		},
	};
}

const form = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
	message: 'Who are you?',
	requestedSchema: { type: 'object', properties, required },
});

describe('A form of an MCP server', () => {
	it('is declined when it is an address, is no form, is too long, or needs what no question can ask', async () => {
		const user = answering('x', 'x', 'x');
		const long = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`f${n}`, { type: 'string' }]));
		for (const asked of [
			{ mode: 'url', message: 'Go', url: 'https://example.org', requestedSchema: { properties: {} } },
			{ message: 7 },
			undefined,
			form(long),
			form({ list: { type: 'array' } }),
		]) {
			assert.deepEqual(await fillIn('s', asked, user), { action: 'decline' });
		}
		assert.equal(user.asked.length, 0);
	});

	it('is declined by the user at any field, and cancelled when nobody answers', async () => {
		const two = form({ name: { type: 'string' }, age: { type: 'integer' } });
		assert.deepEqual(await fillIn('s', two, answering('Ada', 'Decline')), { action: 'decline' });
		assert.deepEqual(await fillIn('s', two, answering('Ada')), { action: 'cancel' });
	});

	it('is one question for each field, with its choices, and values of the types that it wants', async () => {
		const user = answering('Ada', '36', 'yes', 'red', 'Skip');
		const fields = {
			name: { type: 'string', title: 'Name', description: 'Your \u202ename' },
			age: { type: 'integer' },
			agrees: { type: 'boolean' },
			color: { type: 'string', enum: ['red', 'blue'] },
			more: { type: 'string' },
		};
		const filled = await fillIn('s', form(fields, ['name', 'age', 'agrees', 'color']), user);
		assert.deepEqual(filled, { action: 'accept', content: { name: 'Ada', age: 36, agrees: true, color: 'red' } });
		assert.equal(user.asked[0]?.question, 'The MCP server s asks: Who are you?\nName: Your \\u{202e}name');
		assert.deepEqual(
			user.asked.map(({ options }) => options),
			[['Decline'], ['Decline'], ['yes', 'no', 'Decline'], ['red', 'blue', 'Decline'], ['Skip', 'Decline']],
		);
	});

	it('sends the default of a field that is skipped, if it fits and the question shows it', async () => {
		const fields = {
			name: { type: 'string', default: 'Ada' },
			age: { type: 'integer', default: 36 },
			score: { type: 'number', default: 9.5 },
			agrees: { type: 'boolean', default: false },
			color: { type: 'string', enum: ['red', 'blue'], default: 'blue' },
			// Defaults of another kind, outside of the choices, and too long to be shown.
			size: { type: 'integer', default: 1.5 },
			shape: { type: 'string', default: ['round'] },
			mood: { type: 'string', enum: ['good'], default: 'bad' },
			poem: { type: 'string', default: 'x'.repeat(201) },
		};
		const user = answering(...Object.keys(fields).map(() => 'Skip'));
		assert.deepEqual(await fillIn('s', form(fields, ['name']), user), {
			action: 'accept',
			content: { name: 'Ada', age: 36, score: 9.5, agrees: false, color: 'blue' },
		});
		const shown = user.asked.map(({ question }) => /Skip answers: (.*)/.exec(question)?.[1]);
		const none = Array.from({ length: 4 }, () => undefined);
		assert.deepEqual(shown, ['Ada', '36', '9.5', 'false', 'blue', ...none]);
	});

	it('asks once more for what does not fit, and is declined after that', async () => {
		const age = form({ age: { type: 'integer' } });
		const user = answering('old', '36');
		assert.deepEqual(await fillIn('s', age, user), { action: 'accept', content: { age: 36 } });
		assert.match(user.asked[1]?.question ?? '', /The answer before did not fit\.$/);
		assert.deepEqual(await fillIn('s', age, answering('old', 'young')), { action: 'decline' });
	});
});
