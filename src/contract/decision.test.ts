import assert from 'node:assert/strict';
import {
	type ApprovedScope,
	decisionText,
	NOT_JUDGED,
	addDecisionNote,
	refusedByCheck,
	createDecision,
} from './decision.ts';

const asked = createDecision({ kind: 'ask', rule: 'writes', reason: 'changing files is asked' }, ['simulated']);

describe('A decision in words', () => {
	it('says that nothing was judged', () => {
		assert.equal(decisionText(NOT_JUDGED), 'not judged');
	});

	it('begins with the check that refused, which a ruling or a person would not have', () => {
		const refused = 'deny: fs.write needs the permission "workspace.write"';
		const reason = 'fs.write needs the permission "workspace.write"';
		assert.equal(decisionText(refusedByCheck(NOT_JUDGED, reason)), `${refused}; not judged`);
		assert.equal(
			decisionText(refusedByCheck(asked, reason)),
			`${refused}; ask (writes): changing files is asked; simulated`,
		);
	});

	it('keeps the refusal of the ruling, and the word of the person, whatever a check says after it', () => {
		const denied = createDecision({ kind: 'deny', rule: 'deny-rule', reason: 'so it is' }, []);
		assert.equal(decisionText(refusedByCheck(denied, 'the message')), 'deny (deny-rule): so it is');
		const no = { ...asked, by: { kind: 'person', said: 'no', words: 'not this' } } as const;
		assert.equal(refusedByCheck(no, 'the message'), no);
	});

	it('names the person, with their words and what they agreed to', () => {
		const rest = 'ask (writes): changing files is asked; simulated';
		const by = (scope: ApprovedScope) => decisionText(yes(scope));
		assert.equal(by({ kind: 'once' }), `approved by the user once; ${rest}`);
		assert.equal(by({ kind: 'content' }), `approved by the user always; ${rest}`);
		assert.equal(
			by({ kind: 'thread', covers: 'all changes' }),
			`approved by the user for the thread: all changes; ${rest}`,
		);
		assert.equal(
			by({ kind: 'project', pattern: 'fs.write a' }),
			`approved by the user always in this project, as "fs.write a"; ${rest}`,
		);
		assert.equal(
			by({ kind: 'unsaved rule', pattern: 'fs.write a' }),
			`approved by the user for the thread, as "fs.write a"; the rule could not be saved; ${rest}`,
		);
		assert.equal(
			decisionText({ ...asked, by: { kind: 'person', said: 'no', words: '' } }),
			`denied by the user; ${rest}`,
		);
		assert.equal(decisionText({ ...asked, by: { kind: 'nobody' } }), `nobody answered; ${rest}`);
	});

	it('ends with the notes, in the order in which they were made', () => {
		assert.equal(
			decisionText(
				addDecisionNote(addDecisionNote(createDecision({ kind: 'allow', rule: 'user', reason: 'r' }, []), 'a'), 'b'),
			),
			'allow (user): r; a; b',
		);
	});
});

function yes(scope: ApprovedScope) {
	return { ...asked, by: { kind: 'person', said: 'yes', scope } } as const;
}
