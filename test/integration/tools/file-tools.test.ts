/**
 * Tests the text that the tools for files and searches give a model, through the real CLI, its server and a model over
 * HTTP.
 */
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, User } from '../cli/cli-process.ts';

type Call = readonly [name: string, input: unknown];

describe('prowess run: the tools for files', function () {
	this.timeout(commandLimitMs);
	let user: User;
	let server: ModelServer;

	beforeEach(() => {
		user = new User();
	});
	afterEach(async () => {
		await server.close();
	});

	const bytes = (path: string) => readFileSync(join(user.workspace, path));

	/** Makes the calls, one answer each, and gives what the model was told of each. */
	async function told(calls: readonly Call[], ...words: string[]): Promise<string[]> {
		server = await startModelServer([
			...calls.map(([name, input]) => ({ toolCalls: [{ name, input }] })),
			{ text: 'Done.' },
		]);
		const { code, stderr } = await user.prompts(server.baseUrl, 'go', ['--approve', 'edit', ...words]).ended;
		assert.equal(code, 0, stderr);
		return server.requests.slice(1).map(({ body }) => {
			const messages = body['messages'] as { readonly content: string }[];
			return messages.at(-1)?.content ?? '';
		});
	}

	function matches(results: readonly string[], expected: readonly RegExp[]): void {
		assert.equal(results.length, expected.length);
		for (const [index, pattern] of expected.entries()) {
			assert.match(results[index] ?? '', pattern);
		}
	}

	it('do not replace what the model has not read, nor take a mark for text', async () => {
		user.writes('a.ts', 'let a;\nlet b;\n');
		const results = await told([
			['fs_write', { path: 'a.ts', content: 'let c;\n' }],
			['fs_read', { path: 'a.ts' }],
			['fs_write', { path: 'a.ts', content: 'let c;\n// ... existing code ...\n' }],
			['fs_write', { path: 'a.ts', content: 'let c;\n' }],
			['fs_write', { path: 'a.ts', content: 'let d;\n' }],
		]);
		matches(results, [
			/^FILE_NOT_READ: a\.ts exists, and was not read here before it is replaced\. Read it with fs_read first/,
			/^1\tlet a;\n2\tlet b;$/,
			/^TEXT_LEFT_OUT: line 2 of the new text of a\.ts stands for text that it leaves out/,
			/^Replaced a\.ts \(\+1 -2 lines\)\.$/,
			/^Replaced a\.ts \(\+1 -1 lines\)\.$/,
		]);
		assert.equal(bytes('a.ts').toString(), 'let d;\n');
	});

	it('keep the encoding and the line ends of a file, and take an edit that is a little off', async () => {
		const before = Buffer.from('f\xfcr\r\n\tzwei\r\ndrei\n', 'latin1');
		writeFileSync(join(user.workspace, 'a.txt'), before);
		const results = await told([
			['fs_read', { path: 'a.txt' }],
			['fs_edit', { path: 'a.txt', edits: [{ find: '    zwei\n', replace: '    two\n' }] }],
			['fs_edit', { path: 'a.txt', edits: [{ find: '1\tfür', replace: '1\tfür alle' }] }],
			['fs_edit', { path: 'a.txt', edits: [{ find: 'two', replace: '→' }] }],
		]);
		matches(results, [
			/^1\tfür\n2\t\tzwei\n3\tdrei\n\[encoding windows-1252, which edits keep\]$/,
			/^Edited a\.txt .*Edit 1 was taken for line 2, although its indentation differs\.$/,
			/although its line numbers differs\.$/,
			/^INVALID_PARAMS: a\.txt is in the encoding windows-1252, which has no "→"/,
		]);
		assert.deepEqual(bytes('a.txt'), Buffer.from('f\xfcr alle\r\n\ttwo\r\ndrei\n', 'latin1'));
	});

	it('give a file that is replaced whole its line ends again, and read returns alone as line ends', async () => {
		writeFileSync(join(user.workspace, 'a.txt'), Buffer.from('f\xfcr\r\nzwei\ndrei\r\n', 'latin1'));
		writeFileSync(join(user.workspace, 'old.txt'), 'one\rtwo\r');
		const results = await told([
			['fs_read', { path: 'a.txt' }],
			['fs_write', { path: 'a.txt', content: 'für\nzwei\nneu\ndrei\n' }],
			['fs_read', { path: 'old.txt' }],
			['fs_edit', { path: 'old.txt', edits: [{ find: 'one\ntwo', replace: 'one\nnew\ntwo' }] }],
		]);
		matches(results, [
			/^1\tfür\n2\tzwei\n3\tdrei\n/,
			/^Replaced a\.txt \(\+1 -0 lines\)\. Its line ends stay mixed\.$/,
			/^1\tone\n2\ttwo$/,
			/^Edited old\.txt \(\+1 -0 lines\)\.$/,
		]);
		assert.deepEqual(bytes('a.txt'), Buffer.from('f\xfcr\r\nzwei\nneu\r\ndrei\r\n', 'latin1'));
		assert.equal(bytes('old.txt').toString(), 'one\rnew\rtwo\r');
	});

	it('search as they are asked, and say what was searched where nothing was found', async () => {
		user.writes('src/a.ts', 'one\nneedle(\nthree\n');
		user.writes('src/b.tsx', 'middle\n');
		const results = await told([
			['search_text', { query: 'needle|middle', include: '*.ts,*.tsx' }],
			['search_text', { query: 'needle(', context: 1 }],
			['search_text', { query: 'one\nneedle', literal: true }],
			['search_text', { query: 'needle|middle', namesOnly: true, path: 'src' }],
			['search_text', { query: 'nothing', include: '*.ts' }],
			['search_text', { query: 'nothing', include: '*.py' }],
		]);
		matches(results, [
			/^src\/a\.ts:2: needle\(\nsrc\/b\.tsx:1: middle$/,
			/^src\/a\.ts-1- one\nsrc\/a\.ts:2: needle\(\nsrc\/a\.ts-3- three\n\[searched as text, because it is no pattern/,
			/^src\/a\.ts:1: one\nneedle\($/,
			/^src\/a\.ts\nsrc\/b\.tsx$/,
			/^No match of the pattern "nothing", in any case, in \., files \*\.ts\./,
			/^No file in \. matches \*\.py, so nothing was searched\.$/,
		]);
	});

	it('read the text of a PDF page by page, and say what prints that of one they cannot read', async () => {
		const head = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n';
		const small = Buffer.from(`${head}1 0 obj\n(f\xfcr alle)\nendobj\n`, 'latin1');
		writeFileSync(join(user.workspace, 'small.pdf'), small);
		writeFileSync(join(user.workspace, 'large.pdf'), Buffer.concat([small, Buffer.alloc(21 * 1024 * 1024, 0xe4)]));
		user.writes('plain.pdf', '%PDF-1.4\n1 0 obj\n(plain)\n');
		user.writes('notes.pdf', 'notes\n');
		user.writes('locked.pdf', '%PDF-1.4\ntrailer <</Root 1 0 R/Encrypt 2 0 R>>\n');
		copyFileSync(join(import.meta.dirname, '../../fixtures/pdf/printed.pdf'), join(user.workspace, 'printed.pdf'));
		const results = await told([
			['fs_read', { path: 'small.pdf' }],
			['fs_read', { path: 'large.pdf' }],
			['fs_edit', { path: 'small.pdf', edits: [{ find: 'alle', replace: 'x' }] }],
			['fs_read', { path: 'plain.pdf', raw: true }],
			['fs_read', { path: 'notes.pdf' }],
			['fs_read', { path: 'locked.pdf' }],
			['fs_read', { path: 'printed.pdf' }],
			['fs_write', { path: 'printed.pdf', content: 'x' }],
		]);
		const isPdf =
			/^FILE_IS_BINARY: (?:large|small)\.pdf is a PDF \(\d+ bytes\), whose text is not read here\. Where pdftotext is installed, `pdftotext -layout FILE -` prints/;
		matches(results, [
			/^1\t\[small\.pdf is a PDF in which no page was found: /,
			isPdf,
			isPdf,
			/^1\t%PDF-1\.4\n/,
			/^1\tnotes$/,
			/^FILE_IS_BINARY: locked\.pdf is an encrypted PDF \(\d+ bytes\), whose text is not read here\. Where pdftotext/,
			/^1\t\[page 1 of 2\]\n2\tQuarterly report – Überblick\n[^]*\n8\t\[page 2 of 2\]\n9\tSecond page\.\n\[the text of a PDF in the order/,
			/^FILE_IS_BINARY: printed\.pdf/,
		]);
		assert.deepEqual(bytes('small.pdf'), small);
	});

	it('search what reading reads, in any encoding, and count what is no text', async () => {
		writeFileSync(join(user.workspace, 'latin1.txt'), Buffer.from('f\xfcr alle\r\n', 'latin1'));
		writeFileSync(join(user.workspace, 'wide.txt'), Buffer.from('eins\nfür zwei\n', 'utf16le'));
		writeFileSync(join(user.workspace, 'a.bin'), Buffer.from('für\0\0\0'));
		user.writes('plain.txt', 'für drei\n');
		const results = await told([
			['search_text', { query: 'für \\w+' }],
			['search_text', { query: 'vier' }],
		]);
		matches(results, [
			/^latin1\.txt:1: für alle\nplain\.txt:1: für drei\nwide\.txt:2: für zwei$/,
			/Ignored, 1 binary and secret files are not searched.* in their encodings, 1 in windows-1252, 1 in utf-16le\.$/,
		]);
	});

	for (const [tool, calls] of [
		[
			'fs_read',
			[
				[{ file_path: 'a.txt', start_line: '2' }, /^2\ttwo\n\[lines 2-2 of 2\]/],
				[{ path: 'a.txt', offset: 0 }, /^1\tone\n2\ttwo\n\[read: "offset" as not given\]/],
				[{ path: 'a.txt', offset: -1 }, /INVALID_PARAMS.*offset/],
				[{ path: 'a.txt', offset: 9 }, /offset 9 is past the end: a\.txt has 2 lines/],
				[{ path: 'empty.txt' }, /^\[empty\.txt is empty\]$/],
				[{ path: 'b.txt' }, /^NOT_FOUND/],
				[{ path: '' }, /^INVALID_PARAMS/],
				[{ path: '../x' }, /^PATH_OUTSIDE_WORKSPACE/],
			],
		],
		[
			'fs_edit',
			[
				[{ path: 'a.txt', edits: [] }, /^INVALID_PARAMS/],
				[{ path: 'a.txt', edits: [{ find: '', replace: 'x' }] }, /^INVALID_PARAMS/],
				[{ path: 'a.txt', edits: [{ find: 'one', replace: 'one' }] }, /the edits leave a\.txt as it is/],
				[{ path: 'a.txt', edits: [{ find: 'three', replace: 'x' }] }, /^EDIT_NO_MATCH/],
				[{ path: 'a.txt', edits: [{ find: 'o', replace: 'x' }] }, /^EDIT_AMBIGUOUS.*at lines 1, 2/],
				[{ path: 'a.txt', old_str: '2\ttwo', new_str: '2\tzwei' }, /^Edited a\.txt/],
			],
		],
		[
			'search_text',
			[
				[{ pattern: 'tw.' }, /^a\.txt:2: two/],
				[{ query: 'tw.', regex: false }, /^No match of the text/],
				[{ query: '' }, /^INVALID_PARAMS/],
				[{ query: 'one', glob: ['*.txt', '*.md'] }, /^a\.txt:1: one/],
				[{ query: 'one', include: ' , ' }, /^INVALID_PARAMS.*is empty/],
				[{ query: 'one', context: '1', names_only: 'false' }, /^a\.txt:1: one\na\.txt-2- two/],
				[{ query: '[[(' }, /\[searched as text/],
			],
		],
	] as const) {
		it(`answer bent calls of ${tool} with what they mean, or with what is wrong`, async () => {
			user.writes('a.txt', 'one\ntwo\n');
			user.writes('empty.txt', '');
			const results = await told(calls.map(([input]) => [tool, input]));
			matches(
				results,
				calls.map(([, expected]) => expected),
			);
		});
	}
});
