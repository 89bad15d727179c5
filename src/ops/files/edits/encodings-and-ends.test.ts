import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type WorkspaceOnDisk, workspaceOnDisk } from '../../../../test/support/workspace-on-disk.ts';
import { WorkspacePaths } from '../../../machine/paths/workspace-paths.ts';
import { fileOps } from '../files.ts';

type Encode = (text: string) => Buffer;

const wide: Encode = (text) => Buffer.from(text, 'utf16le');
const swapped: Encode = (text) => wide(text).swap16();
const utf32: Encode = (text) =>
	Buffer.concat(
		Array.from(`\uFEFF${text}`, (each) =>
			Buffer.from([(each.codePointAt(0) ?? 0) & 255, (each.codePointAt(0) ?? 0) >> 8, 0, 0]),
		),
	);
/** Letters of windows-1251 that the texts here have. */
const cyrillic: Encode = (text) =>
	Buffer.from(
		Array.from(text, (each) => (each >= 'А' ? (each.codePointAt(0) ?? 0) - 0x410 + 0xc0 : (each.codePointAt(0) ?? 0))),
	);
const kana: Encode = (text) => {
	const pairs: Readonly<Record<string, string>> = { こ: 'b1', ん: 'f1', に: 'c9', ち: 'bf', は: 'cd' };
	return Buffer.concat(
		Array.from(text, (each) =>
			pairs[each] === undefined ? Buffer.from(each) : Buffer.from(`82${pairs[each]}`, 'hex'),
		),
	);
};

interface Row {
	readonly encoding: string;
	readonly encode: Encode;
	readonly usual?: string;
	/** Word beyond ASCII that each line has. */
	readonly word: string;
	/** Word that an edit puts into its place. */
	readonly other: string;
}

const rows: readonly Row[] = [
	{ encoding: 'utf-8', encode: (text) => Buffer.from(text), word: 'für →', other: 'länger 🎉' },
	{ encoding: 'utf-8', encode: (text) => Buffer.from(text), usual: 'windows-1252', word: 'für →', other: 'länger' },
	{ encoding: 'utf-8-bom', encode: (text) => Buffer.from(`\uFEFF${text}`), word: 'für →', other: 'länger 🎉' },
	{ encoding: 'utf-16le', encode: (text) => wide(`\uFEFF${text}`), word: 'für →', other: 'länger 🎉' },
	{ encoding: 'utf-16be', encode: (text) => swapped(`\uFEFF${text}`), word: 'für →', other: 'länger 🎉' },
	{ encoding: 'utf-16le-bare', encode: wide, word: 'für', other: 'länger' },
	{ encoding: 'utf-16be-bare', encode: swapped, word: 'für', other: 'länger' },
	{ encoding: 'utf-32le', encode: utf32, word: 'für →', other: 'länger' },
	{ encoding: 'windows-1252', encode: (text) => Buffer.from(text, 'latin1'), word: 'für', other: 'länger' },
	{
		encoding: 'windows-1252',
		encode: (text) => Buffer.from(text, 'latin1'),
		usual: 'windows-1252',
		word: 'für',
		other: 'länger',
	},
	{
		encoding: 'iso-8859-2',
		encode: (text) => Buffer.from(text, 'latin1'),
		usual: 'iso-8859-2',
		word: 'für',
		other: 'länger',
	},
	{ encoding: 'windows-1251', encode: cyrillic, usual: 'windows-1251', word: 'Привет', other: 'Мир' },
	{ encoding: 'shift_jis', encode: kana, word: 'こんにちはこんにちは', other: 'はちにんこはちにんこ' },
];

/** `{}` stands for the word of the row; lines differ in their number. */
const ends: Readonly<Record<string, string>> = {
	LF: 'one {}\ntwo {}\nthree {}\n',
	CRLF: 'one {}\r\ntwo {}\r\nthree {}\r\n',
	CR: 'one {}\rtwo {}\rthree {}\r',
	'LF and CRLF': 'one {}\r\ntwo {}\nthree {}\r\n',
	'LF, CRLF and a lone CR': 'one {}\r\ntwo {}\nth\rree {}\n',
	'none at the end': 'one {}\r\ntwo {}\r\nthree {}',
	'only none': 'two {}',
	'empty lines': '\r\n\r\ntwo {}\n\n\r\n',
};

for (const { encoding, encode, usual, word, other } of rows) {
	describe(`a file in ${encoding}${usual === undefined ? '' : `, where the editor says ${usual}`}`, () => {
		let disk: WorkspaceOnDisk;
		const ops = () => {
			const folders = [{ name: 'app', path: disk.root }];
			const port = { folders, ...(usual === undefined ? {} : { usualEncoding: () => usual }) };
			return fileOps({ ...disk.deps, paths: new WorkspacePaths(port) });
		};
		const read = async () => {
			const prepared = await ops()['fs.read'].prepare({ path: 'a.txt' }, disk.context());
			return await prepared.run(disk.context());
		};
		const bytes = () => readFile(join(disk.root, 'a.txt'));
		const edit = async (find: string, replace: string) => {
			const edits = [{ find, replace, all: false }];
			const prepared = await ops()['fs.edit'].prepare({ path: 'a.txt', edits }, disk.context());
			return await prepared.run(disk.context());
		};
		const write = async (content: string) => {
			// Both ops come from one instance, because only that instance knows what was read.
			const { 'fs.read': reading, 'fs.write': writing } = ops();
			await (await reading.prepare({ path: 'a.txt' }, disk.context())).run(disk.context());
			const prepared = await writing.prepare({ path: 'a.txt', content }, disk.context());
			return await prepared.run(disk.context());
		};

		afterEach(async () => {
			await disk.close();
		});

		for (const [name, shape] of Object.entries(ends)) {
			it(`with ${name} is read in lines, edited in one and written back as it was but for that`, async () => {
				const text = shape.replaceAll('{}', word);
				const lines = (name === 'CR' ? text.replaceAll('\r', '\n') : text.replaceAll('\r\n', '\n')).replace(/\n$/, '');
				disk = await workspaceOnDisk({ 'a.txt': encode(text) });

				const page = await read();
				assert.deepEqual([page.text.replace(/\n$/, ''), page.encoding ?? 'utf-8'], [lines, encoding]);
				assert.equal(page.totalLines, lines.split('\n').length);
				assert.deepEqual(await bytes(), encode(text));

				const diff = await edit(`two ${word}`, `two ${other}`);
				assert.deepEqual([diff.added, diff.removed], [1, 1]);
				assert.deepEqual(await bytes(), encode(text.replace(`two ${word}`, `two ${other}`)));
				await edit(`two ${other}`, `two ${word}`);
				assert.deepEqual(await bytes(), encode(text));

				const whole = await write((await read()).text.replace(`two ${word}`, `two ${other}`));
				assert.deepEqual([whole.added, whole.removed], [1, 1]);
				assert.deepEqual(await bytes(), encode(text.replace(`two ${word}`, `two ${other}`)));
			});
		}

		it('gets its own line ends in new lines, also where several are found across ends', async () => {
			disk = await workspaceOnDisk({ 'a.txt': encode(`one ${word}\rtwo\rthree`) });
			await edit(`one ${word}\ntwo`, `one ${word}\nnew\ntwo`);
			assert.deepEqual(await bytes(), encode(`one ${word}\rnew\rtwo\rthree`));
			assert.equal((await write('x\ny\n')).keptEnds, 'CR');
			assert.deepEqual(await bytes(), encode('x\ry\r'));
		});

		it('that is new is written so that it is read as the same text', async () => {
			disk = await workspaceOnDisk({});
			for (const text of [`one ${word}\n`, 'ASCII\n', '→ 🎉\n', '']) {
				const path = `new-${text.length}.txt`;
				const { 'fs.read': reading, 'fs.write': writing } = ops();
				await (await writing.prepare({ path, content: text }, disk.context())).run(disk.context());
				const page = await (await reading.prepare({ path }, disk.context())).run(disk.context());
				assert.equal(page.text, text);
				const isUsual = usual !== undefined && text.startsWith('one') && !text.includes('→');
				assert.equal(page.encoding ?? 'utf-8', isUsual ? usual : 'utf-8');
			}
		});
	});
}

describe('a file whose encoding is only a guess', () => {
	it('is edited in ASCII, and gets no character that it does not have', async () => {
		const disk = await workspaceOnDisk({
			'a.txt': Buffer.concat([Buffer.from('one '), Buffer.from('d6d0cec4', 'hex')]),
		});
		const ops = fileOps({ ...disk.deps });
		const edit = async (find: string, replace: string) => {
			const prepared = await ops['fs.edit'].prepare(
				{ path: 'a.txt', edits: [{ find, replace, all: false }] },
				disk.context(),
			);
			await prepared.run(disk.context());
		};
		await edit('one', 'two');
		await assert.rejects(edit('two', 'zw\u00f6lf'), {
			code: 'INVALID_PARAMS',
			message: /only guessed.*files\.encoding/,
		});
		assert.equal(
			(await readFile(join(disk.root, 'a.txt'))).toString('hex'),
			Buffer.from('two ').toString('hex') + 'd6d0cec4',
		);
		await disk.close();
	});

	it('gets a character that all encodings have that it may be in', async () => {
		const disk = await workspaceOnDisk({ 'a.txt': Buffer.from('gro\u00df', 'latin1') });
		const ops = fileOps({ ...disk.deps });
		const prepare = async (replace: string) =>
			ops['fs.edit'].prepare({ path: 'a.txt', edits: [{ find: 'gro', replace, all: false }] }, disk.context());
		await assert.rejects(prepare('gr\u00f1'), { code: 'INVALID_PARAMS', message: /only guessed.*files\.encoding/ });
		await (await prepare('gr\u00f6')).run(disk.context());
		assert.equal((await readFile(join(disk.root, 'a.txt'))).toString('latin1'), 'gr\u00f6\u00df');
		await disk.close();
	});

	it('is refused half of a surrogate pair', async () => {
		const disk = await workspaceOnDisk({ 'a.txt': 'one\n' });
		const ops = fileOps({ ...disk.deps });
		const edits = [{ find: 'one', replace: 'ok \ud83d', all: false }];
		for (const preparing of [
			() => ops['fs.edit'].prepare({ path: 'a.txt', edits }, disk.context()),
			() => ops['fs.write'].prepare({ path: 'b.txt', content: 'a\nb \ude00' }, disk.context()),
		]) {
			await assert.rejects(async () => preparing(), { code: 'INVALID_PARAMS', message: /half of a surrogate pair/ });
		}
		await disk.close();
	});
});
