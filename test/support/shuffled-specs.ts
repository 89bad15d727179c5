/** A root hook: the specs of each suite run in the order that PROWESS_SEED gives. A spec must not need those above it. */

import { seeded, shuffled } from './seeded.ts';

export const mochaHooks: Mocha.RootHookObject = {
	beforeAll(this: Mocha.Context) {
		const random = seeded(Number(process.env['PROWESS_SEED']));
		const shuffle = (suite: Mocha.Suite): void => {
			suite.tests = shuffled(random, suite.tests);
			suite.suites = shuffled(random, suite.suites);
			suite.suites.forEach(shuffle);
		};
		const root = this.test?.parent;
		if (root !== undefined) shuffle(root);
	},
};
