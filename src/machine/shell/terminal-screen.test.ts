import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { TerminalScreen } from './terminal-screen.ts';

const RECORDED = new URL('../../../test/fixtures/terminal/recorded.json', import.meta.url);

function show(...chunks: string[]): { readonly kept: string; readonly live: string } {
	let kept = '';
	const screen = new TerminalScreen((text) => {
		kept += text;
	});
	const live = chunks.map((chunk) => screen.push(chunk)).join('');
	screen.flush();
	return { kept, live };
}

const keptOf = (...chunks: string[]) => show(...chunks).kept.replace(/\n?\[… \d+ redraws of lines left out …\]\n$/, '');

/** Text as a terminal shows it: tabs are blanks, and blanks at the end of a line are nothing. */
function asCells(text: string): string {
	const lines = text.split('\n').map((line) => {
		let cells = '';
		for (const each of line) {
			cells += each === '\t' ? ' '.repeat(8 - (cells.length % 8)) : each;
		}
		return cells.trimEnd();
	});
	return lines.join('\n').trimEnd();
}

describe('TerminalScreen', () => {
	it('ends with what a terminal showed at the end of recorded outputs, however they are split', () => {
		const recorded = JSON.parse(readFileSync(RECORDED, 'utf8')) as Record<string, { raw: string; shown: string }>;
		assert.ok(Object.keys(recorded).length >= 50);
		for (const [name, { raw, shown }] of Object.entries(recorded)) {
			for (const size of [raw.length, 1, 7]) {
				const chunks = Array.from({ length: Math.ceil(raw.length / size) }, (_, at) =>
					raw.slice(at * size, (at + 1) * size),
				);
				assert.equal(asCells(keptOf(...chunks)), shown.trimEnd(), `${name} in pieces of ${size}`);
			}
		}
	});

	it('takes out every kind of sequence, however it is split', () => {
		const cases: readonly (readonly [string, string])[] = [
			['a\x1b[1;31mb\x1b[0mc', 'abc'],
			['a\x1b]52;c;c2VjcmV0\x07b', 'ab'],
			['a\x1b]8;;http://x\x1b\\b', 'ab'],
			['a\x1bPq#0\x1b\\b\x1b_x\x1b\\c\x1b^y\x9cd', 'abcd'],
			['a\u009b31mb\u009d0;title\u009cc', 'abc'],
			['a\x1b(Bb\x1b7c\x1b=d', 'abcd'],
			['a\x00c\x7fd\te', 'acd\te'],
			['a\r\nb\r\nc\r\r\nd', 'a\nb\nc\nd'],
			['12%\r100%\n', '100%'],
			['longer\rno', 'nonger'],
			['longer\r\x1b[Kno', 'no'],
			['a\x08b', 'b'],
			['one\ntwo\n\x1b[2A\x1b[2Kuno\n\x1b[2Kdue\n', 'uno\ndue'],
			['kept\n\x1b[?1049hinside\n\x1b[?1049lafter', 'kept\nafter'],
			['gone\x1bcafter', 'after'],
			['漢字\rあ', 'あ字'],
			['漢字\rab', 'ab字'],
		];
		for (const [input, expected] of cases) {
			assert.equal(keptOf(input), expected, JSON.stringify(input));
			assert.equal(keptOf(...input), expected, `split: ${JSON.stringify(input)}`);
		}
	});

	it('shows what follows a sequence that never ends', () => {
		assert.ok(keptOf(`\x1b]0;${'x'.repeat(20_000)}visible`).endsWith('visible'));
		assert.equal(keptOf('\x1b[31', '\x18visible'), 'visible');
	});

	it('says how many redraws are left out of a bar, and shows it few times while it runs', () => {
		const bar = Array.from({ length: 5_000 }, (_, at) => `\r${at + 1}/5000 ${'#'.repeat(at / 100)}`);
		const { kept, live } = show('begin\n', ...bar, '\nend\n');
		assert.equal(kept, `begin\n5000/5000 ${'#'.repeat(49)}\nend\n[… 4999 redraws of lines left out …]\n`);
		assert.equal(live, `begin\n1/5000 \n5000/5000 ${'#'.repeat(49)}\nend\n`);
	});

	it('gives plain text as it is, whatever its length, also with what was read in between', () => {
		const lines = Array.from({ length: 3_000 }, (_, at) => `line ${at}\t${'x'.repeat(at % 90)} \n`).join('');
		for (const text of [
			lines,
			`${'y'.repeat(400_000)}\nerror`,
			'prompt> ',
			'',
			'\n\n\n',
			lines + lines.slice(0, 5_000),
		]) {
			assert.deepEqual(show(text), { kept: text, live: text });
			let kept = '';
			const screen = new TerminalScreen((piece) => {
				kept += piece;
			});
			let live = '';
			for (let at = 0; at < text.length; at += 777) {
				live += screen.push(text.slice(at, at + 777));
				if (at % 5 === 0) {
					screen.flush();
				}
			}
			screen.flush();
			assert.deepEqual({ kept, live }, { kept: text, live: text });
		}
	});

	it('begins a new line for what is redrawn after it was read', () => {
		let kept = '';
		const screen = new TerminalScreen((text) => {
			kept += text;
		});
		screen.push('50%');
		screen.flush();
		screen.push('\r60%\r70%');
		screen.flush();
		assert.equal(kept, '50%\n70%\n[… 2 redraws of lines left out …]\n');
	});

	it('keeps memory and time bounded', () => {
		for (const flood of [
			'\x1b[9999999B',
			'\x1b[99999C',
			'\x1b[9999L',
			'\n\x1b[1M',
			'\x1b[H',
			'\x1b[?1049h',
			'x\x1b[2J',
			'\x1bM',
		]) {
			const { kept } = show(...Array.from({ length: 200 }, () => flood.repeat(20)), 'end');
			assert.ok(kept.length < 400_000, flood);
			assert.ok(kept.includes('end'), flood);
		}
	});

	it('keeps a line bounded that is not the last one, and one that cells are put into', () => {
		for (const flood of ['x', '\x1b[9999@', '\u0301']) {
			let settled = 0;
			const screen = new TerminalScreen((text) => {
				settled += text.length;
			});
			screen.push('abc漢\nbelow\x1b[A\rx');
			for (let pushed = 0; pushed < 200_000; pushed += flood.length * 200) {
				screen.push(flood.repeat(200));
			}
			const before = settled;
			screen.flush();
			assert.ok(settled - before < 20_000, JSON.stringify(flood));
		}
	});

	it('redraws a long line of wide characters again and again without keeping its host busy', () => {
		const { kept } = show('漢'.repeat(1_900), '\rx'.repeat(30_000), '\r終');
		assert.ok(kept.startsWith('終漢漢'));
	});

	it('shows the last line as it ended, though it was redrawn', () => {
		const screen = new TerminalScreen();
		assert.equal(screen.push('12%') + screen.push('\r100%') + screen.end(), '12%\n100%');
		screen.flush();
		assert.equal(screen.push('plain') + screen.end(), 'plain');
	});
});
