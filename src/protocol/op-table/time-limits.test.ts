import assert from 'node:assert/strict';
import { OP_NAMES, ops } from './ops.ts';
import type { OpDef } from '../ops/define-op.ts';
import {
	ANSWER_GRACE_MS,
	callLimitMs,
	opLimitMs,
	OWN_LIMIT_GRACE_MS,
	ownLimitMs,
	settingLimitMs,
} from './time-limits.ts';

const shell = ops['shell.run'];
const command = (more: object) => shell.params.parse({ argv: ['make'], ...more });

describe('The time limits of an op', () => {
	for (const [what, more, settingMs, expected] of [
		['the one it asks for, also above the setting', { timeoutMs: 600_000 }, 120_000, 600_000],
		['the one it asks for, also below the setting', { timeoutMs: 500 }, 120_000, 500],
		['the setting when it asks for none', {}, 120_000, 120_000],
		['none when the setting is none', {}, 0, 0],
		['none in the background', { background: true }, 120_000, 0],
		['the one it asks for in the background', { background: true, timeoutMs: 5_000 }, 120_000, 5_000],
	] as const) {
		it(`give a command ${what}`, () => {
			assert.equal(ownLimitMs(shell, command(more), settingMs), expected);
		});
	}

	it('give the wait for another agent a setting of its own, and none at 0', () => {
		const settings = (subAgentSeconds: number) => ({
			'prowess.agent.toolTimeoutSeconds': 7,
			'prowess.agent.limits': { subAgentSeconds },
		});
		const params = ops['agent.spawn'].params.parse({ task: 'Work' });
		const waits = (seconds: number) =>
			ownLimitMs(ops['agent.spawn'], params, settingLimitMs(ops['agent.spawn'], settings(seconds)));
		assert.deepEqual([waits(600), waits(1), waits(0)], [600_000, 1_000, 0]);
		assert.equal(settingLimitMs(ops['fs.read'], settings(600)), 7_000);
	});

	it('leave an effect that ends itself time to return its result', () => {
		const params = command({ timeoutMs: 500 });
		assert.equal(opLimitMs(shell, params, 120_000), 500 + OWN_LIMIT_GRACE_MS);
		assert.equal(callLimitMs(shell, params, 120_000), 500 + OWN_LIMIT_GRACE_MS + ANSWER_GRACE_MS);
		assert.deepEqual([opLimitMs(shell, command({}), 0), callLimitMs(shell, command({}), 0)], [0, 0]);
	});

	it('are the shorter of the op’s own limit and the setting for everything else', () => {
		const { timeoutMs } = ops['fs.read'];
		assert.deepEqual(
			[0, 1_000, 10 * timeoutMs].map((settingMs) => opLimitMs(ops['fs.read'], {}, settingMs)),
			[timeoutMs, 1_000, timeoutMs],
		);
	});

	it('do not include the time an approval is open', () => {
		assert.equal(callLimitMs(ops['user.ask'], { question: 'which?' }, 120_000), 0);
	});

	it('make the server wait longer than the host, and the host longer than the effect', () => {
		for (const op of OP_NAMES) {
			const def: OpDef = ops[op];
			const [own, host, server] = [ownLimitMs, opLimitMs, callLimitMs].map((of) => of(def, {}, 60_000));
			assert.ok(own !== undefined && host !== undefined && server !== undefined);
			assert.ok(host === 0 ? server === 0 : own < host && host < server, op);
		}
	});
});
