import assert from 'node:assert/strict';
import {
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	rmSync,
	symlinkSync,
	unlinkSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { treeOf } from '../../../test/support/tree-of.ts';
import { type ReplacedEntry, replaceEntry } from './replace-entry.ts';
import { removeLeftTemporaries, temporaryName } from './temporary-names.ts';

const never = new AbortController().signal;

describe('An entry that is replaced', () => {
	let root: string;
	let outside: string;
	beforeEach(() => {
		[root, outside] = [tempDir('root'), tempDir('outside')];
		writeFileSync(join(outside, 'x'), 'outside');
	});
	const place = (path: string) => ({ realRoot: root, realPath: join(root, path), path });
	const replace = (path: string, from: ReplacedEntry, to: ReplacedEntry) => replaceEntry(place(path), from, to, never);
	const entries: Readonly<Record<ReplacedEntry['kind'], ReplacedEntry>> = {
		none: { kind: 'none' },
		file: { kind: 'file', bytes: Buffer.from('file'), permissions: 0o640 },
		link: { kind: 'link', target: '../somewhere/else' },
		folder: { kind: 'folder', permissions: 0o775 },
	};
	const shown = { none: undefined, file: '640 file', link: '-> ../somewhere/else', folder: 'folder 775' };

	it('is left alone unless it is what was seen', async () => {
		const others: readonly [string, () => void][] = [
			['file', () => writeFileSync(join(root, 'x'), 'of somebody else')],
			['link', () => symlinkSync(join(outside, 'x'), join(root, 'x'))],
			['folder', () => mkdirSync(join(root, 'x/theirs'), { recursive: true })],
		];
		for (const [kind, make] of others) {
			make();
			const before = treeOf(root);
			for (const from of Object.values(entries)) {
				for (const to of Object.values(entries)) {
					if (from.kind === to.kind) continue;
					const what = `${kind} in place of ${from.kind}, to become ${to.kind}`;
					await assert.rejects(replace('x', from, to), { code: 'FILE_CHANGED' }, what);
					assert.deepEqual(treeOf(root), before, what);
				}
			}
			rmSync(join(root, 'x'), { recursive: true });
		}
		assert.equal(readFileSync(join(outside, 'x'), 'utf8'), 'outside');
	});

	it('is not reached through a link that has taken the place of its folder', async () => {
		symlinkSync(outside, join(root, 'd'));
		for (const [from, to] of [
			['none', 'link'],
			['none', 'folder'],
			['none', 'file'],
		] as const) {
			await assert.rejects(replace('d/new', entries[from], entries[to]));
		}
		await assert.rejects(
			replace('d/x', { kind: 'file', bytes: Buffer.from('outside'), permissions: 0o644 }, entries.none),
		);
		assert.deepEqual(treeOf(outside), { x: '644 outside' });
	});

	it('becomes each kind from each other, with its permissions, and nothing is left beside it', async () => {
		for (const from of Object.values(entries)) {
			for (const to of Object.values(entries)) {
				if (from.kind === to.kind) continue;
				if (from.kind !== 'none') await replace('deep/x', entries.none, from);
				await replace('deep/x', from, to);
				const { deep: _, ...tree } = treeOf(root);
				const expected = shown[to.kind] === undefined ? {} : { 'deep/x': shown[to.kind] };
				assert.deepEqual(tree, expected, `${from.kind} to ${to.kind}`);
				if (to.kind !== 'none') await replace('deep/x', to, entries.none);
			}
		}
		await replace('x', entries.none, entries.link);
		await replace('x', entries.link, { kind: 'link', target: '/other' });
		assert.equal(readlinkSync(join(root, 'x')), '/other');
		unlinkSync(join(root, 'x'));
	});

	it('is tidied up after a host that was killed, and after no other', async () => {
		const dead = (name: string) => temporaryName(name).replace(`.${process.pid}-`, '.999999999-');
		writeFileSync(join(root, dead('a')), '');
		symlinkSync(outside, join(root, dead('b')));
		mkdirSync(join(root, dead('c')));
		mkdirSync(join(root, dead('used'), 'theirs'), { recursive: true });
		const alive = temporaryName('d');
		writeFileSync(join(root, alive), '');
		writeFileSync(join(root, '.e.tmp'), '');
		await removeLeftTemporaries({ realRoot: root, realPath: root });
		assert.deepEqual(
			readdirSync(root)
				.filter((name) => !name.includes('used'))
				.sort(),
			[alive, '.e.tmp'].sort(),
		);
		assert.ok(lstatSync(join(outside, 'x')).isFile());
	});
});
