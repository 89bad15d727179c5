/**
 * A root hook: the specs of each suite run in the order that PROWESS_SEED gives. A spec must not need those above it, but in
 * a suite that tells a story.
 */

import { seeded, shuffled } from './seeded.ts';

const stories = new WeakSet<Mocha.Suite>();

/** The specs of this suite are the steps of one story: each needs those above it, and they are never shuffled. */
export function inOrder(suite: Mocha.Suite): void {
	stories.add(suite);
}

export const mochaHooks: Mocha.RootHookObject = {
	beforeAll(this: Mocha.Context) {
		const random = seeded(Number(process.env['PROWESS_SEED']));
		const shuffle = (suite: Mocha.Suite): void => {
			if (!stories.has(suite)) suite.tests = shuffled(random, suite.tests);
			suite.suites = shuffled(random, suite.suites);
			suite.suites.forEach(shuffle);
		};
		const root = this.test?.parent;
		if (root !== undefined) shuffle(root);
	},
};
