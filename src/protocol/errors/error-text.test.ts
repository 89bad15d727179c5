import assert from 'node:assert/strict';
import { ERROR_CODES, ProwessError } from './errors.ts';
import { listTemplateNames, text } from '../text/text.ts';
import { ERROR_CATALOG } from './catalog.ts';
import { causeForUser, detailForUser, lineForLog, toSentence, textForModel, textForUser } from './error-text.ts';

const english = (template: string) => template;

describe('the text of an error', () => {
	it('never tells a user what is written for the model, nor a model what is written for the user', () => {
		const denied = new ProwessError('DENIED_BY_USER', 'the user said no to this shell.run', {
			reason: 'Use pnpm, not npm.',
		});
		assert.equal(textForUser(denied, english), 'You denied this: Use pnpm, not npm.');
		assert.equal(detailForUser(denied), undefined);
		assert.equal(
			textForModel(denied),
			'DENIED_BY_USER: the user said no to this shell.run. Follow what they say instead: "Use pnpm, not npm.".',
		);
	});

	it('is the first one whose facts are all known', () => {
		assert.equal(causeForUser(new ProwessError('DENIED_BY_USER', 'no'), english), 'You denied this.');
		const late = (facts: Record<string, unknown>) => causeForUser(new ProwessError('TIMEOUT', 'x', facts), english);
		assert.equal(late({ seconds: 120 }), 'This took longer than 120 seconds and was stopped.');
		assert.equal(late({ seconds: {} }), 'This took too long and was stopped.');
		assert.equal(late(JSON.parse('{"__proto__":{"seconds":1}}')), 'This took too long and was stopped.');
	});

	it('groups the digits of a long count, and of nothing else', () => {
		const said = (length: number) =>
			textForUser({ code: 'MESSAGE_TOO_LONG', message: '', facts: { length, limit: 9_999 } }, (words) => words);
		assert.match(said(1_264_003), /has 1\u202F264\u202F003 characters; at most 9999 can/);
	});

	it('is translated whole, with the texts among its facts', () => {
		const german: Record<string, string> = {
			'Not allowed. {reason}': 'Nicht erlaubt. {reason}',
			'No {what}.': 'Kein {what}.',
		};
		const refused = new ProwessError('DENIED_BY_RULE', 'x', { reason: text('No {what}.', { what: 'rm' }) });
		assert.equal(
			textForUser(refused, (template) => german[template] ?? template),
			'Nicht erlaubt. Kein rm.',
		);
	});

	it('is what an error says of itself in the language of the user, and only its message for model and log', () => {
		const ended = new ProwessError('INVALID_STATE', 'the command has ended', { id: 1, said: text('It ended.') });
		assert.equal(
			textForUser(ended, (template) => (template === 'It ended.' ? 'Er ist beendet.' : template)),
			'Er ist beendet.',
		);
		assert.equal(textForModel(ended), 'INVALID_STATE: the command has ended');
		assert.match(lineForLog(ended), /: the command has ended {"id":1}$/);
		assert.equal(textForUser(new ProwessError('INVALID_STATE', 'the door is shut'), english), 'The door is shut.');
	});

	it('names the limit that stopped a turn, and not another one, as the way out', () => {
		const stopped = (facts: Record<string, unknown>) =>
			textForUser(new ProwessError('ITERATION_LIMIT', 'x', facts), english);
		assert.match(stopped({ max: 50 }), /Continue, or raise prowess\.agent\.maxIterations\.$/);
		const ofMessage = stopped({ max: 3, ofMessage: 3 });
		assert.match(ofMessage, /^Stopped: this message may take 3 rounds of tool calls\. Continue, .* more than 3 /);
		assert.doesNotMatch(ofMessage, /maxIterations/);
	});

	it('says what to do after what happened', () => {
		const error = new ProwessError('PROVIDER_AUTH', 'provider "local" answered 401');
		assert.equal(
			textForUser(error, english),
			'The provider does not accept this key. Check the key, or enter another one.',
		);
		assert.equal(detailForUser(error), 'provider "local" answered 401.');
	});

	it('has no detail below it that it says itself', () => {
		assert.equal(detailForUser(new ProwessError('IO_ERROR', 'cannot read a.txt')), undefined);
	});

	it('begins a sentence with a capital, and leaves a name as it is', () => {
		assert.equal(toSentence('there is no such thing'), 'There is no such thing.');
		assert.equal(toSentence('.env is a folder'), '.env is a folder.');
		assert.equal(toSentence('the.txt is a folder'), 'the.txt is a folder.');
		assert.equal(toSentence('Is it?'), 'Is it?');
	});

	it('names no method of a wire: what fails there is a fault of ours', () => {
		const error = { code: -32602, message: 'view/openFile: path: Required' };
		assert.equal(causeForUser(error, english), 'Something went wrong inside Prowess.');
	});

	it('is the message where there is no code of ours', () => {
		assert.equal(textForUser(new Error('it broke'), english), 'It broke.');
		assert.equal(textForUser({ code: '__proto__', message: 'what' }, english), 'What.');
		assert.equal(lineForLog({ message: 'it broke' }), 'it broke');
	});

	it('is one line with everything in the log', () => {
		const error = new ProwessError('NOT_FOUND', 'a.ts does not exist', { path: 'a.ts' });
		assert.equal(
			lineForLog(error),
			'NOT_FOUND (something that was named does not exist): a.ts does not exist {"path":"a.ts"}',
		);
	});

	for (const code of ERROR_CODES) {
		it(`is known without any fact for ${code}`, () => {
			const { user, model } = ERROR_CATALOG[code];
			for (const texts of [user, model]) {
				const last = [texts].flat().at(-1) ?? '';
				assert.deepEqual(
					listTemplateNames(last).filter((name) => name !== 'message'),
					[],
				);
			}
		});
	}
});
