import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { seeded } from '../../../test/support/seeded.ts';
import { INFLATED_BYTES, MAX_PAGES } from './limits.ts';
import { readPdf } from './read-pdf.ts';

const never = new AbortController().signal;
const FONT = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>';

const stream = (content: Buffer | string, more = '') => {
	const bytes = Buffer.from(content as string, 'latin1');
	return Buffer.concat([
		Buffer.from(`<</Length ${bytes.length}${more}>>\nstream\n`),
		bytes,
		Buffer.from('\nendstream'),
	]);
};
const packed = (content: Buffer | string) =>
	stream(deflateSync(Buffer.from(content as string, 'latin1')), '/Filter/FlateDecode');

/** Objects from number 1 on; the first is the catalog. */
function pdf(objects: readonly (Buffer | string)[], trailer = '<</Root 1 0 R>>'): Buffer {
	const parts = objects.map((each, index) =>
		Buffer.concat([
			Buffer.from(`${index + 1} 0 obj\n`),
			Buffer.from(each as string, 'latin1'),
			Buffer.from('\nendobj\n'),
		]),
	);
	return Buffer.concat([Buffer.from('%PDF-1.7\n'), ...parts, Buffer.from(`trailer ${trailer}\nstartxref\n7\n%%EOF`)]);
}

const onePage = (content: Buffer | string, font = FONT, more: readonly (Buffer | string)[] = []) =>
	pdf([
		'<</Type/Catalog/Pages 2 0 R>>',
		'<</Type/Pages/Kids[3 0 R]/Count 1/Resources<</Font<</F 5 0 R>>/XObject<</X 6 0 R>>>>>>',
		'<</Type/Page/Parent 2 0 R/Contents 4 0 R>>',
		Buffer.isBuffer(content) ? content : stream(content),
		font,
		...more,
	]);

async function pages(bytes: Buffer) {
	const read = await readPdf(bytes, never);
	assert.equal(read.kind, 'text');
	return read.kind === 'text' ? read.pages : [];
}
const text = async (bytes: Buffer) => (await pages(bytes)).map((page) => page.text);

describe('The text of a PDF', () => {
	it('is that of each page as a browser printed it, with its words and lines', async () => {
		const printed = await readFile(join(import.meta.dirname, '../../../test/fixtures/pdf/printed.pdf'));
		assert.deepEqual(await text(printed), [
			'Quarterly report – Überblick\nThe first paragraph has bold words and a €-sign; office, flow.\n\nName Total\nAda 1,234.50',
			'Second page.',
		]);
	});

	for (const [what, content, expected] of [
		[
			'lines and words by where they stand',
			'BT /F 10 Tf 10 700 Td (One) Tj 40 0 Td (two) Tj 0 -12 Td (three) Tj ET',
			'One two\nthree',
		],
		['letters that are kerned', 'BT /F 10 Tf [(W) 80 (ord) -400 (s)] TJ ET', 'Word s'],
		['paragraphs', 'BT /F 10 Tf 12 TL 0 700 Td (a) Tj T* (b) Tj 0 -40 Td (c) Tj ET', 'a\nb\n\nc'],
		[
			'escapes, octal and hexadecimal strings',
			String.raw`BT /F 10 Tf (\(a\)\134 \344\n) Tj <62 63> Tj ET`,
			'(a)\\ ä bc',
		],
		[
			'matrices of the page',
			'q 0.5 0 0 0.5 0 0 cm BT /F 20 Tf 1 0 0 1 10 700 Tm (a) Tj 1 0 0 1 10 600 Tm (b) Tj ET Q',
			'a\n\nb',
		],
		['the operators that begin a line', `BT /F 10 Tf 14 TL 0 700 Td (a) Tj (b) ' 1 2 (c) " ET`, 'a\nb\nc'],
		['text behind a picture in the content', 'BI /W 1 ID \x01EI)( EI BT /F 10 Tf (after) Tj ET', 'after'],
	] as const) {
		it(`has ${what}`, async () => {
			assert.deepEqual(await text(onePage(content)), [expected]);
			assert.deepEqual(await text(onePage(packed(content))), [expected]);
		});
	}

	it('is read by the table of a font, whose ranges count on', async () => {
		const map = [
			'begincodespacerange <0000> <FFFF> endcodespacerange',
			'1 beginbfchar <0001> <00C4> endbfchar',
			'2 beginbfrange <0002> <0004> <0061> <0010> <0011> [<00660069> <D83DDE00>] endbfrange',
		].join('\n');
		const font = '<</Type/Font/Subtype/Type0/Encoding/Identity-H/DescendantFonts[<</DW 500>>]/ToUnicode 6 0 R>>';
		const [page] = await pages(onePage('BT /F 10 Tf <000100020003000400100011 00FF> Tj ET', font, [packed(map)]));
		assert.deepEqual([page?.text, page?.unreadable], ['Äabcfi😀\uFFFD', 1]);
	});

	it('is read by the names of signs, and says of a font of its own signs that it does not know them', async () => {
		const named = '<</Subtype/Type1/Encoding<</Differences[1/A/odieresis/fi/uni20AC/g77]>>>>';
		const [known] = await pages(onePage('BT /F 10 Tf <0102030405> Tj ET', named));
		assert.deepEqual([known?.text, known?.unreadable], ['Aöfi€\uFFFD', 1]);
		const [own] = await pages(onePage('BT /F 10 Tf (abc) Tj ET', '<</Subtype/Type1/BaseFont/ZapfDingbats>>'));
		assert.equal(own?.unreadable, 3);
	});

	it('goes on through forms, which may lie in each other but not in themselves', async () => {
		const form = stream('BT /F 10 Tf (in the form) Tj ET /X Do', '/Type/XObject/Subtype/Form/Matrix[1 0 0 1 0 -50]');
		assert.deepEqual(await text(onePage('BT /F 10 Tf (before) Tj ET /X Do', FONT, [form])), ['before\n\nin the form']);
	});

	it('is found where the table of contents is wrong, and in packed objects', async () => {
		const inner = [
			'<</Type/Catalog/Pages 2 0 R>>',
			'<</Type/Pages/Kids[3 0 R]>>',
			`<</Type/Page/Contents 9 0 R/Resources<</Font<</F ${FONT}>>>>>>`,
		];
		let at = 0;
		const heads = inner.map((each, index) => `${index + 1} ${(at += each.length + 1) - each.length - 1}`).join(' ');
		const objects = deflateSync(`${heads} ${inner.join(' ')}`);
		const holder = stream(objects, `/Type/ObjStm/N 3/First ${heads.length + 1}/Filter/FlateDecode`);
		const bytes = Buffer.concat([
			Buffer.from('%PDF-1.5\n8 0 obj\n'),
			holder,
			Buffer.from('\nendobj\n9 0 obj\n'),
			packed('BT /F 9 Tf (packed) Tj ET'),
			Buffer.from('\nendobj\n10 0 obj\n'),
			stream('', '/Type/XRef/Root 1 0 R'),
		]);
		assert.deepEqual(await text(bytes), ['packed']);
	});

	it('is that of the last version of an object', async () => {
		const later = Buffer.concat([
			Buffer.from('\n4 0 obj\n'),
			stream('BT /F 9 Tf (new) Tj ET'),
			Buffer.from('\nendobj'),
		]);
		assert.deepEqual(await text(Buffer.concat([onePage('BT /F 9 Tf (old) Tj ET'), later])), ['new']);
	});

	it('is read from every way to pack a stream, with differences between rows', async () => {
		const content = 'BT /F 9 Tf (packed) Tj ET';
		const rows = Buffer.from(
			content
				.match(/.{1,5}/gs)
				?.map((row) => `\0${row.padEnd(5)}`)
				.join('') ?? '',
		);
		const lzw = Buffer.from([0x80, 0x0b, 0x60, 0x50, 0x22, 0x0c, 0x0c, 0x85, 0x01]);
		for (const [filter, bytes] of [
			['/Filter/ASCIIHexDecode', Buffer.from(`${Buffer.from(content).toString('hex')}>`)],
			['/Filter[/ASCIIHexDecode/FlateDecode]', Buffer.from(`${deflateSync(content).toString('hex')}>`)],
			[
				'/Filter/RunLengthDecode',
				Buffer.concat([Buffer.from([content.length - 1]), Buffer.from(content), Buffer.from([128])]),
			],
			['/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 5>>', deflateSync(rows)],
			['/Filter/ASCII85Decode', Buffer.from(`${ascii85(Buffer.from(content))}~>`)],
		] as const) {
			assert.deepEqual(await text(onePage(stream(bytes, filter))), ['packed'], filter);
		}
		// The example of the standard.
		const [page] = await pages(onePage(stream(lzw, '/Filter/LZWDecode')));
		assert.deepEqual([page?.text, page?.isBroken], ['', false]);
	});
});

describe('A PDF that means harm', () => {
	/** Far below what a test run may take, far above what the reader takes for good. */
	const soon = async (bytes: Buffer) => {
		const before = process.memoryUsage().rss;
		const began = process.cpuUsage();
		const read = await readPdf(bytes, never);
		assert.ok(process.cpuUsage(began).user < 15_000_000);
		assert.ok(process.memoryUsage().rss - before < 600 * 1_048_576);
		return read;
	};

	it('cannot make a few bytes into more than is read', async () => {
		const bomb = deflateSync(Buffer.alloc(INFLATED_BYTES * 2));
		const read = await soon(onePage(stream(deflateSync(bomb), '/Filter[/FlateDecode/FlateDecode]')));
		assert.ok(read.kind === 'text' && read.pages[0]?.isBroken === true);
		const blanks = packed(Buffer.alloc(15 * 1_048_576, 32));
		const many = Array.from({ length: 40 }, () => blanks);
		const list = many.map((_, index) => `${index + 10} 0 R`).join(' ');
		const all = [
			'<</Type/Catalog/Pages 2 0 R>>',
			'<</Kids[3 0 R]>>',
			`<</Type/Page/Contents[${list}]>>`,
			...'456789',
			...many,
		];
		const cut = await soon(pdf(all));
		assert.ok(cut.kind === 'text' && cut.pages[0]?.isBroken === true);
	});

	for (const [what, bytes] of [
		['pages in a circle', pdf(['<</Type/Catalog/Pages 2 0 R>>', '<</Kids[2 0 R 3 0 R]>>', '<</Kids[2 0 R]>>'])],
		['references in a circle', pdf(['<</Type/Catalog/Pages 2 0 R>>', '3 0 R', '2 0 R'])],
		['a stream whose length is its own', pdf(['<</Length 1 0 R>>\nstream\nabc'])],
		['values without an end', Buffer.from(`%PDF-1.7\n1 0 obj\n${'['.repeat(200_000)}`)],
		['dictionaries without an end', Buffer.from(`%PDF-1.7\n1 0 obj\n${'<</A'.repeat(200_000)}`)],
		['a hundred thousand heads of objects', Buffer.from('%PDF-1.7\n' + '1 0 obj<<'.repeat(100_000))],
		['streams without an end', Buffer.from('%PDF-1.7\n' + '1 0 obj<<>>stream\n'.repeat(200_000))],
		['words that look like heads', Buffer.from('%PDF-1.7\n' + 'obj '.repeat(500_000))],
		['strings without an end', Buffer.from('%PDF-1.7\n' + '1 0 obj('.repeat(400_000))],
		['nothing but its name', Buffer.from('%PDF-')],
	] as const) {
		it(`ends with ${what}`, async () => {
			const read = await soon(bytes);
			assert.ok(read.kind === 'text' && read.pages.every((page) => page.text === ''));
		});
	}

	it('is read in bounds when a range of its table names every sign there is, many times', async () => {
		const ranges = '<00000000> <FFFFFFFF> <0041> '.repeat(2_000);
		const font = '<</Subtype/Type0/Encoding/Identity-H/ToUnicode 6 0 R>>';
		const read = await soon(onePage('BT /F 9 Tf <0000> Tj ET', font, [packed(`${ranges} endbfrange`)]));
		assert.ok(read.kind === 'text' && read.count === 1);
	});

	it('is read in bounds when a form draws many forms, each of which draws as many', async () => {
		const names = Array.from({ length: 10 }, (_, index) => `/X${index} ${index + 10} 0 R`).join('');
		const draws = Array.from({ length: 10 }, (_, index) => `/X${index} Do `)
			.join('')
			.repeat(10);
		const forms = Array.from({ length: 10 }, () => stream(draws, `/Subtype/Form/Resources<</XObject<<${names}>>>>`));
		const all = [
			'<</Type/Catalog/Pages 2 0 R>>',
			'<</Kids[3 0 R]>>',
			`<</Type/Page/Contents 4 0 R/Resources<</XObject<<${names}>>>>>>`,
			stream(draws),
			...'56789',
			...forms,
		];
		const read = await soon(pdf(all));
		assert.ok(read.kind === 'text' && read.pages.length === 0 && read.count === 1);
	});

	it('has no more pages than are counted', async () => {
		const kids = Array.from({ length: MAX_PAGES + 10 }, (_, index) => `${index + 3} 0 R`).join(' ');
		const leaves = Array.from({ length: MAX_PAGES + 10 }, () => '<</Type/Page>>');
		const read = await soon(pdf(['<</Type/Catalog/Pages 2 0 R>>', `<</Kids[${kids}]>>`, ...leaves]));
		assert.ok(read.kind === 'text' && read.count === MAX_PAGES);
	});

	it('is said to be encrypted', async () => {
		assert.deepEqual(await readPdf(pdf(['<<>>'], '<</Root 1 0 R/Encrypt 1 0 R>>'), never), { kind: 'encrypted' });
	});

	it('ends with the wish of who reads it', async () => {
		const stop = new AbortController();
		stop.abort(new Error('enough'));
		await assert.rejects(readPdf(onePage(''), stop.signal), /enough/);
	});

	it('ends however its bytes are changed: 300 times', async () => {
		const random = seeded(20_261_126);
		const whole = await readFile(join(import.meta.dirname, '../../../test/fixtures/pdf/printed.pdf'));
		for (let n = 0; n < 300; n += 1) {
			const bytes = Buffer.from(whole.subarray(0, n % 3 === 0 ? Math.floor(random() * whole.length) : whole.length));
			for (let index = 0; index < 40; index += 1) {
				bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
			}
			const read = await readPdf(bytes, never);
			assert.ok(read.kind === 'encrypted' || read.count >= read.pages.length);
		}
	}).timeout(30_000);
});

function ascii85(bytes: Buffer): string {
	const groups: string[] = [];
	for (let at = 0; at < bytes.length; at += 4) {
		const group = bytes.subarray(at, at + 4);
		const padded = Buffer.concat([group, Buffer.alloc(4 - group.length)]);
		let value = padded.readUInt32BE();
		let signs = '';
		for (let index = 0; index < 5; index += 1) {
			signs = String.fromCharCode(33 + (value % 85)) + signs;
			value = Math.floor(value / 85);
		}
		groups.push(signs.slice(0, group.length + 1));
	}
	return groups.join('');
}
