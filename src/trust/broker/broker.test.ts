import assert from 'node:assert/strict';
import { codeOf, kinds, never, scene, secret, target } from '../../../test/support/broker-scene.ts';
import { MemoryLedger } from '../../../test/support/memory-ledger.ts';
import type { HookWords, OpOutcome } from '../../protocol/turn/broker.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { newId } from '../../protocol/rpc/ids.ts';
import type { HookVerdict, OpContext } from '../../contract/ops/op-implementation.ts';

describe('Broker', () => {
	it('has no effect when any of its records cannot be written before it', async () => {
		for (const failAt of [1, 2]) {
			const { perform, effects, ledger } = scene({ ledger: new MemoryLedger(failAt) });
			const outcome = await perform();
			assert.equal(codeOf(outcome), 'failed LEDGER_UNWRITABLE');
			assert.equal(effects.length, failAt - 1, `append ${failAt}`);
			assert.deepEqual(kinds(ledger), failAt === 1 ? ['outcome'] : ['intent']);
			assert.equal(outcome.status !== 'done' && outcome.error.facts['tookEffect'], failAt === 2 ? true : undefined);
		}
	});

	it('has no effect when the ledger cannot be read', async () => {
		const ledger = new MemoryLedger();
		ledger.rowsOf = () => Promise.reject(new ProwessError('LEDGER_UNWRITABLE', 'not readable'));
		const { perform, effects } = scene({ ledger });
		assert.equal(codeOf(await perform()), 'failed LEDGER_UNWRITABLE');
		assert.equal(effects.length, 0);
	});

	it('keeps the reason of a denial that cannot be recorded', async () => {
		const { perform } = scene({ ledger: new MemoryLedger(1), isTrusted: false });
		const outcome = await perform();
		assert.equal(codeOf(outcome), 'denied WORKSPACE_UNTRUSTED');
		assert.equal(outcome.receipt, undefined);
	});

	it('prepares nothing in a workspace that is not trusted', async () => {
		let prepared = false;
		const prepare = () => {
			prepared = true;
			return Promise.reject(new Error('must not happen'));
		};
		const { perform, ledger } = scene({ isTrusted: false, prepare });
		assert.equal(codeOf(await perform()), 'denied WORKSPACE_UNTRUSTED');
		assert.equal(prepared, false);
		assert.deepEqual(kinds(ledger), ['denial']);
	});

	it('answers names that are no op, and names every problem of wrong params with its path', async () => {
		const { broker, origin, perform, effects, ledger } = scene();
		for (const op of ['__proto__', 'constructor', 'config.set', '']) {
			assert.equal(
				codeOf(await broker.perform({ opId: newId('op'), op, params: {} }, origin(), never)),
				'failed UNKNOWN_OP',
			);
		}
		const outcome = await perform({ text: 1, n: 'x' });
		assert.equal(codeOf(outcome), 'failed INVALID_PARAMS');
		assert.ok(outcome.status !== 'done');
		assert.deepEqual(
			(outcome.error.facts['problems'] as { path: string }[]).map(({ path }) => path),
			['text', 'n'],
		);
		assert.equal(effects.length, 0);
		assert.equal(ledger.rows.length, 5);
	});

	it('turns whatever an op throws into one outcome', async () => {
		for (const thrown of [new Error('boom'), new ProwessError('IO_ERROR', 'disk'), 'text', undefined]) {
			const { perform, ledger } = scene({ run: () => Promise.reject(thrown) });
			const outcome = await perform();
			assert.equal(codeOf(outcome), thrown instanceof ProwessError ? 'failed IO_ERROR' : 'failed INTERNAL');
			assert.deepEqual(kinds(ledger), ['intent', 'outcome']);
		}
		const { perform } = scene({
			run: () => {
				throw new Error('at once');
			},
		});
		assert.equal(codeOf(await perform()), 'failed INTERNAL');
	});

	it('cuts the text of an error that nobody wrote for a reader, after its secrets are out', async () => {
		const { perform } = scene({ run: () => Promise.reject(new Error(`${'x'.repeat(265)} ${secret} and more`)) });
		const outcome = await perform();
		const message = outcome.status === 'done' ? '' : outcome.error.message;
		assert.equal(message.length, 300);
		assert.ok(message.endsWith('…') && !message.includes(secret.slice(0, 6)), message);
	});

	it('ends an op at its time limit, with the limit in the text', async () => {
		const run = ({ signal }: OpContext) =>
			new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
		const { perform, ledger } = scene({ timeoutMs: 20, run });
		const outcome = await perform();
		assert.equal(codeOf(outcome), 'timeout TIMEOUT');
		assert.match(outcome.status === 'done' ? '' : outcome.error.message, /^test\.op took longer than 20 ms/);
		assert.equal(ledger.rows.at(-1)?.status, 'timeout');
	});

	it('stops with its caller, and tells of a result that came all the same', async () => {
		for (const ending of ['rejects', 'resolves'] as const) {
			const controller = new AbortController();
			const run = ({ signal }: OpContext) => {
				const ended = new Promise((resolve, reject) => {
					signal.addEventListener('abort', () =>
						ending === 'rejects' ? reject(new Error('stopped')) : resolve('all the same'),
					);
				});
				controller.abort(new Error('stop'));
				return ended;
			};
			const { perform } = scene({ run });
			const outcome = await perform({}, newId('op'), controller.signal);
			assert.equal(codeOf(outcome), ending === 'rejects' ? 'cancelled CANCELLED' : 'done');
		}
	});

	it('does not begin what was stopped before', async () => {
		const { perform, effects } = scene();
		assert.equal(codeOf(await perform({}, newId('op'), AbortSignal.abort())), 'cancelled CANCELLED');
		assert.equal(effects.length, 0);
	});

	it('refuses what comes after it was closed, and cancels what runs', async () => {
		let begun = () => {};
		const running = new Promise<void>((resolve) => (begun = resolve));
		const run = ({ signal }: OpContext) => {
			begun();
			return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
		};
		const { broker, perform, effects } = scene({ run });
		const first = perform();
		await running;
		await broker.close();
		assert.equal(codeOf(await first), 'cancelled CANCELLED');
		assert.equal(codeOf(await perform()), 'cancelled CANCELLED');
		assert.equal(effects.length, 1);
	});

	it('does an op once, however often it is asked', async () => {
		const { perform, effects, broker } = scene();
		const opId = newId('op');
		const origin = scene().origin();
		const [first, second] = await Promise.all([
			perform({}, opId, never, origin),
			perform({ text: 'other' }, opId, never, origin),
		]);
		assert.deepEqual(first, second);
		assert.deepEqual(await perform({}, opId, never, origin), first);
		assert.equal(effects.length, 1);
		assert.deepEqual(await broker.knowledge(opId), { kind: 'settled', outcome: first });
		assert.deepEqual(await broker.knowledge(newId('op')), { kind: 'unknown' });
	});

	it('tells nobody but its caller of an op', async () => {
		const { perform, effects, origin } = scene();
		const opId = newId('op');
		await perform({}, opId);
		const foreign = await perform({}, opId, never, origin(newId('thr')));
		assert.equal(codeOf(foreign), 'failed INVALID_STATE');
		assert.equal(effects.length, 1);
	});

	it('after a restart knows from the ledger what was done, refused or is in doubt, and does none of it again', async () => {
		const ledger = new MemoryLedger();
		const before = scene({ ledger });
		const origin = before.origin();
		const done = newId('op');
		const doubtful = newId('op');
		await before.perform({}, done, never, origin);
		await before.perform({}, doubtful, never, origin);
		ledger.rows.pop();
		const after = scene({ ledger });
		assert.equal((await after.broker.knowledge(done)).kind, 'recorded');
		assert.equal((await after.broker.knowledge(doubtful)).kind, 'inDoubt');
		const again = await after.perform({}, done, never, origin);
		assert.equal(again.status !== 'done' && again.error.facts['status'], 'done');
		assert.equal(codeOf(await after.perform({}, doubtful, never, origin)), 'failed OUTCOME_IN_DOUBT');
		assert.equal(after.effects.length, 0);
	});

	it('redacts results, errors, facts, progress and rows', async () => {
		const run = (context: OpContext) => {
			context.emit(`out ${secret.slice(0, 9)}`);
			context.emit(`${secret.slice(9)}\n`);
			return Promise.resolve({ deep: [{ text: secret }] });
		};
		const good = scene({ run });
		const bad = scene({ run: () => Promise.reject(new ProwessError('IO_ERROR', `at ${secret}`, { where: secret })) });
		const seen = [await good.perform({ text: secret }), await bad.perform(), good.progress, bad.progress];
		assert.ok(!JSON.stringify(seen).includes('canary'), JSON.stringify(seen));
		assert.deepEqual(
			good.progress.filter(({ kind }) => kind === 'output').map((each) => 'chunk' in each && each.chunk),
			['out <redacted:secret>\n'],
		);
	});

	it('lets a hook stop an op, also by failing, and tells it of every end', async () => {
		const told: string[] = [];
		const hooks = (before: () => Promise<HookVerdict>) => ({
			deps: {
				hooks: {
					concerns: () => true,
					before,
					after: (_call: unknown, outcome: OpOutcome) => void told.push(outcome.status),
				},
			},
		});
		const blocked = scene(hooks(() => Promise.resolve({ kind: 'block', reason: 'not on Fridays', asked: ['guard'] })));
		const broken = scene(hooks(() => Promise.reject(new Error('no hook'))));
		const passed = scene(hooks(() => Promise.resolve({ kind: 'continue', asked: ['guard'] })));
		const outcome = await blocked.perform();
		assert.match(outcome.status === 'denied' ? outcome.error.message : '', /not on Fridays/);
		assert.equal(codeOf(await broken.perform()), 'denied DENIED_BY_RULE');
		assert.equal(codeOf(await passed.perform()), 'done');
		assert.deepEqual(told, ['denied', 'denied', 'done']);
		for (const { ledger } of [blocked, passed]) assert.match(ledger.rows[0]?.decision ?? '', /; hook: guard$/);
		assert.equal(blocked.effects.length + broken.effects.length, 0);
	});

	it('asks no hook about an op of a thread that has not begun here', async () => {
		const asked: string[] = [];
		const hooks = {
			concerns: () => true,
			before: ({ op }: { readonly op: string }): Promise<HookVerdict> => {
				asked.push(op);
				return Promise.resolve({ kind: 'continue', asked: [] });
			},
			after: () => undefined,
		};
		const { perform, effects } = scene({ deps: { hooks, begun: new Set() } });
		assert.equal(codeOf(await perform()), 'denied INVALID_STATE');
		assert.deepEqual([asked, effects], [[], []]);
	});

	it('gives what hooks say after an op with its outcome while its time stands, and nothing of it after a stop', async () => {
		const stop = new AbortController();
		let isHung = false;
		const hooks = {
			concerns: () => false,
			before: () => Promise.reject<HookVerdict>(new Error('not asked')),
			after: (_call: unknown, { status }: OpOutcome, signal: AbortSignal) =>
				isHung
					? new Promise<readonly HookWords[]>((resolve) => {
							signal.addEventListener('abort', () => resolve([]));
							stop.abort(new ProwessError('CANCELLED', 'stopped'));
						})
					: Promise.resolve([{ by: 'a hook', text: status }]),
		};
		const { perform, effects, progress } = scene({ deps: { hooks } });
		const heard = await perform();
		assert.deepEqual([heard.status, heard.hooks], ['done', [{ by: 'a hook', text: 'done' }]]);
		assert.equal(progress.at(-1)?.kind, 'hooks');
		isHung = true;
		const stopped = await perform({}, newId('op'), stop.signal);
		assert.deepEqual([stopped.status, stopped.hooks, effects.length], ['done', undefined, 2]);
	});

	it('takes its steps in one order: the first that says no is the one that is heard, and nothing after it happens', async () => {
		const heard: string[] = [];
		const happened: string[] = [];
		/** A rule that cannot be read: every op becomes a question, and nobody is there to answer. */
		const unreadable = ['no.op **'];
		for (let step = 0; step < 8; step += 1) {
			happened.length = 0;
			const hooks = {
				concerns: () => true,
				before: (): Promise<HookVerdict> => {
					happened.push('hook');
					return Promise.resolve(
						step > 1 ? { kind: 'continue', asked: [] } : { kind: 'block', reason: 'hook', asked: [] },
					);
				},
				after: () => undefined,
			};
			const { perform, ledger } = scene({
				isTrusted: step > 4,
				risk: 'RESTRICTED',
				approvalMode: 'auto',
				settings: {
					'prowess.approvals.deny': step > 5 ? [] : unreadable,
					'prowess.approvals.perHour.restricted': step > 6 ? 5 : 1,
				},
				prepare: () => {
					happened.push('prepare');
					return Promise.resolve({
						targets: [target],
						detail: { kind: 'path', path: 'a.ts' },
						run: () => {
							happened.push('effect');
							return Promise.resolve({});
						},
					});
				},
				deps: {
					hooks,
					...(step > 0 ? {} : { begun: new Set() }),
					allowedOps: () => new Set(step > 3 ? ['test.op'] : ['fs.read']),
				},
			});
			if (step > 5) {
				assert.equal(codeOf(await perform()), 'done');
				happened.length = 0;
			}
			const outcome = await perform(step > 2 ? {} : { text: 1 });
			const given = outcome.status === 'done' ? undefined : outcome.error.facts['rule'];
			const rule = typeof given === 'string' ? given : '';
			heard.push(`${codeOf(outcome)} ${rule} [${happened.join(' ')}] ${kinds(ledger).join(' ')}`);
		}
		assert.deepEqual(heard, [
			'denied INVALID_STATE  [] denial',
			'denied DENIED_BY_RULE  [hook] denial',
			'failed INVALID_PARAMS  [hook] outcome',
			'denied DENIED_BY_RULE  [hook] denial',
			'denied WORKSPACE_UNTRUSTED trust [hook] denial',
			'denied DENIED_BY_RULE writes [hook prepare] denial',
			'denied RATE_LIMITED  [hook prepare] intent outcome denial',
			'done  [hook prepare effect] intent outcome intent outcome',
		]);
	});

	it('refuses ops that are not among those of the caller', async () => {
		const { perform } = scene({ deps: { allowedOps: () => new Set(['fs.read']) } });
		assert.equal(codeOf(await perform()), 'denied DENIED_BY_RULE');
	});
});
