import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { never, searchWorkerUrl, writeFiles } from '../../../test/support/workspace-on-disk.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { commandEnvironment } from '../environment.ts';
import { JavaScriptSearch } from './javascript-search.ts';
import { probeRipgrep } from './ripgrep/probe-ripgrep.ts';
import { RipgrepSearch } from './ripgrep/ripgrep-search.ts';
import { UnstalledSearch } from './ripgrep/unstalled-search.ts';
import type { SearchEngine, SearchScope, TextQuery } from './search-engine.ts';
import { WorkspaceSearch } from './workspace-search.ts';

const environment = commandEnvironment(process.env, process.platform);
const ripgrep = await probeRipgrep([], environment);
const own = new JavaScriptSearch(searchWorkerUrl);
const engines: readonly SearchEngine[] = [
	own,
	...(ripgrep === undefined ? [] : [new UnstalledSearch(new RipgrepSearch(ripgrep, environment, own), own)]),
];

const plain = {
	literal: false,
	caseSensitive: false,
	include: undefined,
	context: 0,
	namesOnly: false,
	usualEncoding: undefined,
};

for (const engine of engines) {
	describe(`search by ${engine.name}`, function () {
		this.timeout(20_000);
		let root: string;

		const scope = (path = ''): SearchScope => ({ root, segments: path === '' ? [] : path.split('/'), kind: 'folder' });
		const text = async (query: Partial<TextQuery>, where = scope()) => {
			const all = { ...plain, query: 'needle', limit: 100, ...query };
			const { matches, truncated } = await engine.text(where, all, never);
			const shown = matches.map((m) =>
				m.isContext ? `${m.path}-${m.line}-${m.text}` : `${m.path}:${m.line}:${m.text}`,
			);
			return { matches: shown, truncated };
		};
		const files = (pattern: string, where = scope(), limit = 100) => engine.files(where, pattern, limit, never);

		beforeEach(() => {
			root = tempDir('search');
		});

		it('refuses a pattern that is no regular expression', async () => {
			await writeFiles(root, { a: 'x' });
			await assert.rejects(text({ query: '(' }), { code: 'INVALID_PARAMS' });
			await assert.rejects(files('*a*a*a*a*a*a*a*a*a*'), { code: 'INVALID_PARAMS' });
		});

		it('ends when the signal aborts', async () => {
			await writeFiles(root, { a: `${'a'.repeat(40)}!` });
			const controller = new AbortController();
			const query = { ...plain, query: '(a+)+$', caseSensitive: true, limit: 10 };
			const running = engine.text(scope(), query, controller.signal);
			controller.abort(new Error('stopped'));
			await assert.rejects(running, { message: 'stopped' });
		});

		it('ends where an ignore file is a pipe, leads to a device or is larger than any, however deep, and heeds the others', async function () {
			if (process.platform === 'win32') this.skip();
			const many = Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`d${at}/e/x`, 'x']));
			await writeFiles(root, { ...many, '.gitignore': 'left\n', left: 'needle', a: 'needle' });
			execFileSync('mkfifo', [join(root, 'd9/e/.gitignore')]);
			assert.deepEqual(await text({}), { matches: ['a:1:needle'], truncated: false });
			symlinkSync('/dev/zero', join(root, 'd1/.gitignore'));
			writeFileSync(join(root, 'd2/.gitignore'), '');
			truncateSync(join(root, 'd2/.gitignore'), 5_000_000_000);
			assert.deepEqual(await text({}), { matches: ['a:1:needle'], truncated: false });
			assert.deepEqual(await files('a'), { paths: ['a'], truncated: false });
		});

		it('skips binary files, secrets, links, .git and what is ignored', async () => {
			await writeFiles(root, {
				'.env': 'needle',
				'.git/config': 'needle',
				'.gitignore': 'dist/\n*.log\n!keep.log\n/only-root\n',
				'.hidden/a': 'needle',
				'a.bin': Buffer.from('needle\0'),
				'late.bin': Buffer.concat([Buffer.from('needle\n'.repeat(20_000)), Buffer.from([0])]),
				'dist/a': 'needle',
				'keep.log': 'needle',
				'only-root': 'needle',
				'sub/.gitignore': '!special.log\n',
				'sub/only-root': 'needle',
				'sub/other.log': 'needle',
				'sub/special.log': 'needle',
			});
			symlinkSync('/etc', join(root, 'link'));
			assert.deepEqual((await text({})).matches, [
				'.hidden/a:1:needle',
				'keep.log:1:needle',
				'sub/only-root:1:needle',
				'sub/special.log:1:needle',
			]);
		});

		it('sorts by path as a walk does, then by line', async () => {
			await writeFiles(root, {
				'a.txt': 'needle',
				'a/z': 'x\nneedle\nneedle',
				'B/1': 'needle',
				ä: 'needle',
				'🎉': 'needle',
				'\uFFEE': 'needle',
			});
			assert.deepEqual((await text({})).matches, [
				'B/1:1:needle',
				'a/z:2:needle',
				'a/z:3:needle',
				'a.txt:1:needle',
				'ä:1:needle',
				'\uFFEE:1:needle',
				'🎉:1:needle',
			]);
		});

		it('takes a query as a pattern unless told otherwise, and case only when told', async () => {
			await writeFiles(root, { a: 'f(x) = [1]\nF(X) = [1]\nfx\n' });
			assert.deepEqual((await text({ query: 'f(x) = [1]', literal: true })).matches.length, 2);
			assert.deepEqual((await text({ query: 'f(x) = [1]', literal: true, caseSensitive: true })).matches.length, 1);
			assert.deepEqual((await text({ query: '^f.?x', caseSensitive: true })).matches.length, 2);
			assert.deepEqual((await text({ query: '-x' })).matches, []);
		});

		it('gives lines without their ends, of CRLF, BOM and UTF-16 files too', async () => {
			await writeFiles(root, {
				bom: '\uFEFFneedle\r\nx',
				crlf: 'x\r\nneedle\r\n',
				utf16: Buffer.from('\uFEFFneedle\n', 'utf16le'),
			});
			assert.deepEqual((await text({ query: 'needle$' })).matches, ['bom:1:needle', 'crlf:2:needle', 'utf16:1:needle']);
		});

		describe('in files that are not UTF-8', () => {
			const latin1 = (content: string) => Buffer.from(content, 'latin1');
			const wide = (content: string) => Buffer.from(content, 'utf16le');
			const readIn = async (query: Partial<TextQuery>) => {
				const { read } = await engine.text(scope(), { ...plain, query: 'absent', limit: 100, ...query }, never);
				return read;
			};

			it('passes over those that are no text, and counts them', async () => {
				await writeFiles(root, {
					'a.png': Buffer.from('89504e470d0a1a0a0000000d49484452000000', 'hex'),
					'late.bin': Buffer.concat([Buffer.from('absent\n'.repeat(20_000)), Buffer.from([0])]),
					'half.txt': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('00d8', 'hex'), wide('absent')]),
					'a.txt': 'here',
				});
				assert.equal((await readIn({ query: 'nowhere' })).binary, 2);
				assert.deepEqual((await text({ query: 'PNG|IHDR' })).matches, []);
			});

			it('finds a text as reading it gives it, and says in which encodings it looked', async () => {
				await writeFiles(root, {
					'1252.txt': latin1('eins\r\nf\xfcr 5 \x80\r\n'),
					'big.txt': Buffer.concat([Buffer.from([0xfe, 0xff]), wide('für alle\n').swap16()]),
					'bare.txt': wide('one\nfür two\n'),
					'bare-be.txt': wide('one\nfür three\n').swap16(),
					'marked.txt': Buffer.concat([Buffer.from([0xff, 0xfe]), wide('für\n')]),
					'sjis.txt': Buffer.from('82bb82b582c4814193fa967b8cea82cc8365834c8358836781420a', 'hex'),
					'utf32.txt': Buffer.from('fffe000066000000fc000000720000000a000000', 'hex'),
					'utf8.txt': 'für\n',
				});
				assert.deepEqual((await text({ query: 'f.r' })).matches, [
					'1252.txt:2:für 5 €',
					'bare-be.txt:2:für three',
					'bare.txt:2:für two',
					'big.txt:1:für alle',
					'marked.txt:1:für',
					'utf32.txt:1:für',
					'utf8.txt:1:für',
				]);
				assert.deepEqual(await text({ query: 'für', literal: true, limit: 3 }), {
					matches: ['1252.txt:2:für 5 €', 'bare-be.txt:2:für three', 'bare.txt:2:für two'],
					truncated: true,
				});
				assert.deepEqual(
					(await text({ query: '日本語' })).matches.map((each) => each.split(':')[0]),
					['sjis.txt'],
				);
				assert.deepEqual((await text({ query: 'eins', context: 1 })).matches, [
					'1252.txt:1:eins',
					'1252.txt-2-für 5 €',
				]);
				assert.deepEqual((await text({ query: 'für', namesOnly: true, include: '*are*' })).matches, [
					'bare-be.txt:2:für three',
					'bare.txt:2:für two',
				]);
				assert.deepEqual(await readIn({}), {
					encodings: { shift_jis: 1, 'utf-16be-bare': 1, 'utf-16le-bare': 1, 'utf-32le': 1, 'windows-1252': 1 },
					binary: 0,
					asUtf8: 0,
				});
				assert.deepEqual((await readIn({ include: '1252*' })).encodings, { 'windows-1252': 1 });
			});

			it('takes the encoding of the editor, and guesses it where there is none', async () => {
				await writeFiles(root, { 'a.txt': Buffer.from('cff0e8e2e5f22c20ecf0e821', 'hex') });
				assert.deepEqual((await text({ query: 'Привет' })).matches, ['a.txt:1:Привет, мри!']);
				const usualEncoding = 'windows-1251';
				assert.deepEqual((await text({ query: 'Привет', usualEncoding })).matches, ['a.txt:1:Привет, мри!']);
				assert.deepEqual((await readIn({ usualEncoding })).encodings, { 'windows-1251': 1 });
			});

			it('still finds what is ASCII in a text that is damaged', async () => {
				await writeFiles(root, {
					'a.txt': Buffer.concat([Buffer.from('größer needle schöner'), Buffer.from([0xc3])]),
				});
				assert.deepEqual((await text({})).matches, ['a.txt:1:größer needle schöner\uFFFD']);
			});

			it('names no secret, ignored or linked file, and none beyond the size that is searched', async () => {
				await writeFiles(root, {
					'.env': latin1('f\xfcr'),
					'.gitignore': 'dist/\n',
					'dist/a': latin1('f\xfcr'),
					'huge.txt': Buffer.concat([Buffer.alloc(10 * 1024 * 1024, 'a'), latin1('f\xfcr')]),
				});
				symlinkSync('/etc', join(root, 'link'));
				assert.deepEqual((await text({ query: 'für' })).matches, []);
				assert.deepEqual((await readIn({})).encodings, {});
			});

			it('gives as many as are wanted, in their order, whichever file they are in', async () => {
				await writeFiles(root, {
					'a/1': latin1('f\xfcr needle\n'.repeat(3)),
					'a.txt': 'needle\n'.repeat(3),
					'b.txt': latin1('f\xfcr needle\n'.repeat(3)),
				});
				const names = async (limit: number) => {
					const { matches, truncated } = await text({ limit });
					return [matches.map((each) => each.split(':').slice(0, 2).join(':')).join(' '), truncated];
				};
				assert.deepEqual(await names(4), ['a/1:1 a/1:2 a/1:3 a.txt:1', true]);
				assert.deepEqual(await names(7), ['a/1:1 a/1:2 a/1:3 a.txt:1 a.txt:2 a.txt:3 b.txt:1', true]);
				assert.deepEqual(await names(9), ['a/1:1 a/1:2 a/1:3 a.txt:1 a.txt:2 a.txt:3 b.txt:1 b.txt:2 b.txt:3', false]);
			});
		});

		it('finds what spans lines, with either line end', async () => {
			await writeFiles(root, {
				a: 'one\ntwo\nthree\nfour\n',
				b: 'one\r\ntwo\r\nthree\r\n',
				c: 'one\n\ntwo\n',
				d: 'f(\n\ta,\n);\nf(b);\n',
			});
			assert.deepEqual((await text({ query: 'one\ntwo', literal: true })).matches, ['a:1:one\ntwo', 'b:1:one\ntwo']);
			assert.deepEqual((await text({ query: String.raw`^two\n(three)$` })).matches, [
				'a:2:two\nthree',
				'b:2:two\nthree',
			]);
			assert.deepEqual((await text({ query: 'f\\([\\s\\S]*?\\);' })).matches, ['d:1:f(\n\ta,\n);', 'd:4:f(b);']);
			assert.deepEqual((await text({ query: '(?s)one.*three' })).matches, [
				'a:1:one\ntwo\nthree',
				'b:1:one\ntwo\nthree',
			]);
			assert.deepEqual((await text({ query: 'one[^\\n]*two' })).matches, []);
			assert.deepEqual((await text({ query: '(?i)FOUR', caseSensitive: true })).matches, ['a:4:four']);
		});

		it('gives the lines around a match, each once, and those of no match beyond the limit', async () => {
			await writeFiles(root, { a: '1\n2\nneedle\n4\nneedle\n6\n7\n8\n9\nneedle\n11\n12', b: 'needle' });
			assert.deepEqual((await text({ context: 1 })).matches, [
				'a-2-2',
				'a:3:needle',
				'a-4-4',
				'a:5:needle',
				'a-6-6',
				'a-9-9',
				'a:10:needle',
				'a-11-11',
				'b:1:needle',
			]);
			const { matches, truncated } = await text({ context: 2, limit: 2 });
			assert.deepEqual(matches, ['a-1-1', 'a-2-2', 'a:3:needle', 'a-4-4', 'a:5:needle', 'a-6-6', 'a-7-7']);
			assert.equal(truncated, true);
		});

		it('names each file once when only names are wanted', async () => {
			await writeFiles(root, { a: 'needle\nneedle', b: 'x', c: 'x\nneedle', d: 'needle\n' });
			assert.deepEqual(await text({ namesOnly: true }), {
				matches: ['a:1:needle', 'c:2:needle', 'd:1:needle'],
				truncated: false,
			});
			assert.deepEqual(await text({ namesOnly: true, limit: 2 }), {
				matches: ['a:1:needle', 'c:2:needle'],
				truncated: true,
			});
		});

		it('takes several globs, and leaves out what is named with an exclamation mark', async () => {
			await writeFiles(root, { 'a.ts': 'needle', 'b.tsx': 'needle', 'c.js': 'needle', 'x/a.test.ts': 'needle' });
			const paths = async (include: string) => (await text({ include })).matches.map((each) => each.split(':')[0]);
			assert.deepEqual(await paths('*.ts,*.tsx'), ['a.ts', 'b.tsx', 'x/a.test.ts']);
			assert.deepEqual(await paths('*.{ts,js}, !*.test.ts'), ['a.ts', 'c.js']);
			assert.deepEqual(await paths('!*.ts'), ['b.tsx', 'c.js']);
			assert.deepEqual((await files('*.tsx,x/**')).paths, ['b.tsx', 'x/a.test.ts']);
			await assert.rejects(paths(' , '), { code: 'INVALID_PARAMS' });
		});

		it('cuts a long line around its match and the matches at the limit', async () => {
			await writeFiles(root, { a: `${'ü'.repeat(5000)}needle${'y'.repeat(5000)}`, b: 'needle\n'.repeat(50) });
			const { matches, truncated } = await text({ limit: 10 });
			assert.equal(truncated, true);
			assert.equal(matches.length, 10);
			assert.ok((matches[0] ?? '').length < 520 && matches[0]?.includes('needle'));
			assert.equal((await text({ limit: 51 })).truncated, false);
		});

		it('searches one file, or below one folder, under the ignore files above it', async () => {
			await writeFiles(root, {
				'.gitignore': 'gen/\n*.log\n',
				'src/a': 'needle',
				'src/gen/b': 'needle',
				'src/c.log': 'needle',
				'node/.env': 'needle',
				other: 'needle',
			});
			assert.deepEqual((await text({}, scope('src'))).matches, ['src/a:1:needle']);
			assert.deepEqual((await text({}, scope('src/gen'))).matches, ['src/gen/b:1:needle']);
			assert.deepEqual((await text({}, { ...scope('node/.env'), kind: 'file' })).matches, ['node/.env:1:needle']);
			assert.deepEqual((await files('*', scope('src'))).paths, ['src/a']);
		});

		it('finds files by name or by path below the scope', async () => {
			const names = [
				'a.ts',
				'src/a.ts',
				'src/b.test.ts',
				'src/deep/-x.ts',
				'src/.dot.ts',
				'new\nline.ts',
				'a b.ts',
				'🎉.ts',
			];
			await writeFiles(root, Object.fromEntries(names.map((name) => [name, ''])));
			assert.deepEqual((await files('*.ts')).paths, [
				'a b.ts',
				'a.ts',
				'new\nline.ts',
				'src/.dot.ts',
				'src/a.ts',
				'src/b.test.ts',
				'src/deep/-x.ts',
				'🎉.ts',
			]);
			assert.deepEqual((await files('src/*.ts')).paths, ['src/.dot.ts', 'src/a.ts', 'src/b.test.ts']);
			assert.deepEqual((await files('./**/deep/**')).paths, ['src/deep/-x.ts']);
			assert.deepEqual((await files('{a,b}*.ts', scope('src'))).paths, ['src/a.ts', 'src/b.test.ts']);
			assert.deepEqual(await files('*.ts', scope(), 2), { paths: ['a b.ts', 'a.ts'], truncated: true });
		});

		it('keeps to its limit in a 5 MB file', async () => {
			await writeFiles(root, { big: 'needle\n'.repeat(700_000) });
			const { matches, truncated } = await text({ limit: 2000 });
			assert.deepEqual([matches.length, truncated], [2000, true]);
		});
	});
}

if (ripgrep !== undefined) {
	describe('search by ripgrep, for a pattern that only ripgrep knows', () => {
		it('reads files that are not UTF-8 as if they were, and counts them', async function () {
			this.timeout(20_000);
			const root = tempDir('search');
			await writeFiles(root, { 'a.txt': Buffer.from('f\xfcr', 'latin1'), 'b.txt': 'für' });
			const engine = new RipgrepSearch(ripgrep, environment, new JavaScriptSearch(searchWorkerUrl));
			const query = { ...plain, query: '(?x) f . r', limit: 10 };
			const { matches, read } = await engine.text({ root, segments: [], kind: 'folder' }, query, never);
			assert.deepEqual([matches.map(({ path }) => path), read.asUtf8], [['b.txt'], 1]);
		});
	});
}

describe('the choice of a search engine', () => {
	it('passes over a ripgrep that is broken, missing, or something else', async function () {
		this.timeout(20_000);
		const folder = tempDir('rg');
		const broken = join(folder, 'broken');
		writeFileSync(broken, '#!/bin/sh\nexit 3\n');
		chmodSync(broken, 0o755);
		const other = join(folder, 'other');
		writeFileSync(other, '#!/bin/sh\necho something else\n');
		chmodSync(other, 0o755);
		const places = { ripgrepCandidates: ['', broken, join(folder, 'missing'), other], workerUrl: searchWorkerUrl };
		const without = new WorkspaceSearch({ ...places, environment: { PATH: folder } });
		assert.equal((await without.engine(never)).name, 'javascript');
		if (ripgrep !== undefined) {
			assert.equal((await new WorkspaceSearch({ ...places, environment }).engine(never)).name, 'ripgrep');
		}
	});
});
