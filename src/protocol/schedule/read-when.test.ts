import assert from 'node:assert/strict';
import { readWhen, splitWhen } from './read-when.ts';

/** A Thursday. */
const now = { year: 2026, month: 11, day: 26, hour: 19, minute: 30 };

describe('Plain words for a time', () => {
	for (const [pattern, ...words] of [
		[
			'0 9 * * 1-5',
			'every weekday at 9',
			'jeden Werktag um 9',
			'weekdays at 9:00',
			'at 9 am every weekday',
			'Werktags, um 9 Uhr',
		],
		['30 17 * * *', 'daily at 5:30 pm', 'täglich um 17:30', 'every day at 17.30', 'jeden Tag um 17 Uhr 30'],
		['0 0 * * *', 'every day at midnight', 'every day at 12 am', 'jeden Tag um Mitternacht'],
		['0 12 * * *', 'every day at noon', 'every day at 12 pm', 'every noon', 'täglich mittags'],
		['0 8 * * *', 'every morning', 'jeden Morgen'],
		['0 7 * * *', 'every morning at 7', 'jeden Morgen um 7'],
		['0 10 * * 1', 'every Monday at 10', 'montags um 10', 'on Mondays at 10', 'jeden Montag um 10 Uhr'],
		[
			'0 9 * * 1,4',
			'every monday and thursday',
			'montags und donnerstags um 9',
			'jeden Montag und jeden Donnerstag um 9',
		],
		['0 11 * * 0,6', 'every weekend at 11', 'am Wochenende um 11'],
		['0 9 1 * *', 'monthly', 'jeden Monat um 9'],
		['15 6 15 * *', 'on the 15th of every month at 6:15', 'am 15. jedes Monats um 6:15'],
		['0 * * * *', 'hourly', 'every hour', 'stündlich'],
		['*/15 * * * *', 'every 15 minutes', 'alle 15 Minuten'],
		['0 */6 * * *', 'every 6 hours', 'alle 6 Stunden'],
		['2026-11-26T19:50:00', 'in 20 minutes', 'in 20 Minuten'],
		['2026-11-26T20:30:00', 'in an hour', 'in einer Stunde'],
		['2026-11-27T08:00:00', 'tomorrow at 8', 'morgen um 8 Uhr'],
		['2026-11-26T22:00:00', 'today at 10 pm', 'heute um 22 Uhr'],
		['2026-12-03T09:00:00', 'on Thursday at 9', 'nächsten Donnerstag um 9'],
		['2026-12-24T18:00:00', '2026-12-24 at 18:00', 'am 24.12.2026 um 18 Uhr'],
	] as const) {
		for (const text of words) {
			it(`reads "${text}" as ${pattern}`, () => {
				assert.deepEqual(readWhen(text, now), { pattern, isOnce: pattern.includes('T') });
			});
		}
	}

	for (const text of [
		'',
		'9',
		'today',
		'every 7 minutes',
		'every 0 hours',
		'every day at 25',
		'at 13 pm every day',
		'am 31.11.2026 um 9 Uhr',
		'on the 32nd of every month',
		'every week of the year',
		'monday',
		'sometimes',
	]) {
		it(`reads no time in "${text}"`, () => {
			assert.equal(readWhen(text, now), undefined);
		});
	}

	it('are found at the beginning and at the end of a text', () => {
		const cut = (text: string) => {
			const found = splitWhen(text, now);
			return found && [found.when.pattern, found.rest];
		};
		assert.deepEqual(cut('every weekday at 9: list open issues'), ['0 9 * * 1-5', 'list open issues']);
		assert.deepEqual(cut('list open issues every weekday at 9 am'), ['0 9 * * 1-5', 'list open issues']);
		assert.deepEqual(cut('morgen um 8 die Mails lesen'), ['2026-11-27T08:00:00', 'die Mails lesen']);
		assert.equal(cut('list 9 open issues'), undefined);
		assert.equal(cut('every weekday at 9'), undefined);
	});
});
