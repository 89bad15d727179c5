import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { processorMs } from '../../../../test/support/processor-time.ts';
import { decodeText, encodeText, isSameIn } from './text-encoding.ts';

const wide = (text: string) => Buffer.from(text, 'utf16le');
const western = (text: string) => Buffer.from(text, 'latin1');
/** そして、日本語のテキスト。ひらがなとカタカナ */
const shiftJis = Buffer.from(
	'82bb82b582c4814193fa967b8cea82cc8365834c8358836781428 2d082e782aa82c882c6834a835e834a8369'.replaceAll(' ', ''),
	'hex',
);
const eucJp = Buffer.from('a4bda4b7a4c6a1a2c6fccbdcb8eca4cea5c6a5ada5b9a5c8a1a3', 'hex');

/** Bytes of texts as another program writes them, by encoding and text. */
const LEGACY = JSON.parse(
	readFileSync(new URL('../../../../test/fixtures/encodings/legacy.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Texts that are no sample of the guess, and too short, in capitals or in an encoding that is not guessed. */
const UNKNOWN_TEXTS: readonly (readonly [encoding: string, text: string])[] = [
	...['ﾃｽﾄ', '猫と犬', '東京都渋谷区神南'].map((text) => ['shift_jis', text] as const),
	...['備考欄', '寿司'].map((text) => ['euc-jp', text] as const),
	...['有限责任公司', '猫和狗', '颜色', '鹦鹉', '㐀㐁', '编译器优化选项'].map((text) => ['gb18030', text] as const),
	...['顏色', '鸚鵡', '貓和狗', '臺北市信義區'].map((text) => ['big5', text] as const),
	...['색깔', '빨강', '주의 사항'].map((text) => ['euc-kr', text] as const),
	...['windows-1251', 'koi8-r'].flatMap((encoding) =>
		['да', 'ЩУКА', 'ВНИМАНИЕ! ФАЙЛ НЕ НАЙДЕН. ПРОВЕРЬТЕ ПУТЬ'].map((text) => [encoding, text] as const),
	),
	['windows-1251', 'Ђорђе Његош'],
	...['Łódź', 'Wrocław', 'Zażółć gęślą jaźń', 'Árvíztűrő tükörfúrógép', 'Přišlo jaro a květiny'].map(
		(text) => ['windows-1250', text] as const,
	),
	['windows-1252', 'ÀÉÎÕÜ'],
];

const SPRING_IN_RUSSIAN = 'Пришла весна, и в парке распустились цветы. Дети бегали по траве.';
const SPRING_IN_JAPANESE = '春が来て、公園の花が咲きました。子供たちは芝生の上を走っています。';
const LONG_TEXTS: readonly (readonly [encoding: string, text: string])[] = [
	['gb18030', '春天来了，公园里的花都开了，孩子们在草地上奔跑，老人们坐在长椅上聊天。'],
	['gb18030', '// 连接数据库失败时重试三次，每次间隔两秒\nconst retries = 3;\n'],
	['big5', '春天來了，公園裡的花都開了，孩子們在草地上奔跑，老人們坐在長椅上聊天。'],
	['shift_jis', SPRING_IN_JAPANESE],
	['euc-jp', SPRING_IN_JAPANESE],
	['euc-kr', '봄이 와서 공원의 꽃이 모두 피었습니다. 아이들은 잔디밭에서 뛰어놀고 있습니다.'],
	['windows-1251', SPRING_IN_RUSSIAN],
	['koi8-r', SPRING_IN_RUSSIAN],
];

describe('the bytes of a file', () => {
	for (const [what, bytes] of [
		['a NUL', Buffer.from('a\0b')],
		['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
		[
			'a PDF',
			Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<</Length 4>>stream\nf\xfcr\xe4\nendstream', 'latin1'),
		],
		['compressed data', Buffer.from('1f8b08000000000002ffcb48cdc9c95728cf2fca49e10200', 'hex')],
		['UTF-8 with one damaged letter', Buffer.concat([Buffer.from('größer, länger und schöner'), Buffer.from([0xc3])])],
		['control characters', Buffer.from([0x61, 0x01, 0xe4, 0x62])],
		['half a character of UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('00d8', 'hex'), wide('a')])],
		['UTF-32 with a surrogate', Buffer.from('fffe000000d80000', 'hex')],
		['an odd number of bytes of UTF-16 without a mark', Buffer.from('610062006', 'hex').subarray(0, 3)],
	] as const) {
		it(`are not text where they are ${what}`, () => {
			assert.throws(() => decodeText('a', bytes), { code: 'FILE_IS_BINARY' });
		});
	}

	it('are read in the encoding that they are in, told or not, and written back as they were', () => {
		const rows = Object.entries(LEGACY).flatMap(([encoding, texts]) =>
			Object.entries(texts).map(([text, hex]) => [encoding, text, hex] as const),
		);
		assert.ok(rows.length > 50);
		for (const [encoding, text, hex] of rows) {
			const bytes = Buffer.from(hex, 'hex');
			for (const usual of [undefined, encoding]) {
				const read = decodeText('a', bytes, usual);
				assert.deepEqual([read.text, read.encoding], [text, encoding], text);
				assert.deepEqual(encodeText('a', read.text, read.encoding), bytes, text);
			}
		}
	});

	it('are a guess where two encodings are as likely, or none', () => {
		for (const hex of ['d6d0cec4', 'b9e6ea9f20f8ed', 'd6d0']) {
			assert.deepEqual(decodeText('a', Buffer.from(hex, 'hex')).others, [], hex);
		}
	});

	it('are text also where Shift-JIS has the codes of NEC', () => {
		const bytes = Buffer.from('eee08bb482b382f182cc90dd92e8', 'hex');
		for (const usual of [undefined, 'shift_jis']) {
			const { text, encoding } = decodeText('a', bytes, usual);
			assert.equal(text, '髙橋さんの設定');
			assert.deepEqual(encodeText('a', text, encoding), bytes);
		}
	});

	it('are sure of an encoding only where it is theirs', () => {
		const wrong = UNKNOWN_TEXTS.flatMap(([encoding, text]) => {
			try {
				const read = decodeText('a', encodeText('a', text, encoding));
				return read.text !== text && read.others === undefined ? [`${text} as ${read.encoding}`] : [];
			} catch (error) {
				assert.equal((error as { code?: string }).code, 'FILE_IS_BINARY', text);
				return [];
			}
		});
		assert.deepEqual(wrong, []);
	});

	it('are sure of the encoding of a text of some length', () => {
		for (const [encoding, text] of LONG_TEXTS) {
			const read = decodeText('a', encodeText('a', text, encoding));
			assert.deepEqual(read, { text, encoding });
		}
	});

	it('are those of a western text in which only some characters are sure', () => {
		const { others } = decodeText('a', western('Größe'));
		const are = (characters: string) =>
			Array.from(characters, (each) => isSameIn(each, ['windows-1252', ...(others ?? [])]));
		assert.deepEqual(are('äÜéç–'), [true, true, true, true, true]);
		assert.deepEqual(are('ñèŁ'), [false, false, false]);
	});

	for (const [encoding, text, bytes, usual] of [
		['utf-8', 'größer\r\n', Buffer.from('größer\r\n'), 'windows-1252'],
		['utf-8', '', Buffer.alloc(0), undefined],
		['utf-8-bom', 'a\r\n', Buffer.from('\uFEFFa\r\n'), undefined],
		['utf-16le', 'für\n', Buffer.concat([Buffer.from([0xff, 0xfe]), wide('für\n')]), undefined],
		['utf-16be', 'für\n', Buffer.concat([Buffer.from([0xfe, 0xff]), wide('für\n').swap16()]), undefined],
		['utf-16le-bare', 'one\r\ntwo\r\n', wide('one\r\ntwo\r\n'), undefined],
		['utf-16be-bare', 'one\ntwo €\n', wide('one\ntwo €\n').swap16(), undefined],
		['utf-32le', 'a😀\n', Buffer.from('fffe00006100000000f601000a000000', 'hex'), undefined],
		['utf-32be', 'a😀\n', Buffer.from('0000feff000000610001f6000000000a', 'hex'), undefined],
		[
			'windows-1252',
			'für 5 €, “so”\r\n',
			Buffer.concat([
				western('für 5 '),
				Buffer.from([0x80]),
				western(', '),
				Buffer.from([0x93]),
				western('so'),
				Buffer.from([0x94]),
				western('\r\n'),
			]),
			undefined,
		],
		['shift_jis', 'そして、日本語のテキスト。ひらがなとカタカナ', shiftJis, undefined],
		['euc-jp', 'そして、日本語のテキスト。', eucJp, undefined],
		['windows-1251', 'Привет, мри!', Buffer.from('cff0e8e2e5f22c20ecf0e821', 'hex'), 'windows-1251'],
		['iso-8859-2', 'žluť', Buffer.from('be6c75bb', 'hex'), 'iso-8859-2'],
		['gbk', '中文', Buffer.from('d6d0cec4', 'hex'), 'gbk'],
		['big5', '中文', Buffer.from('a4a4a4e5', 'hex'), 'big5'],
		['euc-kr', '한글', Buffer.from('c7d1b1db', 'hex'), 'euc-kr'],
		['koi8-r', 'да', Buffer.from('c4c1', 'hex'), 'koi8-r'],
	] as const) {
		it(`are read as ${encoding} and written back as they were: ${JSON.stringify(text)}`, () => {
			const decoded = decodeText('a', bytes, usual);
			assert.deepEqual([decoded.text, decoded.encoding], [text, encoding]);
			assert.deepEqual(encodeText('a', text, encoding), bytes);
		});
	}

	it('cannot be those of a text with a character that their encoding has not', () => {
		assert.throws(() => encodeText('a.txt', 'für\n→', 'windows-1252'), {
			code: 'INVALID_PARAMS',
			message: 'a.txt is in the encoding windows-1252, which has no "→" (line 2 of the new text)',
		});
	});

	it('come back the same whatever they are, unless they are not taken for text', () => {
		let state = 7;
		const next = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) >> 8;
		for (let round = 0; round < 2_000; round++) {
			const bytes = Buffer.from(Array.from({ length: next() % 40 }, () => (next() % 3 === 0 ? next() % 256 : 0x61)));
			for (const usual of [undefined, 'shift_jis', 'windows-1252', 'gb18030']) {
				try {
					const { text, encoding } = decodeText('a', bytes, usual);
					assert.deepEqual(encodeText('a', text, encoding), bytes, encoding);
				} catch (error) {
					assert.equal((error as { code?: string }).code, 'FILE_IS_BINARY', String(error));
				}
			}
		}
	});

	it('take no more time for each of 10 MB than for each of 2 MB', () => {
		const timeOf = (words: number) => {
			const bytes = western('für '.repeat(words));
			return processorMs(() => assert.equal(decodeText('a', bytes).encoding, 'windows-1252'));
		};
		timeOf(500_000);
		const [short, long] = [timeOf(500_000), timeOf(2_500_000)];
		assert.ok(long < 15 * short, `${long} and ${short} ms`);
	});
});
