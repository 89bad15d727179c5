import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { WorkspacePaths } from '../workspace-paths.ts';

describe('A folder that looks like a repository', () => {
	let root: string;
	const isProtected = async (path: string) => {
		const paths = new WorkspacePaths({ folders: [{ name: 'app', path: root }] });
		const { isProtected: is, protectedKind } = await paths.locate(paths.resolve(path));
		return is && protectedKind === 'git';
	};

	beforeEach(() => {
		root = tempDir('shape');
	});

	it('is not made without a question, whichever part comes last', async () => {
		const parts = { HEAD: 'docs/HEAD', objects: 'docs/objects/k', refs: 'docs/refs/k' };
		await mkdir(join(root, 'docs/objects'), { recursive: true });
		await mkdir(join(root, 'docs/refs'));
		assert.equal(await isProtected(parts.HEAD), true);
		await writeFile(join(root, 'docs/HEAD'), '');
		for (const part of [parts.objects, parts.refs, 'docs/config', 'docs/hooks/pre-commit', 'docs/head']) {
			assert.equal(await isProtected(part), true, part);
		}
		assert.equal(await isProtected('docs/readme.md'), false);
	});

	it('is none while parts of it are missing', async () => {
		await mkdir(join(root, 'docs/objects'), { recursive: true });
		for (const part of ['docs/HEAD', 'docs/config', 'docs/refs/k', 'src/config/a.ts', 'src/hooks/use.ts']) {
			assert.equal(await isProtected(part), false, part);
		}
	});

	it('may lead to the parts elsewhere', async () => {
		await mkdir(join(root, 'docs'));
		await writeFile(join(root, 'docs/HEAD'), '');
		assert.equal(await isProtected('docs/commondir'), true);
	});
});
