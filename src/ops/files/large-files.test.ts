import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type WorkspaceOnDisk, workspaceOnDisk } from '../../../test/support/workspace-on-disk.ts';
import { type OpResult, ops } from '../../protocol/op-table/ops.ts';
import { PIECE_BYTES, TEXT_FILE_BYTES } from '../../machine/paths/limits.ts';
import { COUNTED_CHARS, PAGE_CHARS } from '../limits.ts';
import { PageOfPieces } from './page-of-pieces.ts';

describe('files above the limit of texts', () => {
	let disk: WorkspaceOnDisk;

	beforeEach(async () => {
		disk = await workspaceOnDisk();
	});

	afterEach(() => disk.close());

	const put = (bytes: Buffer) => writeFile(join(disk.root, 'big.log'), bytes);
	const read = (offset?: number, limit?: number) =>
		disk.perform('fs.read', {
			path: 'big.log',
			...(offset === undefined ? {} : { offset }),
			...(limit === undefined ? {} : { limit }),
		});
	const where = ({ startLine, endLine, totalLines, truncated }: OpResult<'fs.read'>) => [
		startLine,
		endLine,
		totalLines,
		truncated,
	];
	/** Lines of 64 characters with their number, more than the limit of them. */
	const LINES = 400_000;
	const numbered = (end: string, encoding: BufferEncoding = 'utf8', word = 'line') =>
		Buffer.from(
			Array.from({ length: LINES }, (_, index) => `${word} ${index + 1} `.padEnd(64 - end.length, '.')).join(end) + end,
			encoding,
		);

	it('are read in pages, with the numbers of their lines', async () => {
		await put(numbered('\r\n'));
		const first = await read();
		assert.deepEqual(where(first), [1, 2000, LINES, true]);
		const middle = await read(300_001, 2);
		assert.deepEqual(where(middle), [300_001, 300_002, LINES, true]);
		assert.match(middle.text, /^line 300001 \.+\nline 300002 \.+\n$/);
		assert.match(ops['fs.read'].present(middle), /\[lines 300001-300002 of 400000; read on with offset 300003\]$/);
		const last = await read(LINES, 5);
		assert.deepEqual([last.text.startsWith('line 400000 '), last.text.endsWith('.\n')], [true, true]);
		assert.deepEqual(where(last), [LINES, LINES, LINES, false]);
		await assert.rejects(read(LINES + 1), {
			code: 'INVALID_PARAMS',
			message: `offset ${LINES + 1} is past the end: big.log has ${LINES} lines`,
		});
	});

	it('are read to a last line without its end, and in lines longer than a page', async () => {
		await put(Buffer.concat([Buffer.alloc(TEXT_FILE_BYTES, 'a'), Buffer.from('\nshort\nlast')]));
		const first = await read(1, 3);
		assert.deepEqual(where(first), [1, 1, 3, true]);
		assert.ok(first.text.endsWith(`[… ${TEXT_FILE_BYTES - PAGE_CHARS} more characters in this line]\n`));
		const rest = await read(2);
		assert.deepEqual([rest.text, ...where(rest)], ['short\nlast', 2, 3, 3, false]);
	});

	it('are read in the encoding that their mark or bytes tell, also where a character lies in two pieces', async () => {
		// Characters of two bytes at odd places lie over the border of each piece.
		const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), numbered('\n', 'utf16le', 'größe')]);
		await put(wide);
		const utf16 = await read(200_000, 1);
		assert.deepEqual([utf16.encoding, ...where(utf16)], ['utf-16le', 200_000, 200_000, LINES, true]);
		assert.match(utf16.text, /^größe 200000 \.+\n$/);
		await put(
			Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.alloc(TEXT_FILE_BYTES, 'ü'), Buffer.from('\nend')]),
		);
		const utf8 = await read(1, 1);
		assert.equal(utf8.encoding, 'utf-8-bom');
		assert.match(utf8.text, /^ü+\[…/);
		// The first byte that is no UTF-8 comes after pieces that are.
		await put(Buffer.concat([numbered('\n'), Buffer.from('gr\xfc\xdfe\n', 'latin1')]));
		const latin = await read(LINES + 1);
		assert.deepEqual([latin.text, latin.encoding], ['grüße\n', 'windows-1252']);
	});

	it('are refused where they are binary, or in an encoding that is not read in pieces', async () => {
		await put(Buffer.alloc(TEXT_FILE_BYTES + 1));
		await assert.rejects(read(), { code: 'FILE_IS_BINARY' });
		const late = numbered('\n');
		late[PIECE_BYTES * 3] = 0;
		await put(late);
		await assert.rejects(read(LINES), { code: 'FILE_IS_BINARY' });
		await put(Buffer.concat([Buffer.from('größe\n'), numbered('\n'), Buffer.from([0xff, 0x0a])]));
		await assert.rejects(read(LINES), { code: 'FILE_IS_BINARY' });
		await put(Buffer.concat([Buffer.from([0xff, 0xfe, 0, 0]), Buffer.alloc(TEXT_FILE_BYTES, 'a')]));
		await assert.rejects(read(), {
			code: 'FILE_TOO_LARGE',
			message: /utf-32le: texts of that encoding are read up to/,
		});
	});

	it('are given without the secret that lies over the border of two pieces', async () => {
		const secret = 'hunter2-very-secret-value';
		const bytes = numbered('\n');
		bytes.write(`\n${secret}\n`, PIECE_BYTES - 10);
		await put(bytes);
		const { text } = await read(PIECE_BYTES / 64 - 2, 6);
		// The broker redacts the whole page: what matters is that the value is in one piece there.
		assert.ok(text.includes(`\n${secret}\n`), text);
	});

	it('do not have their lines counted to the end where that takes long', () => {
		const page = new PageOfPieces('big.log', 2, 1);
		const piece = `${'x'.repeat(63)}\n`.repeat(PIECE_BYTES / 64);
		let taken = 1;
		while (page.take(piece)) {
			taken += 1;
		}
		assert.equal(taken, COUNTED_CHARS / PIECE_BYTES);
		const shown = { path: 'big.log', ...page.page(false), unsaved: false };
		assert.deepEqual([shown.text, ...where(shown)], [`${'x'.repeat(63)}\n`, 2, 2, undefined, true]);
		assert.equal(ops['fs.read'].present(shown), `2\t${'x'.repeat(63)}\n[lines 2-2; read on with offset 3]`);
	});

	it('are neither edited nor replaced, and nothing of them is lost', async () => {
		const bytes = numbered('\n');
		await put(bytes);
		await read();
		const refused = { code: 'FILE_TOO_LARGE', message: /can be read in parts but not edited or replaced here/ };
		const edits = [{ find: 'line 1 ', replace: 'x', all: false }];
		await assert.rejects(async () => await disk.perform('fs.edit', { path: 'big.log', edits }), refused);
		await assert.rejects(async () => await disk.perform('fs.write', { path: 'big.log', content: 'x' }), refused);
		assert.ok((await readFile(join(disk.root, 'big.log'))).equals(bytes));
	});
});
