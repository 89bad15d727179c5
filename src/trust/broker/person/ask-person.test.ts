import assert from 'node:assert/strict';
import { codeOf, never, question, scene, target } from '../../../../test/support/broker-scene.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { testHost } from '../../../../test/support/host-ports.ts';
import { deriveSignal } from '../../../base/time/derived-signal.ts';
import type { Approval } from '../../../protocol/approvals/approvals.ts';
import { newId } from '../../../protocol/rpc/ids.ts';
import { inEnglish } from '../../../protocol/text/text.ts';
import { ProjectRules } from '../../gate/policy/rules/project-rules.ts';
import type { Prepared } from '../../../contract/ops/op-implementation.ts';
import type { OpTarget } from '../../../contract/ops/target.ts';

describe('an op that needs an approval', () => {
	it('gives each way of saying no its own text', async () => {
		const plain = scene({ risk: 'CONTROLLED', person: { approve: () => Promise.resolve({ kind: 'deny' }) } });
		const words = scene({
			risk: 'CONTROLLED',
			person: { approve: () => Promise.resolve({ kind: 'deny', reason: 'use b.ts' }) },
		});
		const nobody = scene({ risk: 'CONTROLLED', approvalMode: 'never' });
		const texts = await Promise.all(
			[plain, words, nobody].map(async ({ perform }) => {
				const outcome = await perform();
				return outcome.status === 'denied' ? `${outcome.error.code}: ${outcome.error.message}` : '';
			}),
		);
		assert.match(texts[0] ?? '', /^DENIED_BY_USER: the user said no to this test\.op$/);
		assert.match(texts[1] ?? '', /^DENIED_BY_USER: the user said no to this test\.op$/);
		assert.match(texts[2] ?? '', /^DENIED_BY_RULE: .*add the rule "test\.op a\.ts"/);
	});

	it('stops its clock while a question is open', async () => {
		const { perform, desk, progress } = scene({ risk: 'CONTROLLED', timeoutMs: 30 });
		const outcome = perform();
		const [approval] = (await question(desk)).approvals;
		assert.ok(approval !== undefined);
		assert.equal(progress[0]?.kind, 'waiting');
		await longerThan(30);
		assert.equal(desk.approve(approval.id, { kind: 'once' }), true);
		const end = await outcome;
		assert.equal(codeOf(end), 'done');
		assert.ok(end.durationMs < 50, `${end.durationMs} ms`);
	});

	it('counts no time in which its effect waits for a person, and shows that it waits', async () => {
		const { perform, progress } = scene({
			timeoutMs: 30,
			run: async ({ waitForPerson }) => {
				await waitForPerson('the user is asked', () => longerThan(30));
				return 'answered';
			},
		});
		const end = await perform();
		assert.equal(codeOf(end), 'done');
		assert.ok(end.durationMs < 50, `${end.durationMs} ms`);
		assert.deepEqual(
			progress.map(({ kind }) => kind),
			['running', 'waiting', 'running'],
		);
	});

	it('shows that its effect goes on after a person gave no answer', async () => {
		const { perform, progress } = scene({
			run: ({ waitForPerson }) => waitForPerson('the user is asked', () => Promise.reject(new Error('nobody'))),
		});
		assert.equal(codeOf(await perform()), 'failed INTERNAL');
		assert.equal(progress.at(-1)?.kind, 'running');
	});

	it('keeps "thread" for this thread, as far as it was said, and "always" as the rule that was shown', async () => {
		const asked: Approval[] = [];
		const answers = ['always', 'thread'] as const;
		let path = 'src/a.ts';
		const { perform, host, origin } = scene({
			risk: 'CONTROLLED',
			prepare: () =>
				Promise.resolve<Prepared<unknown>>({
					targets: [{ ...target, path, absolutePath: `/w/${path}` }],
					detail: { kind: 'path', path },
					run: () => Promise.resolve(null),
				}),
			person: {
				approve: (approval) => {
					asked.push(approval);
					return Promise.resolve({ kind: answers[asked.length - 1] ?? 'deny' });
				},
			},
		});
		const mine = origin();
		const questions = async (...paths: string[]) => {
			for (path of paths) {
				await perform({}, newId('op'), never, mine);
			}
			return asked.length;
		};
		assert.equal(await questions('src/a.ts', 'src/deep/b.ts'), 1);
		assert.equal(await questions('lib/c.ts', 'd.ts', 'docs/e.md'), 2);
		assert.deepEqual(host.saved, ['test.op src/**']);
		assert.match(asked[1]?.threadScope?.template ?? '', /^all file changes in this workspace/);
	});

	it('offers no rule of which a part cannot be seen', async () => {
		const path = 'a\u202eb.ts';
		const { perform, desk, host } = scene({
			risk: 'CONTROLLED',
			targets: [{ ...target, path, absolutePath: `/w/${path}` }],
		});
		const outcome = perform();
		const [approval] = (await question(desk)).approvals;
		assert.equal(approval?.pattern, null);
		desk.approve(approval.id, { kind: 'once' });
		assert.equal(codeOf(await outcome), 'done');
		assert.deepEqual(host.saved, []);
	});

	it('keeps "in this project" for the project alone, and says which rule let the next one through', async () => {
		const asked: Approval[] = [];
		const host = testHost();
		const workspace = { folders: [{ name: 'app', path: host.workspace }] };
		const projectRules = new ProjectRules({ home: host.home, workspace, log: host.ports.log });
		const {
			perform,
			progress,
			host: its,
			origin,
			ledger,
		} = scene({
			risk: 'CONTROLLED',
			deps: { projectRules },
			person: { approve: (approval) => Promise.resolve({ kind: asked.push(approval) === 1 ? 'project' : 'deny' }) },
		});
		const mine = origin();
		assert.equal(codeOf(await perform({}, newId('op'), never, mine)), 'done');
		assert.equal(asked[0]?.isProjectOffered, true);
		assert.match(ledger.rows[0]?.decision ?? '', /^approved by the user always in this project, as "test\.op a\.ts"/);
		assert.deepEqual([its.saved, projectRules.current], [[], ['test.op a.ts']]);
		assert.equal(codeOf(await perform({}, newId('op'), never, origin(newId('thr')))), 'done');
		assert.deepEqual(progress.at(-1), {
			opId: ledger.rows.at(-1)?.opId,
			kind: 'running',
			allowedBy: { kind: 'rules', rules: [{ rule: 'test.op a.ts', scope: 'project' }] },
		});
		await projectRules.remove(
			(await projectRules.all()).map(({ id }) => id),
			never,
		);
		assert.equal(codeOf(await perform({}, newId('op'), never, mine)), 'denied DENIED_BY_USER');
		assert.equal(asked.length, 2);
	});

	it('takes "always" for the thread when the rule cannot be saved', async () => {
		let asked = 0;
		const approve = () => Promise.resolve({ kind: (asked += 1) === 1 ? 'always' : 'deny' } as const);
		const { perform, host, origin, ledger } = scene({ risk: 'CONTROLLED', person: { approve } });
		host.ports.settings.allowAlways = () => Promise.reject(new Error('read-only'));
		const mine = origin();
		for (const _ of [1, 2]) {
			assert.equal(codeOf(await perform({}, newId('op'), never, mine)), 'done');
		}
		assert.equal(asked, 1);
		assert.match(ledger.rows[0]?.decision ?? '', /for the thread, as "test\.op a\.ts"; the rule could not be saved/);
	});

	it('remembers "thread" for this thread only', async () => {
		const asked: string[] = [];
		const answers = ['thread', 'always', 'once'] as const;
		const { perform, host, origin } = scene({
			risk: 'CONTROLLED',
			person: {
				approve: (approval) => {
					asked.push(approval.op);
					return Promise.resolve({ kind: answers[asked.length - 1] ?? 'deny' });
				},
			},
		});
		const mine = origin();
		await perform({}, newId('op'), never, mine);
		await perform({}, newId('op'), never, mine);
		assert.equal(asked.length, 1);
		await perform({}, newId('op'), never, origin(newId('thr')));
		assert.equal(asked.length, 2);
		assert.deepEqual(host.saved, ['test.op a.ts']);
	});

	it('asks one question of a thread at a time, and not again for what the first answer settled', async () => {
		const { perform, desk, origin } = scene({ risk: 'CONTROLLED' });
		// Two turns: those of one are a list.
		const both = [perform({}, newId('op'), never, origin()), perform({}, newId('op'), never, origin())];
		const { approvals } = await question(desk);
		assert.equal(approvals.length, 1);
		assert.ok(approvals[0] !== undefined);
		desk.approve(approvals[0].id, { kind: 'thread' });
		assert.deepEqual((await Promise.all(both)).map(codeOf), ['done', 'done']);
	});

	it('asks together what one turn wants, and takes back what the first answer settled', async () => {
		const { perform, desk, origin } = scene({ risk: 'CONTROLLED' });
		const mine = origin();
		const both = [perform({}, newId('op'), never, mine), perform({}, newId('op'), never, mine)];
		await question(desk);
		await waitFor('both questions', () => desk.current.approvals.length === 2);
		desk.approve(desk.current.approvals[1]?.id ?? newId('apr'), { kind: 'thread' });
		assert.deepEqual((await Promise.all(both)).map(codeOf), ['done', 'done']);
	});

	it('offers a protected path only once, and asks for it again', async () => {
		const asked: Approval[] = [];
		const { perform, origin } = scene({
			risk: 'CONTROLLED',
			targets: [{ ...target, isProtected: true }],
			person: { approve: (approval) => Promise.resolve({ kind: asked.push(approval) === 1 ? 'once' : 'deny' }) },
		});
		const mine = origin();
		assert.equal(codeOf(await perform({}, newId('op'), never, mine)), 'done');
		assert.equal(codeOf(await perform({}, newId('op'), never, mine)), 'denied DENIED_BY_USER');
		assert.deepEqual(
			asked.map(({ isOnceOffered, threadScope, pattern }) => [isOnceOffered, threadScope, pattern]),
			[
				[true, null, null],
				[true, null, null],
			],
		);
	});

	it('voids the question of an op that is stopped', async () => {
		const controller = new AbortController();
		const { perform, desk, effects } = scene({ risk: 'CONTROLLED' });
		const outcome = perform({}, newId('op'), controller.signal);
		const [approval] = (await question(desk)).approvals;
		controller.abort();
		assert.equal(codeOf(await outcome), 'cancelled CANCELLED');
		assert.equal(approval !== undefined && desk.approve(approval.id, { kind: 'once' }), false);
		assert.deepEqual([desk.current.approvals.length, effects.length], [0, 0]);
	});

	it('runs what was approved: nothing can be changed between question and effect', async () => {
		const argv = ['npm', 'test'];
		const prepare = () =>
			Promise.resolve<Prepared<unknown>>({
				targets: [{ kind: 'command', argv, cwd: '.' }],
				detail: { kind: 'command', argv, cwd: '.' },
				run: () => Promise.resolve(argv.join(' ')),
			});
		const { perform, desk, ledger } = scene({ risk: 'RESTRICTED', prepare });
		const outcome = perform();
		const [approval] = (await question(desk)).approvals;
		assert.throws(() => argv.push('--evil'), TypeError);
		assert.ok(approval !== undefined);
		desk.approve(approval.id, { kind: 'once' });
		const end = await outcome;
		assert.equal(end.status === 'done' && end.result, 'npm test');
		assert.equal(new Set(ledger.rows.map((row) => row.paramsHash)).size, 1);
	});

	it('shows the assessed risk and what the simulation says, and goes on without a simulation', async () => {
		const targets: OpTarget[] = [{ kind: 'command', argv: ['rm', '-rf', 'docs'], cwd: '.' }];
		const withAdvice = scene({
			risk: 'RESTRICTED',
			targets,
			deps: { simulation: { simulate: () => Promise.resolve('dist would be gone') } },
		});
		const broken = scene({
			risk: 'RESTRICTED',
			targets,
			deps: { simulation: { simulate: () => Promise.reject(new Error('no model')) } },
		});
		for (const { perform, desk, ledger } of [withAdvice, broken]) {
			const outcome = perform();
			const [approval] = (await question(desk)).approvals;
			assert.ok(approval !== undefined);
			const reason = inEnglish(approval.reason);
			const { isDangerous, reasons = [], marks } = approval.warning ?? {};
			assert.equal(isDangerous, true);
			assert.deepEqual(reasons.map(inEnglish), ['Deletes a folder and everything in it', 'Deletes without asking']);
			assert.deepEqual(
				marks?.map(({ argument }) => argument),
				[0, 1, 0, 1],
			);
			assert.equal(/dist would be gone/.test(reason), desk === withAdvice.desk);
			desk.approve(approval.id, { kind: 'once' });
			await outcome;
			assert.equal(ledger.rows[0]?.assessed, 'high');
		}
		assert.match(broken.ledger.rows[0]?.decision ?? '', /simulation failed: no model/);
	});

	it('shows what the simulation says of each op of a list, before one of them runs, and the caller reads it', async () => {
		const simulation = {
			simulate: ({ params }: { readonly params: unknown }) => Promise.resolve(JSON.stringify(params)),
		};
		const { broker, perform, desk, effects, origin } = scene({ risk: 'RESTRICTED', deps: { simulation } });
		const from = origin();
		const planned = ['a', 'b'].map((text) => ({ opId: newId('op'), op: 'test.op', params: { text } }));
		const listed = broker.askAhead(planned, from, never);
		const shown = await waitFor('both questions', () => desk.current.approvals.length === 2 && desk.current.approvals);
		assert.deepEqual(effects, []);
		for (const [index, { id, reason }] of shown.entries()) {
			assert.ok(inEnglish(reason).endsWith(`A model predicts: ${JSON.stringify(planned[index]?.params)}`));
			desk.approve(id, { kind: 'once' });
		}
		for (const { opId, params } of planned) {
			const outcome = await perform(params, opId, never, from);
			assert.equal(outcome.status === 'done' && outcome.simulation, JSON.stringify(params));
		}
		await listed;
	});

	it('limits RESTRICTED ops to what the user set, says when the next is possible, and counts nothing that did not run', async () => {
		const settings = { 'prowess.approvals.perHour.restricted': 2 };
		const { perform, effects } = scene({ risk: 'RESTRICTED', settings, approvalMode: 'auto' });
		for (const text of [1, 'a', 'b', 'c']) {
			const outcome = await perform({ text });
			if (text === 'c') {
				assert.equal(codeOf(outcome), 'denied RATE_LIMITED');
				assert.match(outcome.status === 'done' ? '' : outcome.error.message, /possible in 60 min \(\d{4}-/);
			}
		}
		assert.equal(effects.length, 2);
	});

	it('limits PRIVILEGED ops to 20 in an hour', async () => {
		const { perform } = scene({ risk: 'PRIVILEGED', person: { approve: () => Promise.resolve({ kind: 'once' }) } });
		for (let n = 0; n < 20; n++) {
			assert.equal(codeOf(await perform()), 'done');
		}
		assert.equal(codeOf(await perform()), 'denied RATE_LIMITED');
	});

	it('lets no more begin at once than the hour has left, and gives back what a no has kept from beginning', async () => {
		let saysNo = true;
		const approve = () => Promise.resolve(saysNo ? ({ kind: 'deny' } as const) : ({ kind: 'once' } as const));
		const { perform, effects } = scene({ risk: 'PRIVILEGED', person: { approve } });
		const codes = async (count: number) =>
			Map.groupBy(
				await Promise.all(Array.from({ length: count }, async () => codeOf(await perform()))),
				(code) => code,
			);
		assert.equal((await codes(20)).get('denied DENIED_BY_USER')?.length, 20);
		saysNo = false;
		const all = await codes(27);
		assert.deepEqual([all.get('done')?.length, all.get('denied RATE_LIMITED')?.length], [20, 7]);
		assert.equal(effects.length, 20);
	});
});

/** Another clock of the same kind has run out meanwhile. */
function longerThan(timeoutMs: number): Promise<void> {
	const other = deriveSignal(never, { what: 'another op', timeoutMs: 2 * timeoutMs });
	return new Promise((resolve) => other.signal.addEventListener('abort', () => resolve()));
}
