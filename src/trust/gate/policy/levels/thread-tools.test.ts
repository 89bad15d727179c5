import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testHost } from '../../../../../test/support/host-ports.ts';
import { tempDir } from '../../../../../test/support/temp-dir.ts';
import { isProwessError } from '../../../../protocol/errors/errors.ts';
import { newId, type ThreadId } from '../../../../protocol/rpc/ids.ts';
import { isLeftBySkills } from '../../../../protocol/op-table/skill-tools.ts';
import { ThreadTools } from './thread-tools.ts';

const never = new AbortController().signal;
const forms = { name: 'skill/forms', tools: ['fs.edit'] };
const tables = { name: 'skill/tables', tools: ['Bash(make *)'] };

describe('The tools that skills leave to a thread', () => {
	let home: string;
	let parents: Map<ThreadId, ThreadId>;
	beforeEach(() => {
		home = tempDir('home');
		parents = new Map();
	});
	const host = (isStrict = false) =>
		new ThreadTools({
			home,
			settings: testHost({ settings: { 'prowess.capabilities.strictTools': isStrict } }).ports.settings,
			log: { warn: () => {} },
			agents: {
				ancestorsOf: (id) => {
					const parent = parents.get(id);
					return parent === undefined ? [] : [parent];
				},
			},
		});
	async function left(tools: ThreadTools, id: ThreadId, ...ops: readonly string[]): Promise<readonly string[]> {
		await tools.ready(id, never);
		return ops.filter((op) => tools.of(id).every((each) => isLeftBySkills(each.ops, op)));
	}
	const some = ['fs.read', 'fs.edit', 'fs.write', 'shell.run', 'net.connect', 'http.get', 'fs.makeFolder'];

	it('are those that only read while the file is damaged, which is not lost', async () => {
		const id = newId('thr');
		const file = join(home, 'thread-tools.json');
		for (const damaged of ['', '{"threads"', '{"threads": [{"id": "thr_x"}]}', '[]']) {
			writeFileSync(file, damaged);
			const tools = host();
			assert.deepEqual(await left(tools, id, ...some), ['fs.read']);
			await assert.rejects(tools.add(id, forms, never), (error) => isProwessError(error));
			tools.said(id, 'Something else', false);
			assert.deepEqual(await left(tools, id, ...some), ['fs.read']);
			assert.equal(readFileSync(file, 'utf8'), damaged);
		}
	});

	it('are all where no skill names any', async () => {
		assert.deepEqual(await left(host(), newId('thr'), ...some), some);
		assert.deepEqual(host().of(null), []);
	});

	it('are those that it names, and those that read, unless the user wants it strict', async () => {
		const id = newId('thr');
		await host().add(id, forms, never);
		assert.deepEqual(await left(host(), id, ...some), ['fs.read', 'fs.edit']);
		assert.deepEqual(await left(host(true), id, ...some), ['fs.edit']);
	});

	it('are none but those that read where a skill names only what nobody knows', async () => {
		const id = newId('thr');
		await host().add(id, { name: 'skill/odd', tools: ['Telepathy', '__proto__', ''] }, never);
		assert.deepEqual(await left(host(), id, ...some), ['fs.read']);
	});

	it('are those of all skills together', async () => {
		const id = newId('thr');
		const tools = host();
		await tools.add(id, forms, never);
		assert.deepEqual(
			[await tools.widens(id, ['fs_edit'], never), await tools.widens(id, tables.tools, never)],
			[false, true],
		);
		await tools.add(id, tables, never);
		assert.deepEqual(await left(tools, id, ...some), ['fs.read', 'fs.edit', 'shell.run', 'net.connect']);
		assert.deepEqual(
			tools.of(id).map(({ skills }) => skills),
			[['skill/forms', 'skill/tables']],
		);
	});

	it('end with the next message of the user, not with one that steers or says to go on', async () => {
		const id = newId('thr');
		const tools = host();
		await tools.add(id, forms, never);
		for (const [text, isSteering] of [
			['Use tabs', true],
			['Continue.', false],
			[' go on ', false],
			['weiter', false],
		] as const) {
			tools.said(id, text, isSteering);
			assert.deepEqual(await left(tools, id, ...some), ['fs.read', 'fs.edit']);
		}
		tools.said(id, 'Continue with the tests', false);
		assert.deepEqual(await left(tools, id, ...some), some);
		assert.deepEqual(await left(host(), id, ...some), some);
	});

	it('are kept by the next host of the home, and gone with the thread', async () => {
		const id = newId('thr');
		await host().add(id, forms, never);
		const next = host();
		next.said(id, 'Continue.', false);
		assert.deepEqual(await left(next, id, ...some), ['fs.read', 'fs.edit']);
		await next.forget(id, never);
		assert.deepEqual(await left(host(), id, ...some), some);
	});

	it('bind the sub-agents of the thread, whose own skills give them nothing back', async () => {
		const [id, child] = [newId('thr'), newId('thr')];
		parents.set(child, id);
		const tools = host();
		await tools.add(id, forms, never);
		await tools.add(child, tables, never);
		assert.deepEqual(await left(tools, child, ...some), ['fs.read']);
		assert.equal(await tools.mayRun(child, never), false);
	});
});
