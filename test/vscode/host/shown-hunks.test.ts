import assert from 'node:assert/strict';
import { window, workspace } from 'vscode';
import { ShownHunks } from '../../../src/extension/inline-edit/shown-hunks.ts';

const proposed = (first: number, from: string, to: string) => ({
	first,
	removed: [from],
	added: [to],
	anchor: [from],
});

describe('Parts of an edit', () => {
	it('are not taken for one that is gone, as by the second of two clicks', async () => {
		const shown = new ShownHunks();
		try {
			const document = await workspace.openTextDocument({ content: 'a\nb\nc\n' });
			await window.showTextDocument(document);
			shown.show(document, 'a.txt', [proposed(0, 'a', 'A'), proposed(2, 'c', 'C')]);
			const written: string[] = [];
			const write = ({ text }: { readonly text: string }) => Promise.resolve(void written.push(text));
			await shown.accept({ label: 'a thread that was taken' }, write);
			shown.refuse({ label: 'a thread that was taken' });
			assert.deepEqual(written, []);
			await shown.accept('all', write);
			assert.deepEqual(written, ['A\nb\nC\n']);
		} finally {
			shown.dispose();
		}
	});
});
