import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type WorkspaceOnDisk, workspaceOnDisk } from '../../../test/support/workspace-on-disk.ts';
import { ops } from '../../protocol/op-table/ops.ts';
import { NOTEBOOK_OUTPUT_LINES } from '../limits.ts';

const notebook = (cells: readonly unknown[]) => JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells });
const code = (source: unknown, outputs: readonly unknown[] = []) => ({
	cell_type: 'code',
	execution_count: 1,
	metadata: {},
	source,
	outputs,
});

describe('fs.read of a notebook', () => {
	let disk: WorkspaceOnDisk;

	afterEach(() => disk.close());

	const given = async (text: string, name = 'a.ipynb') => {
		disk = await workspaceOnDisk({ [name]: text });
	};
	const read = (more: { raw?: boolean; offset?: number; limit?: number } = {}) =>
		disk.perform('fs.read', { path: 'a.ipynb', ...more });

	it('gives the cells with number, kind, source and text outputs, and says what is left out', async () => {
		await given(
			notebook([
				{ cell_type: 'markdown', metadata: {}, source: ['# Title\n', 'words'] },
				code('print(1)\n', [
					{ output_type: 'stream', name: 'stdout', text: ['1\n'] },
					{ output_type: 'display_data', metadata: {}, data: { 'image/png': 'aaaa', 'text/plain': ['<Figure>'] } },
					{ output_type: 'execute_result', metadata: {}, data: { 'text/html': '<b>' } },
					{ output_type: 'error', ename: 'ValueError', evalue: 'no', traceback: ['\u001b[31mat line 1\u001b[0m'] },
				]),
				{ cell_type: 'raw', metadata: {}, source: 'as it is' },
			]),
		);
		const shown = await read();
		assert.equal(
			shown.text,
			[
				'[cell 1, markdown]\n# Title\nwords\n',
				'[cell 2, code]\nprint(1)',
				'[output of cell 2]\n1',
				'[output of cell 2]\n<Figure>\n[left out: image/png]',
				'[output of cell 2]\n[left out: text/html]',
				'[output of cell 2]\nValueError: no\nat line 1\n',
				'[cell 3, raw]\nas it is\n',
			].join('\n'),
		);
		assert.match(
			ops['fs.read'].present(shown),
			/\[the cells of a notebook; the file holds them as JSON: read it with raw/,
		);
		const part = await read({ offset: 5, limit: 2 });
		assert.deepEqual([part.text, part.truncated], ['[cell 2, code]\nprint(1)\n', true]);
	});

	it('bounds an output by whole lines', async () => {
		const text = Array.from({ length: NOTEBOOK_OUTPUT_LINES + 40 }, (_, index) => `${index + 1}\n`);
		await given(notebook([code('f()', [{ output_type: 'stream', name: 'stdout', text }])]));
		assert.ok((await read()).text.endsWith(`\n${NOTEBOOK_OUTPUT_LINES}\n[40 more lines of this output]\n`));
	});

	for (const [state, text] of [
		['broken JSON', '{"nbformat": 4, "cells": ['],
		['JSON of something else', '[1, null]'],
		['an older format', '{"nbformat": 3, "worksheets": []}'],
		['a cell that is none', notebook([{ cell_type: 'code', source: 7 }])],
		['an output that is none', notebook([code('x', ['text'])])],
		['no cell', notebook([])],
		['nothing', ''],
	] as const) {
		it(`gives the text of one with ${state} as it is`, async () => {
			await given(text);
			const shown = await read();
			assert.deepEqual([shown.text, shown.cells], [text, undefined]);
		});
	}

	it('gives its JSON on request, which is what edits find and writes have to have read', async () => {
		const text = notebook([code('print("a")\n')]);
		await given(text);
		await read();
		const replace = async () => await disk.perform('fs.write', { path: 'a.ipynb', content: notebook([code('b')]) });
		await assert.rejects(replace, { code: 'FILE_NOT_READ' });
		assert.equal((await read({ raw: true })).text, text);
		const edits = [{ find: String.raw`print(\"a\")`, replace: String.raw`print(\"b\")`, all: false }];
		await disk.perform('fs.edit', { path: 'a.ipynb', edits });
		assert.equal(await readFile(join(disk.root, 'a.ipynb'), 'utf8'), notebook([code('print("b")\n')]));
		assert.match((await read()).text, /print\("b"\)/);
		await replace();
	});

	it('gives its JSON to the code of a capability', async () => {
		const text = notebook([code('1')]);
		await given(text);
		const caller = {
			kind: 'execution',
			threadId: null,
			executionId: 'e1',
			capability: 'skill/test',
			permissions: new Set<never>(),
			level: 'CONTROLLED',
		} as const;
		assert.equal((await disk.perform('fs.read', { path: 'a.ipynb' }, { caller })).text, text);
	});
});
