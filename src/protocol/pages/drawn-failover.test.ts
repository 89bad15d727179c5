import assert from 'node:assert/strict';
import { drawnFailover } from './drawn-failover.ts';

describe('The drawn way of a request through failover', () => {
	it('says of a retry what it led to: another attempt, or the next model', () => {
		const steps = [
			{ from: 'Selecting', event: 'ProviderSuccess', to: 'Attempting', about: 'p1/m' },
			{ from: 'Attempting', event: 'RetryableError', to: 'Retrying', about: 'PROVIDER_OVERLOADED' },
			{ from: 'Retrying', event: 'RetryableError', to: 'Attempting', about: 'after 1 s' },
			{ from: 'Attempting', event: 'RetryableError', to: 'Retrying' },
			{ from: 'Retrying', event: 'RetryableError', to: 'Selecting' },
			{ from: 'Selecting', event: 'FatalError', to: 'Exhausted' },
		];
		assert.deepEqual(drawnFailover(steps), [
			'Selecting ─ProviderSuccess→ Attempting  picked p1/m',
			'Attempting ─RetryableError→ Retrying    PROVIDER_OVERLOADED',
			'Retrying ─RetryableError→ Attempting    asked again after 1 s',
			'Attempting ─RetryableError→ Retrying',
			'Retrying ─RetryableError→ Selecting     the next one',
			'Selecting ─FatalError→ Exhausted        nobody is left',
		]);
	});
});
