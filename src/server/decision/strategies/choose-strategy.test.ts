import assert from 'node:assert/strict';
import { chooseStrategy } from './choose-strategy.ts';
import { readSchedule } from './read-schedule.ts';

/** A Thursday. */
const now = new Date(2026, 10, 26, 19, 30);

describe('The choice of a strategy', () => {
	it('answers directly when a heuristic throws', () => {
		const broken = () => {
			throw new Error('no');
		};
		assert.equal(chooseStrategy('every day at 9 list the issues', [['GOAL', broken]]), 'DIRECT_RESPONSE');
	});

	it('takes the first in the order that fits', () => {
		const text = 'Every day at 9 first rename all files, then convert them and finally let a sub-agent look at it';
		assert.equal(chooseStrategy(text), 'SCHEDULED_TASK');
		assert.equal(chooseStrategy(text.replace('Every day at 9 first', 'First')), 'SUB_AGENT');
	});

	it('takes steps in an order for a goal, also where one of them is for many things', () => {
		for (const text of [
			'first add a column for the price, then fill it for all rows',
			'Zuerst eine Spalte anlegen, dann alle Zeilen aktualisieren',
		]) {
			assert.equal(chooseStrategy(text), 'GOAL', text);
		}
		assert.equal(chooseStrategy('For each file, first rename it, then convert it'), 'SCRIPT');
	});

	it('does not look into code', () => {
		assert.equal(
			chooseStrategy('What is wrong here?\n```\n1. every day at 9\n2. then\n3. finally\n```'),
			'DIRECT_RESPONSE',
		);
		assert.equal(chooseStrategy('Fix the text `every day at 9, remind me` please'), 'DIRECT_RESPONSE');
	});

	it('comes to an end for hostile texts', () => {
		for (const text of ['every '.repeat(30_000), 'a'.repeat(120_000), '1. '.repeat(40_000), '`'.repeat(120_000)]) {
			assert.notEqual(chooseStrategy(text), '', text.slice(0, 10));
		}
	});

	for (const [message, expected] of [
		['Remind me tomorrow at 9am to call Ann.', { when: 'tomorrow at 9am', text: 'call Ann', kind: 'reminder' }],
		['Erinnere mich in 20 Minuten an den Build', { when: 'in 20 Minuten', text: 'den Build', kind: 'reminder' }],
		['please remind me to stretch every 2 hours', { when: 'every 2 hours', text: 'stretch', kind: 'reminder' }],
		['Every weekday at 9, list open issues', { when: 'Every weekday at 9', text: 'list open issues', kind: 'prompt' }],
		['Remind me of it', undefined],
		['Every now and then look at it', undefined],
	] as const) {
		it(`reads when and what in ${JSON.stringify(message)}`, () => {
			assert.deepEqual(readSchedule(message, now), expected);
		});
	}
});
