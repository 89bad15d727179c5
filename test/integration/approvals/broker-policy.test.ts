import assert from 'node:assert/strict';
import type { PersonPort } from '../../../src/contract/ports/ports.ts';
import { bubblewrap } from '../../support/sandbox-scene.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { useServedBases } from './served-base.ts';

const never = new AbortController().signal;
const codeOf = (outcome: { status: string }) => outcome.status;

describe('rules of a workspace', () => {
	const start = useServedBases();

	it('count from the next op on, and are gone with the file', async () => {
		const { perform, host } = await start({ settings: { 'prowess.approvals.allow': ['fs.write **'] } });
		const write = async () => codeOf(await perform('fs.write', { path: 'src/a.txt', content: `${Math.random()}` }));
		const first = await perform('fs.write', { path: 'src/b.txt', content: 'x' });
		assert.equal(first.status, 'done', JSON.stringify(first));
		host.write('.prowess/policy.yaml', 'deny: [fs.write src]');
		assert.equal(await write(), 'denied');
		assert.equal(codeOf(await perform('fs.write', { path: 'c.txt', content: 'x' })), 'done');
		host.write('.prowess/policy.yaml', '# nothing');
		assert.equal(codeOf(await perform('fs.write', { path: 'src/d.txt', content: 'x' })), 'done');
	});

	it('refuse when they came while the question was open', async () => {
		const { perform, host, base } = await start({ approvalMode: 'ask' });
		const outcome = perform('fs.write', { path: 'src/a.txt', content: 'x' });
		const [approval] = await new Promise<typeof base.desk.current.approvals>((resolve) => {
			const look = () => base.desk.current.approvals.length > 0 && resolve(base.desk.current.approvals);
			base.desk.onDidChange(look);
			look();
		});
		host.write('.prowess/policy.yaml', 'deny: [fs.write src]');
		assert.ok(approval !== undefined && base.desk.approve(approval.id, { kind: 'once' }));
		assert.equal((await outcome).status, 'denied');
	});

	it('that cannot be read let nothing pass, and are told', async () => {
		const { perform, base, host } = await start({ files: { '.prowess/policy.yaml': 'deny: [', 'a.txt': 'x' } });
		assert.equal((await perform('fs.read', { path: 'a.txt' })).status, 'denied');
		assert.match((await base.policy.problems(never)).join(), /^\.prowess\/policy\.yaml:1:/);
		assert.ok(host.log.some((line) => line.startsWith('warn policy of the workspace: .prowess/policy.yaml:1:')));
	});

	it('cannot loosen', async () => {
		const { perform, base } = await start({
			approvalMode: 'never',
			files: { '.prowess/policy.yaml': 'allow: [shell.run *]\nautonomy: full\n' },
		});
		assert.equal((await perform('shell.run', { argv: ['touch', 'made.txt'] })).status, 'denied');
		assert.equal((await base.policy.problems(never)).length, 2);
	});
});

describe('a wider rule that was offered', function () {
	this.timeout(30_000);
	const start = useServedBases();

	before(function () {
		if (bubblewrap === undefined) this.skip();
	});

	it('covers the next command of its kind in this project, and does nothing in another folder', async () => {
		const asked: (readonly string[])[] = [];
		const person: PersonPort = {
			approve({ wider = [] }) {
				asked.push(wider);
				const rule = wider.at(-1);
				return Promise.resolve(rule === undefined ? { kind: 'deny' } : { kind: 'project', rule });
			},
			answer: () => Promise.resolve(undefined),
		};
		const home = tempDir('home');
		const settings = { 'prowess.tools.bubblewrapPath': bubblewrap ?? '' };
		const open = async () => {
			const { perform } = await start({ approvalMode: 'ask', home, workspace: tempDir('workspace'), person, settings });
			return async (...argv: string[]) => codeOf(await perform('shell.run', { argv }));
		};
		const run = await open();
		assert.equal(await run('mkdir', 'one'), 'done');
		assert.deepEqual(asked, [['shell.run mkdir **']]);
		assert.equal(await run('mkdir', '-p', 'two/three'), 'done');
		assert.equal(asked.length, 1);
		assert.equal(await run('mkdir', '-p', '../four'), 'denied');
		assert.equal(asked.length, 2);
		assert.equal(await (await open())('mkdir', 'one'), 'done');
		assert.equal(asked.length, 3);
	});
});

describe('settings that cannot be read', () => {
	const start = useServedBases();

	for (const [name, value, refused] of [
		['prowess.approvals.deny', 'fs.write src', /^fs\.write is refused .*prowess\.approvals\.deny: /],
		['prowess.approvals.ask', [{ op: 'fs.write' }], /^fs\.write is refused .*prowess\.approvals\.ask\.0: /],
		['prowess.approvals.level', 'Manual', /^fs\.write is refused .*prowess\.approvals\.level: /],
		['prowess.hooks', { when: 'before', run: ['guard'] }, /^a hook refuses fs\.write: prowess\.hooks: /],
	] as const) {
		it(`let nothing pass by a rule or automatically: ${name}`, async () => {
			const settings = { 'prowess.approvals.allow': ['fs.write **'] };
			const { perform, base } = await start({ settings, written: { [name]: value }, approvalMode: 'auto' });
			const outcome = await perform('fs.write', { path: 'src/a.txt', content: 'x' });
			assert.equal(outcome.status, 'denied');
			assert.match(outcome.status === 'denied' ? outcome.error.message : '', refused);
			assert.ok((await base.policy.problems(never)).join().includes(name));
		});
	}
});
