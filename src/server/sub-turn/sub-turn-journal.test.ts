import assert from 'node:assert/strict';
import type { ModelMessage } from '../models/model-port.ts';
import { SubTurnJournal } from './sub-turn-journal.ts';

describe('What a sub-turn said last', () => {
	const words = (...texts: readonly string[]): ModelMessage => ({
		role: 'assistant',
		parts: texts.map((text) => ({ kind: 'text', text })),
	});
	const asked = (text: string): ModelMessage => ({ role: 'user', text, ownChars: 0 });
	const call: ModelMessage = {
		role: 'assistant',
		parts: [
			{ kind: 'text', text: 'I look.' },
			{ kind: 'toolCall', callId: 'c1', tool: 'fs_read', inputText: '{}' },
		],
	};
	const result: ModelMessage = { role: 'tool', results: [] };
	function journalOf(...messages: readonly ModelMessage[]): SubTurnJournal {
		const journal = new SubTurnJournal(() => undefined);
		for (const message of messages) journal.say(message);
		return journal;
	}

	it('is nothing before it answers', () => {
		assert.equal(journalOf(asked('Look.')).lastSaid, '');
	});

	it('is its last words that are not empty, also those that came with a call', () => {
		assert.equal(journalOf(asked('Look.'), words('First', ' words.')).lastSaid, 'First words.');
		const journal = journalOf(asked('Look.'), words('First', ' words.'), call, result, words(' \n'));
		assert.equal(journal.lastSaid, 'I look.');
	});

	it('is nothing of what it said before it was asked again', () => {
		const journal = journalOf(asked('Look.'), words('An answer.'));
		journal.askAgain('Answer as JSON.');
		assert.equal(journal.lastSaid, '');
		journal.say(words('{}'));
		assert.equal(journal.lastSaid, '{}');
	});
});
