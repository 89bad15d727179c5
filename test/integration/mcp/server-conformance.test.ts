/** Sample of the public conformance package, against `prowess mcp serve --http`; test/doors.soak.ts has all of them. */
import assert from 'node:assert/strict';
import { runDemoConformance, runServerConformance } from '../../support/server-conformance.ts';

describe('prowess mcp serve, by the conformance package', function () {
	this.timeout(60_000);

	it('refuses pages of other hosts', async () => {
		const { printed } = await runServerConformance(['--scenario', 'dns-rebinding-protection', '--verbose']);
		assert.match(printed, /SUCCESS/);
		assert.doesNotMatch(printed, /FAILURE/);
	});

	it('carries content of several kinds, with the tools that the package asks for', async () => {
		const { printed } = await runDemoConformance(['--scenario', 'tools-call-mixed-content', '--verbose']);
		assert.match(printed, /SUCCESS/);
		assert.doesNotMatch(printed, /FAILURE/);
	});
});
