import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { CLOCK_STEP_MS } from '../limits.ts';
import { isUntouched, madeFolder } from './made-folder.ts';

function filled(): string {
	const root = tempDir('command');
	mkdirSync(join(root, 'tmp'));
	mkdirSync(join(root, 'home/.config'), { recursive: true });
	writeFileSync(join(root, 'home/.gitconfig'), '[user]\n');
	symlinkSync('.caches/npm', join(root, 'home/.npm'));
	return root;
}

/** Returns whether the folder still counts as untouched after a program did `act`. */
function afterwards(act: (root: string) => void): boolean {
	const made = madeFolder(filled());
	const since = made.changedMs + CLOCK_STEP_MS + 1;
	// The system's clock must have moved on, as it has when a program starts.
	while (Date.now() <= since) statSync(made.root);
	act(made.root);
	return isUntouched({ made, since });
}

describe('The folder of a command', () => {
	it('is as it was made after one that only read in it', () => {
		assert.equal(
			afterwards((root) => readFileSync(join(root, 'home/.gitconfig'))),
			true,
		);
	});

	it('is as it was made whatever the host kept beside what the command sees', () => {
		assert.equal(
			afterwards((root) => {
				writeFileSync(join(root, 'placeholders.json'), '[]');
				rmSync(join(root, 'placeholders.json'));
			}),
			true,
		);
	});

	const traces: Readonly<Record<string, (root: string) => void>> = {
		'a file in the temporary folder': (root) => writeFileSync(join(root, 'tmp/x'), ''),
		'a file that it made and removed again': (root) => {
			writeFileSync(join(root, 'home/.bashrc'), 'evil');
			rmSync(join(root, 'home/.bashrc'));
		},
		'another text of the same length and time': (root) => {
			const path = join(root, 'home/.gitconfig');
			const { atime, mtime } = statSync(path);
			writeFileSync(path, '[evil]\n');
			utimesSync(path, atime, mtime);
		},
		'another link of the same name': (root) => {
			rmSync(join(root, 'home/.npm'));
			symlinkSync('.caches/npm', join(root, 'home/.npm'));
		},
		'a folder that others may enter': (root) => chmodSync(join(root, 'home/.config'), 0o755),
		'a copy of settings that the host put beside': (root) => writeFileSync(join(root, 'clean%config'), ''),
		'a folder that is gone': (root) => rmSync(root, { recursive: true }),
	};
	for (const [title, act] of Object.entries(traces)) {
		it(`is not as it was made after ${title}`, () => assert.equal(afterwards(act), false));
	}

	it('does not count as it was made when it was made in the same step of the clock', () => {
		const made = madeFolder(filled());
		assert.equal(isUntouched({ made, since: made.changedMs + CLOCK_STEP_MS }), false);
	});
});
