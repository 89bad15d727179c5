import assert from 'node:assert/strict';
import { typedBaseUrl } from './typed-base-url.ts';

describe('The address of a model server', () => {
	for (const [typed, meant] of [
		['127.0.0.1:1234', 'http://127.0.0.1:1234/v1'],
		[' localhost:1234/ ', 'http://localhost:1234/v1'],
		['[::1]:8080', 'http://[::1]:8080/v1'],
		['http://127.0.0.1:41878', 'http://127.0.0.1:41878/v1'],
		['http://127.0.0.1:1234/api/v2/', 'http://127.0.0.1:1234/api/v2'],
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
		['http://192.168.0.7:8000', 'plain'],
		['http://nas.local/v1', 'plain'],
		['http://127.0.0.1.example.com/v1', 'plain'],
		['user:key@host', 'credentials'],
		['https://host/v1?key=secret', 'query'],
	] as const) {
		it(`is not made right by being completed: ${JSON.stringify(typed)}`, () => {
			assert.deepEqual(typedBaseUrl(typed), { fault });
		});
	}
});
