import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { testHost } from '../../../test/support/host-ports.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { isProwessError } from '../../protocol/errors/errors.ts';
import { textForUser } from '../../protocol/errors/error-text.ts';
import { newId, type ThreadId } from '../../protocol/rpc/ids.ts';
import type { Settings } from '../../protocol/settings/settings.ts';
import { Quotas } from './quotas.ts';

const HOUR = 3_600_000;

describe('Quotas', () => {
	const open: Quotas[] = [];
	afterEach(() => open.splice(0).forEach((quotas) => quotas.close()));
	let now = 0;
	beforeEach(() => {
		now = new Date(2026, 10, 26, 12).getTime();
	});
	const quotasOf = (settings: Partial<Settings>, home = tempDir('home')) => {
		const quotas = new Quotas({ home, ...testHost({ settings }).ports, now: () => now });
		open.push(quotas);
		return quotas;
	};
	const use = (quotas: Quotas, inputTokens: number, cost = 0) =>
		quotas.used({ model: 'p/m', inputTokens, outputTokens: 0, cost });
	const exceeded = { code: 'QUOTA_EXCEEDED' };

	it('refuse the next invocation, finish the one that runs, and end it at twice the limit', () => {
		const quotas = quotasOf({ 'prowess.quotas.tokensPerHour': 1_000 });
		const { invocation } = quotas.begin();
		use(quotas, 1_000);
		assert.throws(() => quotas.begin(), exceeded);
		assert.deepEqual(quotas.grant(invocation), [{ kind: 'tokensPerHour', used: 1_000, limit: 1_000 }]);
		assert.throws(() => quotas.grant('another'), exceeded);
		quotas.checkKey();
		use(quotas, 1_000);
		assert.throws(() => quotas.grant(invocation), exceeded);
		assert.throws(() => quotas.checkKey(), exceeded);
	});

	it('count a request whole or not at all, and once where nobody can be found who pays for it', () => {
		const home = tempDir('home');
		const quotas = quotasOf({}, home);
		const threadId = newId('thr');
		const counted = () => [quotas.report().hour.requests, quotas.ofThread(threadId).tokens];
		const { invocation } = quotas.begin(threadId);
		const ask = () => quotas.used({ model: 'p/m', invocation, inputTokens: 10, outputTokens: 5 });
		ask();
		assert.deepEqual(counted(), [1, 15]);
		const db = new DatabaseSync(join(home, 'usage.db'));
		db.exec("CREATE TRIGGER full BEFORE UPDATE ON thread_usage BEGIN SELECT RAISE(ABORT, 'disk full'); END");
		ask();
		assert.deepEqual(counted(), [1, 15]);
		db.exec('DROP TRIGGER full');
		db.close();
		ask();
		assert.deepEqual(counted(), [2, 30]);
		let isBroken = false;
		const lost = new Quotas({
			home: tempDir('home'),
			...testHost({}).ports,
			now: () => now,
			scheduleOf: () => {
				if (isBroken) throw new Error('no file');
				return undefined;
			},
		});
		open.push(lost);
		const begun = lost.begin(threadId);
		isBroken = true;
		lost.used({ model: 'p/m', invocation: begun.invocation, inputTokens: 10, outputTokens: 5 });
		isBroken = false;
		assert.equal(lost.report().hour.requests, 1);
	});

	it('grant nothing while the file of usage cannot be read, and name it', () => {
		const home = tempDir('home');
		mkdirSync(join(home, 'usage.db'));
		const quotas = quotasOf({ 'prowess.quotas.tokensPerHour': 1_000 }, home);
		for (const asked of [
			() => quotas.begin(),
			() => quotas.grant('x'),
			() => quotas.checkKey(),
			() => quotas.report(),
		]) {
			assert.throws(asked, (error: unknown) => {
				assert.ok(isProwessError(error) && error.code === 'STORE_UNAVAILABLE', String(error));
				const file = join(home, 'usage.db');
				assert.ok(error.message.startsWith(`${file}: what models have used cannot be read`), error.message);
				const said = textForUser(error, (template) => template);
				assert.ok(said.startsWith(`${file} cannot be read, so quotas cannot be checked`), said);
				return true;
			});
		}
		quotasOf({}, home).begin();
	});

	it('stop a turn in the middle where the user wants that', () => {
		const quotas = quotasOf({ 'prowess.quotas.tokensPerHour': 1_000, 'prowess.quotas.stopTurns': true });
		const { invocation } = quotas.begin();
		use(quotas, 999);
		quotas.grant(invocation);
		use(quotas, 1);
		assert.throws(() => quotas.grant(invocation), exceeded);
		assert.throws(() => quotas.checkKey(), exceeded);
	});

	it('count a thread with its sub-agents, whose own budget ends them in the middle of a turn', () => {
		const [root, agent, other] = [newId('thr'), newId('thr'), newId('thr')];
		const chainOf = (id: ThreadId) => (id === agent ? [{ id, tokens: 100 }, { id: root }] : [{ id }]);
		const settings = { 'prowess.quotas.tokensPerThread': 1_000 };
		const quotas = new Quotas({ home: tempDir('home'), ...testHost({ settings }).ports, chainOf, now: () => now });
		open.push(quotas);
		const spend = (invocation: string, inputTokens: number) =>
			quotas.used({ model: 'p/m', invocation, inputTokens, outputTokens: 0 });
		const { invocation } = quotas.begin(agent);
		quotas.grant(invocation);
		spend(invocation, 100);
		assert.throws(() => quotas.grant(invocation), exceeded);
		assert.throws(() => quotas.begin(agent), exceeded);
		const { invocation: ofRoot, quotas: known } = quotas.begin(root);
		assert.deepEqual(known, [{ kind: 'tokensPerThread', limit: 1_000, used: 100 }]);
		spend(ofRoot, 900);
		assert.throws(() => quotas.begin(root), exceeded);
		quotas.begin(other);
		quotas.begin();
	});

	it('know what a thread has cost with its sub-agents and capabilities, as far as prices are known', () => {
		const [root, agent, other] = [newId('thr'), newId('thr'), newId('thr')];
		const chainOf = (id: ThreadId) => (id === agent ? [{ id }, { id: root }] : [{ id }]);
		const quotas = new Quotas({ home: tempDir('home'), ...testHost({}).ports, chainOf, now: () => now });
		open.push(quotas);
		const spend = (threadId: ThreadId, capability: string | undefined, cost?: number) => {
			const { invocation } = quotas.begin(threadId, capability);
			quotas.used({ model: 'p/m', invocation, inputTokens: 10, outputTokens: 0, cost });
		};
		spend(root, undefined, 1);
		spend(agent, undefined, 2);
		spend(agent, 'skill/greet', 4);
		spend(agent, undefined);
		spend(other, undefined, 8);
		assert.deepEqual(
			[root, agent, newId('thr')].map((id) => quotas.spent(id)),
			[7, 6, 0],
		);
	});

	it('count a capability on one day, in whichever thread it works, and refuse what it asks next', () => {
		const quotas = quotasOf({ 'prowess.quotas.tokensPerCapability': 1_000, 'prowess.quotas.dollarsPerCapability': 5 });
		const ask = (capability: string | undefined, inputTokens: number, cost = 0) => {
			const { invocation, quotas: known } = quotas.begin(newId('thr'), capability);
			quotas.used({ model: 'p/m', invocation, inputTokens, outputTokens: 0, cost });
			return known;
		};
		ask('skill/greet', 700);
		assert.deepEqual(ask('skill/greet', 300), [
			{ kind: 'tokensPerCapability', limit: 1_000, used: 700, name: 'skill/greet' },
			{ kind: 'dollarsPerCapability', limit: 5, used: 0, name: 'skill/greet' },
		]);
		assert.throws(() => ask('skill/greet', 1), /capability skill\/greet today: 1,000 of 1,000/);
		ask('skill/other', 10, 5);
		assert.throws(() => ask('skill/other', 1), /capability skill\/other today: \$5\.00 of \$5\.00/);
		assert.deepEqual(ask(undefined, 10), []);
		assert.deepEqual(quotas.report().spenders, [
			{ kind: 'capability', name: 'skill/greet', tokens: 1_000, cost: 0 },
			{ kind: 'capability', name: 'skill/other', tokens: 10, cost: 5 },
		]);
		now += 24 * HOUR;
		ask('skill/greet', 1);
	});

	it('count a schedule over all its runs and their sub-agents', () => {
		const [run, next, agent, other] = [newId('thr'), newId('thr'), newId('thr'), newId('thr')];
		const chainOf = (id: ThreadId) => (id === agent ? [{ id }, { id: run }] : [{ id }]);
		const scheduleOf = (id: ThreadId) => (id === other ? undefined : { id: 'sch_1', text: 'List open issues' });
		const settings = { 'prowess.quotas.tokensPerSchedule': 1_000 };
		const host = testHost({ settings }).ports;
		const quotas = new Quotas({ home: tempDir('home'), ...host, chainOf, scheduleOf, now: () => now });
		open.push(quotas);
		for (const id of [run, agent]) {
			const { invocation } = quotas.begin(id);
			quotas.used({ model: 'p/m', invocation, inputTokens: 500, outputTokens: 0 });
		}
		assert.throws(() => quotas.begin(next), /schedule "List open issues" today: 1,000 of 1,000/);
		quotas.begin(other);
	});

	it('let go again once the hour, the day or the month is over', () => {
		for (const [kind, ends] of [
			['dollarsPerHour', now + HOUR],
			['dollarsPerDay', new Date(2026, 10, 27).getTime()],
			['dollarsPerMonth', new Date(2026, 11, 1).getTime()],
		] as const) {
			const begin = now;
			const quotas = quotasOf({ [`prowess.quotas.${kind}`]: 2 });
			use(quotas, 10, 2.5);
			now = ends - 60_000;
			assert.throws(() => quotas.begin(), exceeded, kind);
			now = ends + 60_000;
			quotas.begin();
			now = begin;
		}
	});

	it('tell of tool calls from 80 % of theirs on, and refuse nothing because of them', async () => {
		const settings = { 'prowess.quotas.toolCallsPerMinute': 5, 'prowess.quotas.stopTurns': true };
		const quotas = quotasOf(settings);
		const threadId = newId('thr');
		const calls = async () => await quotas.pace.enter(threadId, assert.fail, new AbortController().signal);
		for (let n = 0; n < 3; n += 1) await calls();
		assert.deepEqual(quotas.begin(threadId).quotas, []);
		await calls();
		await calls();
		const { invocation, quotas: told } = quotas.begin(threadId);
		assert.deepEqual(told, [{ kind: 'toolCallsPerMinute', limit: 5, used: 5 }]);
		quotas.grant(invocation);
		assert.deepEqual(quotas.begin(newId('thr')).quotas, [], 'another thread has its own');
	});

	it('count what another host of the home used', () => {
		const home = tempDir('home');
		const [mine, theirs] = [quotasOf({ 'prowess.quotas.tokensPerHour': 100 }, home), quotasOf({}, home)];
		mine.begin();
		use(theirs, 100);
		assert.throws(() => mine.begin(), exceeded);
		assert.deepEqual(theirs.report().hour, { requests: 1, inputTokens: 100, outputTokens: 0, cost: 0 });
	});

	it('keep no file where none is set and nothing was used', () => {
		assert.deepEqual(quotasOf({}).begin().quotas, []);
	});
});
