import assert from 'node:assert/strict';
import { announcesStep } from './announced-step.ts';

describe('A step that is announced and not made', () => {
	const announced = [
		'Let me run the tests.',
		"I'll now update the file.",
		'I found the bug in a.ts. Let me fix it now:',
		'Now I will read the config.',
		"Okay, let's check the logs.",
		"Next, I'm going to search for the function.",
		'Ich werde nun die Tests ausführen.',
		'Ich schaue mir die Datei an.',
		'Jetzt lese ich die Konfiguration.',
		'Lass mich das prüfen.',
		'Ich werde mir die Datei ansehen.',
		"I'll make the change now.",
	];
	const complete = [
		'Let me know if you want more.',
		"I'll run the tests once you confirm.",
		"If you agree, I'll edit the file.",
		'Should I check the logs?',
		'Let me explain: it adds two numbers.',
		"I'll keep that in mind.",
		'The tests pass.',
		'Ich warte auf deine Antwort.',
		'Ich werde es tun, sobald du zustimmst.',
		'Sag Bescheid, wenn ich weitermachen soll.',
		'Let me run the tests. They pass.',
		'I will need your approval before I edit it.',
		'I will make it short: yes.',
		'I will make it short.',
		'Ich werde mich kurz fassen.',
		'Ich werde es kurz machen: ja.',
		'Let me look at this from another side: the answer is 4.',
		"Let's start with the short answer: it is a race.",
		'Ich lese daraus: der Index fehlt.',
	];

	it('is seen at the end of a short answer', () => {
		assert.deepEqual(
			announced.filter((answer) => !announcesStep(answer, 'Fix it')),
			[],
		);
	});

	it('is not seen in an answer that is complete, conditional or a question', () => {
		assert.deepEqual(
			complete.filter((answer) => announcesStep(answer, 'Fix it')),
			[],
		);
	});

	it('is no step behind the answer to a question', () => {
		const answer = 'The sum is rounded too early in a.ts. Let me fix it now.';
		assert.equal(announcesStep(answer, 'Why is the sum wrong?'), false);
		assert.equal(announcesStep('Let me read a.ts first.', 'Why is the sum wrong?'), true);
	});

	it('is what the user wants to read who asks for a plan', () => {
		assert.equal(announcesStep('First I will read the config.', 'Make a plan, please'), false);
	});
});
