/**
 * The client scenarios of the public conformance package, as it is pinned: those that apply pass, in the words of its own
 * runner.
 */
import assert from 'node:assert/strict';
import { conformanceVerdicts } from '../../support/conformance-run.ts';

/**
 * Scenarios that do not apply, with all that the runner misses of each. They are run like the others: up to there they pass,
 * and one that fails elsewhere is a fault.
 */
const withoutUs: Readonly<Record<string, { readonly why: string; readonly misses: RegExp }>> = {
	'auth/basic-cimd': {
		why: 'wants an address at which a page on the client is found; Prowess has none, and registers instead',
		misses: /^\d+ passed, 0 failed, 1 warnings$/,
	},
	'auth/2025-03-26-oauth-metadata-backcompat': {
		why: 'its authorization server calls itself by another address than the one it is found at, which is refused (RFC 8414)',
		misses: missing('client-registration', 'authorization-request', 'token-request'),
	},
	'auth/client-credentials-jwt': {
		why: 'an extension: a program signs in for itself; here a person does',
		misses: /^9 passed, 2 failed\n.*got authorization_code\n.*Client did not make a client_credentials token request$/,
	},
	'auth/client-credentials-basic': {
		why: 'an extension: a program signs in for itself; here a person does',
		misses: /^9 passed, 2 failed\n.*got authorization_code\n.*Client did not make a client_credentials token request$/,
	},
	'auth/cross-app-access-complete-flow': {
		why: 'an extension: an identity provider of a company signs in',
		misses:
			/^9 passed, 2 failed\n.*Client did not perform token exchange\n.*did not perform JWT bearer grant exchange$/,
	},
};

function missing(...checks: readonly string[]): RegExp {
	const lines = checks.map((check) => `\\n.*Expected Check Missing: ${check}`);
	return new RegExp(`^1 passed, ${checks.length} failed${lines.join('')}$`);
}

describe('The conformance scenarios for clients', function () {
	this.timeout(300_000);

	it('pass, but for those that do not apply', async () => {
		const verdicts = await conformanceVerdicts('all');
		// The runner warns of a wait that ends late by the clock, as it does on a busy machine.
		const isLate = (scenario: string, verdict: string) => scenario === 'sse-retry' && verdict.includes(', 0 failed,');
		const failed = [...verdicts].filter(([scenario, verdict]) => verdict !== 'passed' && !isLate(scenario, verdict));
		const names = failed.map(([scenario]) => scenario).toSorted();
		assert.deepEqual(names, Object.keys(withoutUs).toSorted(), failed.join('\n'));
		for (const [scenario, verdict] of failed) assert.match(verdict, withoutUs[scenario]?.misses ?? /^$/, scenario);
		assert.equal(verdicts.size, 26);
	});
});
