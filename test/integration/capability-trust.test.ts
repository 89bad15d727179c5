/** Agreeing to a capability beforehand, and taking it back, with real files and a real desk. */
import assert from 'node:assert/strict';
import type { ApprovalAnswer } from '../../src/protocol/approvals.ts';
import { ExecutionScene, never, user } from '../support/execution-scene.ts';

describe('Trust in a capability', function () {
	this.timeout(30_000);
	let scene: ExecutionScene;
	let asked = 0;
	const made = (answer: ApprovalAnswer = { kind: 'once' }) => {
		asked = 0;
		const approve = () => {
			asked += 1;
			return Promise.resolve(answer);
		};
		scene = new ExecutionScene({ executor: 'second-result', approvalMode: 'ask', person: { approve } });
	};
	const wanted = { capability: { name: 'test' }, caller: user };
	afterEach(() => scene.close());

	it('is not given by a no', async () => {
		made({ kind: 'deny' });
		await assert.rejects(scene.manager.trust(wanted, never), { code: 'DENIED_BY_USER' });
		assert.equal(await scene.manager.distrust(wanted), false);
		assert.deepEqual(scene.recorded, []);
	});

	it('cannot be given to what is not there', async () => {
		made();
		const missing = { ...wanted, capability: { name: 'missing' } };
		await assert.rejects(scene.manager.trust(missing, never), { code: 'CAPABILITY_NOT_FOUND' });
		await assert.rejects(scene.manager.distrust(missing), { code: 'CAPABILITY_NOT_FOUND' });
	});

	it('runs nothing, is recorded, and lets it run without another question', async () => {
		made();
		await scene.manager.trust(wanted, never);
		assert.deepEqual(scene.manager.list(), []);
		assert.deepEqual(scene.recorded, ['note capability.trust']);
		await scene.run();
		assert.equal(asked, 1);
	});

	it('is asked for again after it was taken back, and for any other content', async () => {
		made();
		await scene.manager.trust(wanted, never);
		assert.equal(await scene.manager.distrust(wanted), true);
		assert.equal(await scene.manager.distrust(wanted), false);
		await scene.run();
		assert.equal(asked, 2);
		scene.writes('more.txt', 'x');
		assert.equal(await scene.manager.distrust(wanted), false);
		await scene.run();
		assert.equal(asked, 3);
	});
});
