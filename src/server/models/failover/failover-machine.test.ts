import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { type FailoverEvent, FailoverMachine, type FailoverState } from './failover-machine.ts';

const EVENTS: readonly FailoverEvent[] = [
	'Start',
	'ProviderSuccess',
	'RetryableError',
	'FatalError',
	'UserAbort',
	'Timeout',
];

/** Events that lead to each state, with one retry. */
const WAYS: Readonly<Record<FailoverState, readonly FailoverEvent[]>> = {
	Idle: [],
	Selecting: ['Start'],
	Attempting: ['Start', 'ProviderSuccess'],
	Retrying: ['Start', 'ProviderSuccess', 'RetryableError'],
	Succeeded: ['Start', 'ProviderSuccess', 'ProviderSuccess'],
	Exhausted: ['Start', 'FatalError'],
	Aborted: ['Start', 'ProviderSuccess', 'FatalError'],
};

function machineIn(state: FailoverState): FailoverMachine {
	const machine = new FailoverMachine({ candidates: 2, retries: 1 });
	for (const event of WAYS[state]) {
		machine.take(event);
	}
	assert.equal(machine.state, state);
	return machine;
}

describe('the machine of failover', () => {
	const transitions: Readonly<Record<string, Partial<Record<FailoverEvent, FailoverState>>>> = {
		Idle: { Start: 'Selecting', UserAbort: 'Aborted' },
		Selecting: { ProviderSuccess: 'Attempting', FatalError: 'Exhausted', UserAbort: 'Aborted' },
		Attempting: {
			ProviderSuccess: 'Succeeded',
			RetryableError: 'Retrying',
			FatalError: 'Aborted',
			UserAbort: 'Aborted',
			Timeout: 'Retrying',
		},
		Retrying: {
			ProviderSuccess: 'Attempting',
			RetryableError: 'Attempting',
			FatalError: 'Aborted',
			UserAbort: 'Aborted',
			Timeout: 'Selecting',
		},
	};
	for (const [state, accepted] of Object.entries(transitions)) {
		for (const event of EVENTS) {
			const to = accepted[event];
			it(`${to === undefined ? 'refuses' : `goes to ${to} on`} ${event} while ${state}`, () => {
				const machine = machineIn(state as FailoverState);
				if (to === undefined) {
					const steps = machine.steps.length;
					assert.throws(() => machine.take(event), { code: 'INVALID_STATE', facts: { state, event } });
					assert.deepEqual([machine.state, machine.steps.length], [state, steps]);
				} else {
					assert.equal(machine.take(event), to);
				}
			});
		}
	}

	for (const end of ['Succeeded', 'Exhausted', 'Aborted'] as const) {
		it(`stays ${end} whatever comes`, () => {
			const machine = machineIn(end);
			const steps = machine.steps.length;
			assert.deepEqual(
				EVENTS.map((event) => machine.take(event)),
				EVENTS.map(() => end),
			);
			assert.equal(machine.steps.length, steps);
		});
	}

	it('leaves a provider whose retries are used up, and gives the next one its own', () => {
		const machine = machineIn('Retrying');
		assert.equal(machine.take('RetryableError'), 'Attempting');
		machine.take('RetryableError');
		assert.equal(machine.take('RetryableError'), 'Selecting');
		machine.take('ProviderSuccess');
		assert.deepEqual([machine.candidatesLeft, machine.retriesLeft], [0, 1]);
	});

	it('picks nobody when nobody is left', () => {
		const machine = new FailoverMachine({ candidates: 1, retries: 0 });
		for (const event of ['Start', 'ProviderSuccess', 'Timeout', 'Timeout'] as const) {
			machine.take(event);
		}
		assert.throws(() => machine.take('ProviderSuccess'), { code: 'INVALID_STATE' });
		assert.equal(machine.take('FatalError'), 'Exhausted');
		assert.deepEqual(
			machine.steps.map(({ to }) => to),
			['Selecting', 'Attempting', 'Retrying', 'Selecting', 'Exhausted'],
		);
	});

	it('ends within n(2r + 3) + 2 transitions, whatever happens: 10,000 random walks', () => {
		let longest = 0;
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 4 }),
				fc.integer({ min: 0, max: 3 }),
				fc.array(fc.constantFrom(...EVENTS), { minLength: 50, maxLength: 120 }),
				(candidates, retries, events) => {
					const machine = new FailoverMachine({ candidates, retries });
					for (const event of events) {
						try {
							machine.take(event);
						} catch (error) {
							assert.equal((error as { code: string }).code, 'INVALID_STATE');
						}
					}
					const bound = candidates * (2 * retries + 3) + 2;
					assert.ok(machine.steps.length <= bound, `${machine.steps.length} of ${bound}`);
					longest = Math.max(longest, machine.steps.length / bound);
				},
			),
			{ numRuns: 10_000 },
		);
		assert.ok(longest > 0.5);
	});

	it('reaches its bound and no more where everything fails as late as it can', () => {
		const [candidates, retries] = [3, 2];
		const machine = new FailoverMachine({ candidates, retries });
		machine.take('Start');
		for (let picked = 0; picked < candidates; picked += 1) {
			machine.take('ProviderSuccess');
			for (let retry = 0; retry <= retries; retry += 1) {
				machine.take('RetryableError');
				machine.take('RetryableError');
			}
		}
		machine.take('FatalError');
		assert.deepEqual([machine.state, machine.steps.length], ['Exhausted', candidates * (2 * retries + 3) + 2]);
	});
});
