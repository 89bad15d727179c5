import assert from 'node:assert/strict';
import { findErrno } from './file-error.ts';
import { retryWhenStarved } from './retry-when-starved.ts';

const failing = (code: string) => Object.assign(new Error(code), { code });

describe('retryWhenStarved', () => {
	it('passes any other error on at once', async () => {
		let tries = 0;
		const attempt = () => {
			tries++;
			return Promise.reject(failing('EACCES'));
		};
		await assert.rejects(retryWhenStarved(attempt), (error) => findErrno(error) === 'EACCES');
		assert.equal(tries, 1);
	});

	it('tries again while descriptors are missing', async () => {
		const outcomes = ['EMFILE', 'EAGAIN'];
		const attempt = () => {
			const code = outcomes.shift();
			return code === undefined ? Promise.resolve('open') : Promise.reject(failing(code));
		};
		assert.equal(await retryWhenStarved(attempt), 'open');
	});
});
