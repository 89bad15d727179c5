import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { MAX_SKILL_DEPTH } from '../limits.ts';
import { Looks } from './looks.ts';
import { scanRoots } from './scan.ts';
import { ScanMemory } from './scan-memory.ts';

/** Looks with a clock one hour ahead, so that fresh files count as written long ago. */
const later = () => new Looks(() => Date.now() + 3_600_000);

describe('A look at folders that another look knows', () => {
	let root: string;
	let memory: ScanMemory;
	const put = (
		name: string,
		file = 'SKILL.md',
		text = `---\nname: ${name.split('/').at(-1)}\ndescription: d\n---\nx`,
	) => {
		mkdirSync(join(root, name), { recursive: true });
		writeFileSync(join(root, name, file), text);
	};
	const look = async (looks = later()) => {
		const place = { path: root, source: 'global', layout: 'skill-folder', within: undefined } as const;
		const found = await scanRoots([place], [], memory, () => undefined, looks);
		const isSame = memory.isSame(found.memory);
		memory = found.memory;
		return { ...found.state, isSame, names: found.state.capabilities.map(({ type, name }) => `${type}:${name}`) };
	};
	beforeEach(() => {
		root = tempDir('skills');
		memory = new ScanMemory();
	});

	it('finds what came, changed its kind and went, and nothing else', async () => {
		put('one');
		put('group/two');
		assert.deepEqual((await look()).names, ['skill:one', 'skill:two']);
		assert.deepEqual(
			[...memory.listings.keys()].sort(),
			[root, ...['group', 'group/two', 'one'].map((name) => join(root, name))].sort(),
		);
		put('one', 'capability.yaml', 'name: other\ntype: talent\nversion: 1.0.0\ndescription: d\n');
		put('group/three');
		assert.deepEqual((await look()).names, ['skill:three', 'skill:two', 'talent:other']);
		rmSync(join(root, 'group'), { recursive: true });
		assert.deepEqual((await look()).names, ['talent:other']);
	});

	it('reads again what was written just before it was read', async () => {
		put('one');
		await look(new Looks());
		assert.equal(memory.listings.size, 0);
	});

	it('follows a link anew each time', async () => {
		const elsewhere = tempDir('elsewhere');
		put('one');
		symlinkSync(elsewhere, join(root, 'linked'));
		assert.deepEqual((await look()).names, ['skill:one']);
		assert.ok(!memory.listings.has(root));
		rmSync(elsewhere, { recursive: true });
		assert.match((await look()).problems.join(), /linked: it is a link that leads nowhere/);
	});

	it('says which folders lie too deep', async () => {
		put(`${'deep/'.repeat(MAX_SKILL_DEPTH)}one`);
		const { names, problems } = await look();
		assert.deepEqual(names, []);
		assert.match(problems.join(), /1 folders deeper than 6 levels were not looked at, such as .*deep/);
	});
});
