/** Tests folders that a command closes: its owner can open one again, so nothing in it is out of reach, only unknown. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { bubblewrap } from '../../support/sandbox-scene.ts';
import type { ClosedFolders } from './closed-folders-program.ts';
import { canBecomeOrdinary, runAsOrdinaryUser } from './escapes-as-user.ts';

describe('A folder that a command closes for the user as well', function () {
	this.timeout(120_000);
	let came: ClosedFolders;

	before(async function () {
		if (bubblewrap === undefined || !canBecomeOrdinary()) this.skip();
		came = await runAsOrdinaryUser<ClosedFolders>(join(import.meta.dirname, 'closed-folders-program.ts'), []);
	});

	it('is empty for later commands, which cannot open it, and nothing else is', () => {
		assert.doesNotMatch(came.inside, /hunter22/);
		assert.equal(came.inside.match(/^chmod: .*Read-only file system/gm)?.length, 3, came.inside);
		assert.equal(came.beside, '2');
	});

	it('hides files that have another name elsewhere', () => {
		assert.doesNotMatch(came.otherName, /hunter22/);
	});

	it('keeps packages that a store outside shares as they are', () => {
		assert.equal(came.store, 'as it was');
	});

	it('keeps what steers Git as it is, and where it is', () => {
		assert.deepEqual(came.changedGit, []);
	});

	it('makes nothing automatic where it may hide a secret among packages', () => {
		assert.equal(came.isWhole, false);
	});

	it('is named where it is the workspace, in which no command runs then', () => {
		assert.match(came.unfit ?? '', /workspace folder cannot be read/);
	});
});
