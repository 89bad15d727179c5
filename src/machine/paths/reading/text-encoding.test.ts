import assert from 'node:assert/strict';
import { processorMs } from '../../../../test/support/processor-time.ts';
import { decodeText, encodeText } from './text-encoding.ts';

const wide = (text: string) => Buffer.from(text, 'utf16le');
const western = (text: string) => Buffer.from(text, 'latin1');
/** そして、日本語のテキスト。ひらがなとカタカナ */
const shiftJis = Buffer.from(
	'82bb82b582c4814193fa967b8cea82cc8365834c8358836781428 2d082e782aa82c882c6834a835e834a8369'.replaceAll(' ', ''),
	'hex',
);
const eucJp = Buffer.from('a4bda4b7a4c6a1a2c6fccbdcb8eca4cea5c6a5ada5b9a5c8a1a3', 'hex');

/** Texts, and their bytes as another program writes them. */
const LEGACY: readonly (readonly [encoding: string, text: string, hex: string])[] = [
	['gb18030', '中文', 'd6d0cec4'],
	['gb18030', '你好，世界！', 'c4e3bac3a3accac0bde7a3a1'],
	[
		'gb18030',
		'这是一个测试文件，包含中文内容。\n// 获取用户信息\nint main() { return 0; }',
		'd5e2cac7d2bbb8f6b2e2cad4cec4bcfea3acb0fcbaacd6d0cec4c4dac8dda1a30a2f2f20bbf1c8a1d3c3bba7d0c5cfa20a696e74206d61696e2829207b2072657475726e20303b207d',
	],
	['gb18030', '项目说明：本程序用于处理数据。', 'cfeec4bfcbb5c3f7a3bab1beb3ccd0f2d3c3d3dab4a6c0edcafdbedda1a3'],
	['gb18030', '错误：文件不存在', 'b4edcef3a3bacec4bcfeb2bbb4e6d4da'],
	['big5', '中文', 'a4a4a4e5'],
	['big5', '你好，世界！', 'a741a66ea141a540acc9a149'],
	[
		'big5',
		'這是一個測試檔案，包含中文內容。\n// 取得使用者資訊',
		'b36fac4fa440add3b4fab8d5c0c9aed7a141a55da774a4a4a4e5a4baae65a1430a2f2f20a8fab16fa8cfa5ceaaccb8eab054',
	],
	['big5', '錯誤：檔案不存在', 'bff9bb7ea147c0c9aed7a4a3a673a662'],
	['big5', '專案說明', 'b14daed7bba1a9fa'],
	['shift_jis', '日本語', '93fa967b8cea'],
	['shift_jis', '日本', '93fa967b'],
	['shift_jis', 'これはテストです。', '82b182ea82cd83658358836782c582b78142'],
	['shift_jis', '// 設定を読み込む\nint x = 1;', '2f2f2090dd92e882f093c782dd8d9e82de0a696e742078203d20313b'],
	['shift_jis', 'エラー', '83478389815b'],
	['shift_jis', '名前：山田太郎', '96bc914f81468e52936391be9859'],
	['shift_jis', '検索結果', '8c9f8df58c8b89ca'],
	['euc-jp', '日本語', 'c6fccbdcb8ec'],
	['euc-jp', '日本', 'c6fccbdc'],
	['euc-jp', 'これはテストです。', 'a4b3a4eca4cfa5c6a5b9a5c8a4c7a4b9a1a3'],
	['euc-jp', '// 設定を読み込む\nint x = 1;', '2f2f20c0dfc4eaa4f2c6c9a4dfb9fea4e00a696e742078203d20313b'],
	['euc-jp', 'エラー', 'a5a8a5e9a1bc'],
	['euc-jp', '名前：山田太郎', 'ccbec1b0a1a7bbb3c5c4c2c0cfba'],
	['euc-jp', '検索結果', 'b8a1baf7b7ebb2cc'],
	['euc-kr', '한국어', 'c7d1b1b9beee'],
	['euc-kr', '안녕하세요 세계', 'bec8b3e7c7cfbcbcbfe420bcbcb0e8'],
	[
		'euc-kr',
		'// 사용자 정보를 가져온다\nint x = 1;',
		'2f2f20bbe7bfebc0da20c1a4bab8b8a620b0a1c1aebfc2b4d90a696e742078203d20313b',
	],
	['euc-kr', '오류: 파일이 없습니다', 'bfc0b7f93a20c6c4c0cfc0cc20bef8bdc0b4cfb4d9'],
	['euc-kr', '설정 파일', 'bcb3c1a420c6c4c0cf'],
	['windows-1251', 'Привет, мир!', 'cff0e8e2e5f22c20ece8f021'],
	[
		'windows-1251',
		'// Получить данные пользователя\nint x;',
		'2f2f20cfeeebf3f7e8f2fc20e4e0ededfbe520efeeebfce7eee2e0f2e5ebff0a696e7420783b',
	],
	['windows-1251', 'Файл не найден', 'd4e0e9eb20ede520ede0e9e4e5ed'],
	['windows-1251', 'Ошибка', 'cef8e8e1eae0'],
	['koi8-r', 'Привет, мир!', 'f0d2c9d7c5d42c20cdc9d221'],
	[
		'koi8-r',
		'// Получить данные пользователя\nint x;',
		'2f2f20f0cfccd5dec9d4d820c4c1ceced9c520d0cfccd8dacfd7c1d4c5ccd10a696e7420783b',
	],
	['koi8-r', 'Файл не найден', 'e6c1cacc20cec520cec1cac4c5ce'],
	['koi8-r', 'Ошибка', 'efdbc9c2cbc1'],
	['windows-1253', 'Καλημέρα κόσμε', 'cae1ebe7ecddf1e120eafcf3ece5'],
	['windows-1253', 'Σφάλμα αρχείου', 'd3f6dcebece120e1f1f7e5dfeff5'],
	['windows-1252', 'für die Größe', '66fc7220646965204772f6df65'],
	['windows-1252', 'café à la crème', '636166e920e0206c61206372e86d65'],
	['windows-1252', '“quoted” – dash', '9371756f7465649420962064617368'],
	['windows-1252', 'naïve résumé', '6e61ef76652072e973756de9'],
	['windows-1252', 'señor mañana', '7365f16f72206d61f1616e61'],
	['windows-1252', 'Größe: 5 µm ± 2 °C', '4772f6df653a203520b56d20b1203220b043'],
	['windows-1252', '© 2020 Müller', 'a92032303230204dfc6c6c6572'],
	['windows-1252', 'it’s', '69749273'],
	['windows-1252', 'Ærø Ålborg', 'c672f820c56c626f7267'],
	['windows-1252', '£5 and €7', 'a33520616e64208037'],
	['gb18030', '这是 😀 和 ᠠ 的文件', 'd5e2cac7209439fc3620bacd208134d63020b5c4cec4bcfe'],
	['shift_jis', '髙橋さんの設定、①番', 'fbfc8bb482b382f182cc90dd92e88141874094d4'],
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
		for (const [encoding, text, hex] of LEGACY) {
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
			assert.equal(decodeText('a', Buffer.from(hex, 'hex')).isUnsure, true, hex);
		}
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
			assert.deepEqual(decoded, { text, encoding });
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
