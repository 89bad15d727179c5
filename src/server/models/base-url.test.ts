import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { checkedBaseUrl } from './base-url.ts';

describe('checkedBaseUrl', () => {
	const refused = [
		['', /Expected an http or https URL/],
		['example.com/v1', /Expected an http or https URL/],
		['file:///etc/passwd', /Expected an http or https URL/],
		['http://example.com/v1', /http is allowed for this machine/],
		['http://172.32.1.5:11434/v1', /http is allowed for this machine/],
		['http://169.254.169.254/latest', /http is allowed for this machine/],
		['http://[fe80::1]/v1', /http is allowed for this machine/],
		['http://127.0.0.1.example.com/v1', /http is allowed for this machine/],
		['http://localhost.example.com/v1', /http is allowed for this machine/],
		['https://user:secret@example.com/v1', /A key belongs in the secret store/],
		['https://example.com/v1?key=secret', /no query and no fragment/],
		['https://example.com/v1#x', /no fragment/],
	] as const;
	for (const [url, problem] of refused) {
		it(`refuses ${JSON.stringify(url)}`, () => {
			assert.throws(() => checkedBaseUrl('acme', url), { code: 'INVALID_PARAMS', message: problem });
		});
	}

	it('shows no password in its refusal', () => {
		assert.throws(
			() => checkedBaseUrl('acme', 'https://user:hunter2@example.com'),
			(error: Error) => !error.message.includes('hunter2'),
		);
	});

	const taken = [
		['http://192.168.1.5:11434/v1', 'http://192.168.1.5:11434/v1'],
		['http://10.0.0.7/v1', 'http://10.0.0.7/v1'],
		['http://172.16.0.1/v1', 'http://172.16.0.1/v1'],
		['http://[fd00::7]:8080/v1', 'http://[fd00::7]:8080/v1'],
		['http://nas.local/v1', 'http://nas.local/v1'],
		['http://host.docker.internal:1234/v1', 'http://host.docker.internal:1234/v1'],
		['https://api.example.com/v1/', 'https://api.example.com/v1'],
		['http://localhost:11434/v1', 'http://localhost:11434/v1'],
		['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
		['http://127.1:8080', 'http://127.0.0.1:8080'],
		['http://[::1]:8080/v1//', 'http://[::1]:8080/v1'],
	] as const;
	for (const [url, expected] of taken) {
		it(`takes ${url}`, () => {
			assert.equal(checkedBaseUrl('acme', url), expected);
		});
	}
});
