import assert from 'node:assert/strict';
import { inEnglish } from '../protocol/text/text.ts';
import {
	type ApprovedScope,
	type OpDecision,
	decisionText,
	NOT_JUDGED,
	addDecisionNote,
	refusedByCheck,
	createDecision,
	whoDecided,
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

describe('Who decided about an act', () => {
	const asked = createDecision({ kind: 'ask', rule: 'commands', reason: 'Commands need approval' }, []);
	const allowed = (rule: string) => createDecision({ kind: 'allow', rule, reason: 'allow (user): not this one' }, []);
	const denied = (rule: string) => createDecision({ kind: 'deny', rule, reason: 'it is so' }, []);
	const yes = (scope: ApprovedScope): OpDecision => ({ ...asked, by: { kind: 'person', said: 'yes', scope } });

	const cases: readonly (readonly [decision: OpDecision, said: string])[] = [
		[yes({ kind: 'once' }), 'You, once'],
		[yes({ kind: 'thread', covers: 'all commands' }), 'You, for this thread'],
		[yes({ kind: 'project', pattern: 'shell.run npm test' }), 'You, for this project'],
		[yes({ kind: 'all projects', pattern: 'shell.run npm test' }), 'You, for all projects'],
		[yes({ kind: 'unsaved rule', pattern: 'shell.run npm test' }), 'You, for this thread'],
		[yes({ kind: 'content' }), 'You, for this version'],
		[{ ...asked, by: { kind: 'person', said: 'no', words: 'approved by the user once' } }, 'You'],
		[{ ...asked, by: { kind: 'nobody' } }, 'Nobody answered'],
		[refusedByCheck(NOT_JUDGED, 'a hook refuses it'), 'Prowess'],
		[allowed('allow-rule'), 'Your rule'],
		[addDecisionNote(allowed('level'), 'deny (trust): a note'), 'No question needed'],
		[allowed('toString'), 'Rule toString'],
		[denied('deny-rule'), 'A deny rule'],
		[denied('commands'), 'Nobody could be asked'],
		[NOT_JUDGED, 'Not judged'],
	];
	for (const [decision, said] of cases) {
		it(`is read from "${decisionText(decision)}"`, () => {
			assert.equal(inEnglish(whoDecided('agent:thr_1', decisionText(decision))), said);
		});
	}

	it('is the user for an act of the user, and Prowess for its own', () => {
		assert.equal(inEnglish(whoDecided('user', 'the user takes back what was agreed to')), 'You');
		assert.equal(inEnglish(whoDecided('host', 'a damaged database was moved aside')), 'Prowess');
	});
});
