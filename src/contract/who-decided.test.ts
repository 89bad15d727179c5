import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { inEnglish } from '../protocol/text/text.ts';
import {
	type ApprovedScope,
	type OpDecision,
	decisionText,
	NOT_JUDGED,
	addDecisionNote,
	refusedByCheck,
	createDecision,
} from './decision.ts';
import { whoDecided } from './who-decided.ts';

const asked = createDecision({ kind: 'ask', rule: 'commands', reason: 'Commands need approval' }, []);
const allowed = (rule: string) => createDecision({ kind: 'allow', rule, reason: 'allow (user): not this one' }, []);
const denied = (rule: string) => createDecision({ kind: 'deny', rule, reason: 'it is so' }, []);
const yes = (scope: ApprovedScope): OpDecision => ({ ...asked, by: { kind: 'person', said: 'yes', scope } });

describe('Who decided about an act', () => {
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
