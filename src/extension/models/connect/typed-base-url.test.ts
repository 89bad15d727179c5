import assert from 'node:assert/strict';
import { isTypedUnencrypted, typedBaseUrl } from './typed-base-url.ts';

describe('The address of a model server', () => {
	for (const [typed, meant] of [
		['127.0.0.1:1234', 'http://127.0.0.1:1234/v1'],
		[' localhost:1234/ ', 'http://localhost:1234/v1'],
		['[::1]:8080', 'http://[::1]:8080/v1'],
		['http://127.0.0.1:41878', 'http://127.0.0.1:41878/v1'],
		['http://127.0.0.1:1234/api/v2/', 'http://127.0.0.1:1234/api/v2'],
		['192.168.0.7:8000', 'http://192.168.0.7:8000/v1'],
		['http://nas.local/v1', 'http://nas.local/v1'],
		['host.docker.internal:11434', 'http://host.docker.internal:11434/v1'],
		['models.example', 'https://models.example/v1'],
		['https://models.example/v1', 'https://models.example/v1'],
	] as const) {
		it(`is whole when it was typed as ${JSON.stringify(typed)}`, () => {
			assert.deepEqual(typedBaseUrl(typed), { fault: undefined, baseUrl: meant });
		});
	}

	for (const [typed, fault] of [
		['', 'form'],
		['not a url', 'form'],
		['ftp://host/x', 'form'],
		['http://169.254.169.254/v1', 'plain'],
		['http://192.168.0.7.example.com/v1', 'plain'],
		['http://127.0.0.1.example.com/v1', 'plain'],
		['user:key@host', 'credentials'],
		['https://host/v1?key=secret', 'query'],
	] as const) {
		it(`is not made right by being completed: ${JSON.stringify(typed)}`, () => {
			assert.deepEqual(typedBaseUrl(typed), { fault });
		});
	}

	it('says where key and code would travel unencrypted', () => {
		const typed = [
			'http://192.168.0.7:8000',
			'nas.local',
			'https://192.168.0.7',
			'127.0.0.1:1234',
			'models.example',
			'[',
		];
		assert.deepEqual(typed.map(isTypedUnencrypted), [true, true, false, false, false, false]);
	});
});
