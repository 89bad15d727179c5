import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nothingOpen } from '../../../test/support/host-ports.ts';
import { never, type WorkspaceOnDisk, workspaceOnDisk } from '../../../test/support/workspace-on-disk.ts';
import type { DocumentPort, WorkedOutChange } from '../../contract/ports/ports.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { ops } from '../../protocol/op-table/ops.ts';

const rename = { path: 'a.ts', what: 'rename', line: 1, symbol: 'size', to: 'length' } as const;

describe('a change that a language server works out', () => {
	let disk: WorkspaceOnDisk;

	afterEach(() => disk.close());

	/** Each file with the text that the language server takes it to have, and the new one. */
	async function given(
		files: Readonly<Record<string, string | Buffer>>,
		change: readonly (readonly [path: string, before: string, after: string])[],
		documents?: DocumentPort,
	): Promise<void> {
		const refactor = (): Promise<WorkedOutChange> =>
			Promise.resolve({
				files: change.map(([path, before, after]) => ({ absolutePath: join(disk.root, path), before, after })),
			});
		disk = await workspaceOnDisk(files, { editor: { ...nothingOpen, refactor }, ...(documents && { documents }) });
	}

	const text = (path: string) => readFile(join(disk.root, path), 'utf8');
	const prepare = () => disk.ops['editor.refactor'].prepare(rename, disk.context());

	describe('is refused', () => {
		it('where it reaches beyond the workspace', async () => {
			await given({ 'a.ts': 'size\n' }, [
				['a.ts', 'size\n', 'length\n'],
				['../outside/b.ts', 'size\n', 'length\n'],
			]);
			await writeFile(join(disk.outside, 'b.ts'), 'size\n');
			await assert.rejects(prepare(), { code: 'PATH_OUTSIDE_WORKSPACE' });
		});

		it('where it was worked out for another text than the file has', async () => {
			await given({ 'a.ts': 'size + 1\n' }, [['a.ts', 'size\n', 'length\n']]);
			await assert.rejects(prepare(), {
				code: 'FILE_CHANGED',
				message: /a\.ts is not as the language server knows it/,
			});
		});

		it('where it changes nothing', async () => {
			await given({ 'a.ts': 'size\n' }, []);
			await assert.rejects(prepare(), { code: 'INVALID_STATE', message: /changes nothing in a\.ts/ });
		});

		it('where a file has no such character in its encoding', async () => {
			await given({ 'a.ts': Buffer.from('gr\u00f6\u00dfe\n', 'latin1') }, [['a.ts', 'größe\n', '長さ\n']]);
			await assert.rejects(prepare(), { code: 'INVALID_PARAMS', message: /encoding/ });
		});

		it('where its parameters are not those of its kind', async () => {
			await given({ 'a.ts': 'size\n' }, []);
			for (const params of [
				{ path: 'a.ts', what: 'rename', line: 1 } as const,
				{ path: 'a.ts', what: 'fix' } as const,
			]) {
				await assert.rejects(disk.perform('editor.refactor', params), { code: 'INVALID_PARAMS', message: / needs / });
			}
		});
	});

	it('is judged by each of its files, and shown in whole', async () => {
		await given({ 'a.ts': 'size\n', '.env': 'size=1\n', '.vscode/tasks.json': '"size"\n' }, [
			['a.ts', 'size\n', 'length\n'],
			['.env', 'size=1\n', 'length=1\n'],
			['.vscode/tasks.json', '"size"\n', '"length"\n'],
		]);
		const { targets, detail } = await prepare();
		assert.deepEqual(
			targets.map((each) => each.kind === 'file' && [each.path, each.access, each.isSecret, each.isProtected]),
			[
				['.env', 'write', true, true],
				['.vscode/tasks.json', 'write', false, true],
				['a.ts', 'write', false, false],
			],
		);
		assert.deepEqual(detail.kind === 'diffs' && detail.diffs.map(({ path, added }) => [path, added]), [
			['.env', 1],
			['.vscode/tasks.json', 1],
			['a.ts', 1],
		]);
	});

	it('keeps the line ends of each file, and what each held before', async () => {
		await given({ 'a.ts': 'size;\r\nb;\r\n', 'b.ts': 'import size\n' }, [
			['a.ts', 'size;\nb;\n', 'length;\nb;\n'],
			['b.ts', 'import size\n', 'import length\n'],
		]);
		const result = await disk.perform('editor.refactor', rename);
		assert.deepEqual([await text('a.ts'), await text('b.ts')], ['length;\r\nb;\r\n', 'import length\n']);
		assert.deepEqual(disk.images, [
			{ path: 'b.ts', before: 'import size\n' },
			{ path: 'a.ts', before: 'size;\r\nb;\r\n' },
		]);
		assert.equal(ops['editor.refactor'].present(result), 'Edited b.ts (+1 -1 lines).\nEdited a.ts (+1 -1 lines).');
	});

	it('writes nothing where one of its files has changed since it was asked about', async () => {
		await given({ 'a.ts': 'size\n', 'b.ts': 'size\n' }, [
			['a.ts', 'size\n', 'length\n'],
			['b.ts', 'size\n', 'length\n'],
		]);
		const prepared = await prepare();
		await writeFile(join(disk.root, 'a.ts'), 'size, changed\n');
		await assert.rejects(prepared.run(disk.context()), { code: 'FILE_CHANGED' });
		assert.deepEqual([await text('a.ts'), await text('b.ts')], ['size, changed\n', 'size\n']);
	});

	describe('whose last file cannot be written', () => {
		const open = new Map<string, string>();
		/** An editor that has the file `a.ts` open, and does not save it. */
		const documents: DocumentPort = {
			readOpen: (path) => (path.endsWith('a.ts') ? { text: 'size\n', unsaved: false } : undefined),
			writeOpen: (path) =>
				path.endsWith('a.ts')
					? Promise.reject(new ProwessError('IO_ERROR', 'the editor did not save a.ts'))
					: Promise.resolve(open.get(path)),
		};
		const change = [
			['a.ts', 'size\n', 'length\n'],
			['b.ts', 'size\n', 'length\n'],
			['c.ts', 'size\r\n'.replace('\r', ''), 'length\n'],
		] as const;

		it('gives the others back what they held', async () => {
			await given({ 'a.ts': 'size\n', 'b.ts': 'size\n', 'c.ts': 'size\r\n' }, change, documents);
			await assert.rejects(disk.perform('editor.refactor', rename), { message: 'the editor did not save a.ts' });
			assert.deepEqual([await text('b.ts'), await text('c.ts')], ['size\n', 'size\r\n']);
		});

		it('names the others that somebody has changed again', async () => {
			const meddling: DocumentPort = {
				...documents,
				async writeOpen(path, expected, after, signal) {
					if (path.endsWith('a.ts')) await writeFile(join(disk.root, 'b.ts'), 'mine\n');
					return await documents.writeOpen(path, expected, after, signal);
				},
			};
			await given({ 'a.ts': 'size\n', 'b.ts': 'size\n', 'c.ts': 'size\n' }, change, meddling);
			await assert.rejects(disk.perform('editor.refactor', rename), {
				code: 'IO_ERROR',
				message: 'the editor did not save a.ts; changed nevertheless: b.ts',
			});
			assert.deepEqual([await text('b.ts'), await text('c.ts')], ['mine\n', 'size\n']);
		});

		it('is taken back when it is stopped', async () => {
			const stop = new AbortController();
			const stopping: DocumentPort = {
				readOpen: () => undefined,
				writeOpen: () => {
					stop.abort(new Error('stopped'));
					return Promise.resolve(undefined);
				},
			};
			await given({ 'a.ts': 'size\n', 'b.ts': 'size\n' }, change.slice(0, 2), stopping);
			await assert.rejects(disk.perform('editor.refactor', rename, { signal: stop.signal }), /stopped/);
			assert.deepEqual([await text('a.ts'), await text('b.ts')], ['size\n', 'size\n']);
		});
	});

	it('of one file is written as the user changed it in the diff', async () => {
		await given({ 'a.ts': 'size\n' }, [['a.ts', 'size\n', 'length\n']]);
		const { detail, proposal } = await prepare();
		assert.equal(detail.kind, 'diff');
		assert.ok(proposal);
		await proposal.verify(never);
		const result = await proposal.withText('count\n').prepared.run(disk.context());
		assert.equal(await text('a.ts'), 'count\n');
		assert.match(ops['editor.refactor'].present(result), /The user edited your text before allowing it/);
	});
});
