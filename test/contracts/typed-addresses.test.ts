/** The form that asks for an address and the server that uses it take the same ones. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { typedBaseUrl } from '../../src/extension/models/connect/typed-base-url.ts';
import { checkedBaseUrl } from '../../src/server/models/base-url.ts';

const part = (...choices: readonly string[]) => fc.constantFrom(...choices);
const address = fc
	.tuple(
		part('', 'http://', 'https://', 'HTTP://', 'ftp://', 'file://'),
		part('', 'user@', 'user:key@'),
		fc.oneof(
			fc.ipV4(),
			fc.ipV6().map((ip) => `[${ip}]`),
			fc.domain(),
			part('localhost', 'a.localhost', 'nas.local', '127.1', '10.0.0.7', '192.168.1.5', '172.31.0.1', '172.32.0.1'),
			part('169.254.169.254', '[fd00::1]', '[fe80::1]', 'host.docker.internal', '192.168.1.5.example.com', '0x7f.1'),
		),
		part('', ':8080', ':99999'),
		part('', '/', '/v1', '/v1/', '/api/v2//'),
		part('', '?key=x', '#x'),
	)
	.map((parts) => parts.join(''));

describe('An address of a model server', () => {
	it('that the form takes is taken by the server as it stands, and what the form refuses is refused: 20,000 of them', () => {
		let taken = 0;
		fc.assert(
			fc.property(address, (typed) => {
				const form = typedBaseUrl(typed);
				if (form.fault === undefined) {
					taken += 1;
					assert.equal(checkedBaseUrl('p', form.baseUrl), form.baseUrl);
				} else {
					assert.throws(() => checkedBaseUrl('p', typed), { code: 'INVALID_PARAMS' });
				}
			}),
			{ numRuns: 20_000 },
		);
		assert.ok(taken > 300, String(taken));
	});
});
