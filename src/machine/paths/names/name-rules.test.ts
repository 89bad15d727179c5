import assert from 'node:assert/strict';
import { nameRules } from './name-rules.ts';

describe('A rule on names', () => {
	for (const [rule, name, isMatch] of [
		['*.pem', '.pem', true],
		['*.pem', 'KEY.PEM', true],
		['*.pem', 'pem', false],
		['*.pem', 'key.pem.txt', false],
		['a*a', 'a', false],
		['a*a', 'aa', true],
		['a*b*b', 'ab', false],
		['a*b*b', 'axbyb', true],
		['service-account*.json', 'service-account.json', true],
		['service-account*.json', 'service-account.json.bak', false],
		['.env.*', '.env.', false],
		['**', 'anything', true],
		['x+(y)*', 'xxy', false],
	] as const) {
		it(`${isMatch ? 'takes' : 'leaves'} ${name} by ${rule}`, () => {
			assert.equal(nameRules([rule])([name]), isMatch);
		});
	}
});
