import assert from 'node:assert/strict';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { writeFiles } from '../../../test/support/workspace-on-disk.ts';
import { ownTexts } from './own-files.ts';

describe('The texts of a capability', () => {
	it('are those of its files that are wanted, in order; what is no text or too large is left out and named', async () => {
		const folder = tempDir('capability');
		await writeFiles(folder, {
			'SKILL.md': 'Do it.',
			'docs/b.md': 'b',
			'docs/large.md': 'x'.repeat(200_001),
			'docs/picture.md': Buffer.from([0x89, 0, 1]),
			'docs/c.txt': 'nobody wants it',
			'docs/d.md': Buffer.from('\ufeffGr\u00fc\u00dfe', 'utf16le'),
			'node_modules/d/README.md': 'nor that',
		});
		assert.deepEqual(
			ownTexts(folder, (name) => name.endsWith('.md')),
			{
				texts: [
					{ name: 'SKILL.md', text: 'Do it.' },
					{ name: 'docs/b.md', text: 'b' },
					{ name: 'docs/d.md', text: 'Gr\u00fc\u00dfe' },
				],
				leftOut: ['docs/large.md', 'docs/picture.md'],
			},
		);
	});
});
