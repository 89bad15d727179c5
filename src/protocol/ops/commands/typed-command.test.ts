import assert from 'node:assert/strict';
import { isMisleading, lookAlikes, typedCommand, typedPieces } from './typed-command.ts';

describe('A command as it is typed', () => {
	it('is read by a shell as the same words again', () => {
		const argv = ['git', '-m', "it's $HOME", '', '*', 'a=b', 'x\\y'];
		assert.equal(typedCommand(argv), String.raw`git -m 'it'\''s $HOME' '' '*' a=b 'x\y'`);
	});

	it('has the quotes of PowerShell on Windows', () => {
		const argv = ['C:\\Program Files\\a.exe', '-m', "it's $HOME", '', 'x\\y', '@a'];
		assert.equal(typedCommand(argv, 'powershell'), String.raw`& 'C:\Program Files\a.exe' -m 'it''s $HOME' '' x\y '@a'`);
	});

	it('keeps its risky parts apart, inside of quotes, too', () => {
		const script = "a; rm 'x'";
		const pieces = typedPieces(
			['sudo', '-c', script],
			[
				{ argument: 0, start: 0, end: 4 },
				{ argument: 2, start: 3, end: 9 },
				{ argument: 2, start: 5, end: 99 },
			],
		);
		assert.equal(pieces.map(({ text }) => text).join(''), typedCommand(['sudo', '-c', script]));
		const marked = pieces.filter(({ isMarked }) => isMarked).map(({ text }) => text);
		assert.deepEqual(marked, ['sudo', 'rm', String.raw` '\''x'\''`]);
	});

	it('names characters that are taken for others', () => {
		assert.deepEqual(lookAlikes('cаt'), ['а (U+0430)']);
		assert.deepEqual(lookAlikes('–rf'), ['– (U+2013)']);
		assert.deepEqual([lookAlikes('cat'), lookAlikes('für'), lookAlikes('日本')], [[], [], []]);
		assert.deepEqual(['', 'a\\u{202e}b', 'cаt', 'cat', 'a b'].map(isMisleading), [true, true, true, false, false]);
	});
});
