import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { namedFolders, toAbsolutePath, toWorkspacePath } from './workspace-paths.ts';

const one = [{ name: 'app', path: '/srv/app' }];
const two = namedFolders([
	{ name: 'app', path: '/srv/app' },
	{ name: 'app', path: '/other/app' },
]);

describe('workspace paths', () => {
	it('are relative to the only folder', () => {
		assert.equal(toWorkspacePath(one, '/srv/app/src/a.ts'), 'src/a.ts');
		assert.equal(toAbsolutePath(one, 'src/a.ts'), '/srv/app/src/a.ts');
	});

	it("begin with the folder's name when there are several, which is made unique", () => {
		assert.equal(toWorkspacePath(two, '/other/app/a.ts'), 'app-2/a.ts');
		assert.equal(toAbsolutePath(two, 'app-2/a.ts'), '/other/app/a.ts');
		assert.equal(toAbsolutePath(two, 'a.ts'), undefined);
	});

	it('never leave the workspace', () => {
		assert.equal(toAbsolutePath(one, '../secret'), undefined);
		assert.equal(toAbsolutePath(one, 'src/../../secret'), undefined);
		assert.equal(toAbsolutePath(one, '/etc/passwd'), undefined);
		assert.equal(toWorkspacePath(one, '/srv/app-evil/a.ts'), undefined);
	});

	it('may begin with two dots without leaving', () => {
		assert.equal(toWorkspacePath(one, '/srv/app/..rc'), '..rc');
	});
});
