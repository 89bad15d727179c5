import assert from 'node:assert/strict';
import { inEnglish, translateText } from '../text/text.ts';
import { addressPollWords, commandPollWords, filesPollWords, readPollWords } from './poll-words.ts';

const words = [
	'',
	'anything else: of another version',
	'0123456789ab',
	commandPollWords({ exitCode: 1, signal: null }, ''),
	commandPollWords({ exitCode: 0, signal: null }, 'done: {code}'),
	commandPollWords({ exitCode: null, signal: 'SIGKILL' }, 'exit code 3'),
	filesPollWords(1),
	filesPollWords(12),
	addressPollWords(404, undefined),
	addressPollWords(302, 'https://a.test/b'),
];

describe('The result of a poll', () => {
	for (const recorded of words) {
		it(`reads the same in English: ${JSON.stringify(recorded)}`, () =>
			assert.equal(inEnglish(readPollWords(recorded)), recorded));
	}

	it('is read in another language, and its output as it came', () => {
		const german = { 'exit code {code}: {line}': 'Exit-Code {code}: {line}', '{n} files': '{n} Dateien' };
		const translate = (template: string) => (german as Readonly<Record<string, string>>)[template] ?? template;
		const shown = (recorded: string) => translateText(readPollWords(recorded), translate);
		assert.deepEqual([shown('exit code 1: 3 files'), shown('3 files')], ['Exit-Code 1: 3 files', '3 Dateien']);
	});
});
