import assert from 'node:assert/strict';
import { parseAllowRules } from '../src/capability-host/gate/policy/allow-rule.ts';
import { gateOf, mutate, readCommandCorpus, wideRules } from './support/command-corpus.ts';
import { pick, seeded, seedOfSoak } from './support/seeded.ts';

const mutants = 100_000;

describe('soak: hostile commands', () => {
	it(`are never run without a question, however they are dressed: ${mutants} times`, () => {
		const seed = seedOfSoak();
		console.log(`      PROWESS_SEED=${seed}`);
		const random = seeded(seed);
		const rules = parseAllowRules(wideRules);
		const readable = readCommandCorpus('hostile').flatMap(({ commands }) => (commands === undefined ? [] : [commands]));
		for (let n = 0; n < mutants; n += 1) {
			const mutant = mutate(mutate(pick(random, readable), random), random);
			assert.equal(gateOf(mutant, rules).kind, 'ask', JSON.stringify(mutant));
		}
	});
});
