import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { pinnedHead } from './pinned-head.ts';
import { newestRules, toldSections } from './told-sections.ts';
import { userMessage } from './messages.ts';

const told = (path: string, text: string) =>
	`\n\n<workspace-instructions file=${JSON.stringify(path)}>\n${text}\n</workspace-instructions>`;

describe('What files told the model', () => {
	it('is left as it is while no file was told twice', () => {
		const rules = `${told('AGENTS.md', 'Use tabs.')}${told('web/AGENTS.md', 'Use signals.')}\n\n<capabilities>\n- a\n</capabilities>`;
		assert.equal(newestRules(rules), rules);
		assert.deepEqual(
			toldSections(rules).map(([path]) => path),
			['AGENTS.md', 'web/AGENTS.md'],
		);
	});

	it('is the newest of each file where one was told again, and all else stays', () => {
		const other = '\n\n<capabilities>\n- a\n</capabilities>';
		const rules = `${told('AGENTS.md', 'Use tabs.')}${other}${told('b.md', 'B.')}${told('AGENTS.md', 'Use spaces.\n\nAlways.')}`;
		assert.equal(newestRules(rules), `${other}${told('b.md', 'B.')}${told('AGENTS.md', 'Use spaces.\n\nAlways.')}`);
		const last = `${told('AGENTS.md', 'One.')}${told('AGENTS.md', 'Two.')}${told('b.md', 'B.')}`;
		assert.equal(newestRules(last), `${told('AGENTS.md', 'Two.')}${told('b.md', 'B.')}`);
	});

	it('stays of what is left out with the newest of each file alone', () => {
		const head = pinnedHead(
			[
				userMessage('Build it', '', told('AGENTS.md', 'Use tabs.')),
				{ role: 'assistant', parts: [{ kind: 'text', text: 'Built.' }] },
				userMessage('Go on', '', told('AGENTS.md', 'Use spaces.')),
			],
			8_000,
			false,
		);
		assert.match(head.text, /Use spaces\./);
		assert.doesNotMatch(head.text, /Use tabs\./);
		assert.equal(head.text.slice(-(head.rulesChars ?? 0)), told('AGENTS.md', 'Use spaces.'));
	});
});
