/**
 * The client scenarios of the public conformance package, as it is pinned: those that apply pass, in the words of its own
 * runner.
 */
import assert from 'node:assert/strict';
import { conformanceVerdicts } from '../../support/conformance-run.ts';

/** Scenarios that do not apply, each with the reason. */
const withoutUs: Readonly<Record<string, string>> = {
	'auth/basic-cimd': 'wants an address at which a page on the client is found; Prowess has none, and registers instead',
	'auth/2025-03-26-oauth-metadata-backcompat':
		'its authorization server calls itself by another address than the one it is found at, which is refused (RFC 8414)',
	'auth/client-credentials-jwt': 'an extension: a program signs in for itself; here a person does',
	'auth/client-credentials-basic': 'an extension: a program signs in for itself; here a person does',
	'auth/cross-app-access-complete-flow': 'an extension: an identity provider of a company signs in',
};

describe('The conformance scenarios for clients', function () {
	this.timeout(300_000);

	it('pass, but for those that do not apply', async () => {
		const verdicts = await conformanceVerdicts('all');
		// The runner warns of a wait that ends late by the clock, as it does on a busy machine.
		const isLate = (scenario: string, verdict: string) => scenario === 'sse-retry' && verdict.includes(', 0 failed,');
		const failed = [...verdicts].filter(([scenario, verdict]) => verdict !== 'passed' && !isLate(scenario, verdict));
		const names = failed.map(([scenario]) => scenario).toSorted();
		assert.deepEqual(names, Object.keys(withoutUs).toSorted(), failed.join('\n'));
		assert.equal(verdicts.size, 26);
	});
});
