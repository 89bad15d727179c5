/** Consent, inputs, nesting and the queue, with real processes. */
import assert from 'node:assert/strict';
import { chmodSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_AT_ONCE, MAX_DESCENDANTS } from '../../../src/execution/processes/limits.ts';
import { ProwessError } from '../../../src/protocol/errors/errors.ts';
import type { Approval, ApprovalAnswer } from '../../../src/protocol/approvals/approvals.ts';
import { consentText } from '../../support/consent-text.ts';
import { ExecutionScene, type ExecutionSceneOptions, never, slow, user } from '../../support/execution-scene.ts';
import { waitFor } from '../../support/wait-for.ts';

const head = 'name: test\ntype: skill\nversion: 1.0.0\n';

/** Caller: the skill that the scene runs; each use adds its `executionId`. */
const within = {
	kind: 'execution',
	threadId: null,
	capability: 'skill/test',
	permissions: new Set<never>(),
	level: 'SAFE',
} as const;

describe('The capability manager', function () {
	this.timeout(30_000);
	let scene: ExecutionScene;
	const asked: Approval[] = [];
	const made = (options: Partial<ExecutionSceneOptions> = {}, answer: ApprovalAnswer = { kind: 'once' }) => {
		asked.length = 0;
		const approve = (approval: Approval) => {
			asked.push(approval);
			return Promise.resolve(answer);
		};
		scene = new ExecutionScene({ executor: 'second-result', approvalMode: 'ask', person: { approve }, ...options });
		return scene;
	};
	afterEach(() => scene.close());

	it('runs nothing that the person refuses, and records that', async () => {
		made({}, { kind: 'deny', reason: 'not this one' });
		await assert.rejects(scene.start(), { code: 'DENIED_BY_USER', facts: { reason: 'not this one' } });
		assert.deepEqual(scene.recorded, ['denial capability.run']);
	});

	it('asks no more for a content that was agreed to for always, and again for any other byte', async () => {
		made({ manifest: `${head}permissions: [shell, workspace.read]\nlevel: MONITORED\n` }, { kind: 'always' });
		await scene.run({});
		await scene.run({});
		assert.equal(asked.length, 1);
		const { detail } = asked[0] as Approval;
		const text = consentText(detail);
		assert.match(text, /May: read and search the files of the workspace \(workspace\.read\)\n/);
		assert.doesNotMatch(text, /\(shell\)/);
		assert.match(text, /Not granted.*shell/);
		assert.match(text, /NOT enforced on this machine: it can use the network/);
		scene.writes('more.txt', 'x');
		await scene.run({});
		assert.equal(asked.length, 2);
	});

	it('names the tools of a skill that runs in a worker before it is agreed to', async () => {
		made({ manifest: `${head}runtime: node-worker\nlevel: SAFE\n` }, { kind: 'deny' });
		scene.writes('index.js', 'export async function get() {}\nexport async function put() {}\n');
		await assert.rejects(scene.start({}, { tool: 'get' }), { code: 'DENIED_BY_USER' });
		assert.match(consentText((asked[0] as Approval).detail), /^Tools: get, put$/m);
		assert.equal(scene.ledger.rows[0]?.input.startsWith('Run skill test: get'), true);
	});

	it('is never so free as to run without a person what needs a sandbox that is not there', async () => {
		made({ approvalMode: 'auto', manifest: `${head}level: RESTRICTED\n` });
		await assert.rejects(scene.start(), { code: 'DENIED_BY_RULE' });
	});

	it('refuses a capability that holds a link', async () => {
		made();
		symlinkSync('/etc/passwd', join(scene.folder, 'passwd'));
		await assert.rejects(scene.start(), { code: 'INVALID_CAPABILITY_CONFIG' });
	});

	it('makes a copy anew that somebody has changed', async () => {
		made();
		await scene.run({});
		const snapshots = join(scene.host.home, 'snapshots');
		const [name = ''] = readdirSync(snapshots);
		const file = join(snapshots, name, 'capability/capability.yaml');
		chmodSync(file, 0o600);
		writeFileSync(file, 'changed');
		assert.equal((await scene.run({})).success, true);
		assert.deepEqual(readdirSync(snapshots), [name]);
	});

	for (const [what, params] of [
		['a required one is missing', {}],
		['one has another type', { count: 'many' }],
		['one is not declared', { count: 1, other: 1 }],
	] as const) {
		it(`refuses inputs of which ${what}`, async () => {
			made({ manifest: `${head}inputs: [{ name: count, type: number, required: true }]\n` });
			await assert.rejects(scene.start(params), { code: 'INVALID_REQUEST' });
			assert.deepEqual(asked, []);
		});
	}

	it('never lets a capability run within itself, and gives a nested one no more than its parent has', async () => {
		made({ executor: 'waits-for-ops', perform: slow });
		const executionId = await scene.start({ op: 'x.y' });
		const caller = { ...within, executionId };
		await assert.rejects(scene.manager.start({ capability: { name: 'test' }, caller }, never), {
			code: 'INVALID_REQUEST',
			message: /within itself/,
		});
	});

	it('counts what is being started among the executions of one root', async () => {
		made({ executor: 'waits-for-ops', perform: slow });
		scene.writes('../other/capability.yaml', 'name: other\ntype: skill\nversion: 1.0.0\n');
		scene.writes('../other/index.ts', '');
		const executionId = await scene.start({ op: 'x.y' });
		const caller = { ...within, executionId };
		const start = () =>
			scene.manager.start({ capability: { name: 'other' }, caller, params: { op: 'x.y' } }, never).then(
				() => 'started',
				(error: unknown) => (error instanceof ProwessError ? error.code : String(error)),
			);
		const answers = await Promise.all(Array.from({ length: 40 }, start));
		assert.equal(answers.filter((each) => each === 'started').length, MAX_DESCENDANTS);
		assert.equal(answers.filter((each) => each === 'INVALID_REQUEST').length, 40 - MAX_DESCENDANTS);
		const others = scene.manager.list().filter(({ name }) => name === 'other');
		assert.equal(others.length, MAX_DESCENDANTS);
		// A place is free again as soon as one has ended.
		await scene.manager.stop(others[0]?.executionId ?? '');
		assert.deepEqual([await start(), await start()], ['started', 'INVALID_REQUEST']);
	});

	it('starts a PRIVILEGED capability at most 20 times in an hour, each by itself, and other levels as often as asked', async () => {
		const privileged = 'name: test\ntype: skill\nversion: 1.0.0\nlevel: PRIVILEGED\n';
		made({ executor: 'second-result', manifest: privileged }, { kind: 'always' });
		scene.writes('../test-other/capability.yaml', privileged.replace('name: test', 'name: test-other'));
		scene.writes('../test-other/index.ts', '');
		for (let n = 0; n < 20; n += 1) await scene.run();
		await assert.rejects(scene.start(), {
			code: 'RATE_LIMITED',
			message: /the skill test is PRIVILEGED and was started 20 times in the last 60 minutes/,
		});
		await scene.manager.run({ capability: { name: 'test-other' }, caller: user }, never);
		scene.writes('capability.yaml', privileged.replace('PRIVILEGED', 'RESTRICTED'));
		await scene.manager.run({ capability: { name: 'test' }, caller: user }, never);
	});

	it('looks at each entry of a list that it is given', async () => {
		made({ manifest: `${head}inputs: [{ name: files, type: "string[]" }]\n` });
		await assert.rejects(scene.start({ files: ['a', 1] }), {
			code: 'INVALID_REQUEST',
			message: /files\.1: expected string, got number/,
		});
		await assert.rejects(scene.start({ files: 'a' }), {
			code: 'INVALID_REQUEST',
			message: /files: expected array, got string/,
		});
		await scene.run({ files: ['a', 'b'] });
	});

	it('records with what it was started', async () => {
		made({ executor: 'second-result' });
		await scene.run({ city: 'Bern' });
		assert.match(scene.ledger.rows[0]?.input ?? '', /^Run skill test as cap_\w+ with \{"city":"Bern"\}$/);
	});

	it('starts so many at once, and the others when there is a place', async () => {
		made({ executor: 'waits-for-ops', perform: slow });
		await Promise.all(Array.from({ length: MAX_AT_ONCE + 2 }, () => scene.start({ op: 'x.y' })));
		const live = () => scene.manager.list().filter(({ pid }) => pid !== undefined).length;
		await waitFor('all places to be taken', () => live() === MAX_AT_ONCE);
		// The order of asking does not say which executions got a place.
		const one = (hasPlace: boolean) =>
			scene.manager.list().find(({ pid, status }) => (pid !== undefined) === hasPlace && status !== 'stopped')
				?.executionId ?? '';
		await scene.manager.stop(one(true));
		await waitFor('the next to begin', () => live() === MAX_AT_ONCE + 1);
		// An execution that waits for a place stops at once.
		const waiting = one(false);
		await scene.manager.stop(waiting);
		assert.equal(scene.manager.status(waiting), 'stopped');
	});

	it('stops all that one instance of an agent has started, and no other', async () => {
		made({ executor: 'waits-for-ops', perform: slow });
		const own = await scene.start({ op: 'x.y' }, { parentAgentInstanceId: 'one' });
		const other = await scene.start({ op: 'x.y' }, { parentAgentInstanceId: 'two' });
		await scene.manager.stopAllForParent('one');
		assert.equal(scene.manager.status(own), 'stopped');
		assert.notEqual(scene.manager.status(other), 'stopped');
	});

	it('knows nothing of an execution that never was', async () => {
		made();
		await assert.rejects(scene.manager.stop('cap_0_x'), { code: 'INVALID_REQUEST' });
		await assert.rejects(scene.manager.wait('cap_0_x'), { code: 'INVALID_REQUEST' });
	});
});
