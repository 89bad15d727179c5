import assert from 'node:assert/strict';
import { isLocalAddress } from './local-address.ts';

const hostOf = (url: string) => new URL(url).hostname;

describe('An address of this machine', () => {
	for (const url of [
		'http://127.0.0.1:8080/',
		'http://127.9.8.7/',
		'http://2130706433/',
		'http://0x7f.1/',
		'http://localhost/',
		'http://LOCALHOST./',
		'http://app.localhost:3000/',
		'http://0.0.0.0/',
		'http://0/',
		'http://[::1]/',
		'http://[::]/',
		'http://[::ffff:127.0.0.1]/',
		'http://[::127.0.0.1]/',
		'http://169.254.169.254/latest',
		'http://[::ffff:169.254.1.1]/',
		'http://[fe80::1]/',
		'http://[febf::1]/',
	]) {
		it(`is found in ${url}`, () => assert.equal(isLocalAddress(hostOf(url)), true));
	}

	for (const url of [
		'https://example.org/',
		'https://localhost.example.org/',
		'https://127.0.0.1.example.org/',
		'https://notlocalhost/',
		'https://8.8.8.8/',
		'https://[2001:db8::1]/',
		'https://[fec0::1]/',
	]) {
		it(`is not found in ${url}`, () => assert.equal(isLocalAddress(hostOf(url)), false));
	}
});
