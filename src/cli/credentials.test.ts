import assert from 'node:assert/strict';
import { capturedKeys, captureKeys } from './credentials.ts';
import { secrets } from './ports/secrets.ts';

describe('secrets from the environment', () => {
	it('are taken out of it, whatever the case of their names, and are known to the redaction', async () => {
		const environment: Record<string, string | undefined> = {
			PROWESS_SECRET_GITHUB: 'canary-of-github',
			prowess_secret_lower: 'canary-of-lower',
			PROWESS_SECRET_EMPTY: '',
			PROWESS_SECRETS: 'no secret',
			PATH: '/bin',
		};
		captureKeys(environment);
		assert.deepEqual(environment, { PROWESS_SECRETS: 'no secret', PATH: '/bin' });
		assert.deepEqual(await secrets.list(), ['GITHUB', 'LOWER']);
		assert.deepEqual(
			await Promise.all(['github', 'GITHUB', 'Lower', 'EMPTY', 'none'].map((name) => secrets.get(name))),
			['canary-of-github', 'canary-of-github', 'canary-of-lower', undefined, undefined],
		);
		assert.ok(['canary-of-github', 'canary-of-lower'].every((value) => capturedKeys().includes(value)));
	});

	it('cannot be stored', async () => {
		await assert.rejects(secrets.set('x', 'y'), { code: 'NOT_AVAILABLE_HERE' });
	});
});
