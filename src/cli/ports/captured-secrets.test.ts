import assert from 'node:assert/strict';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { capturedKeys, captureKeys } from '../server/credentials.ts';
import { SecretsFile } from '../home/secrets-file.ts';
import { createSecrets } from './secrets.ts';

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
		const secrets = createSecrets(new SecretsFile(tempDir('home')));
		assert.deepEqual(environment, { PROWESS_SECRETS: 'no secret', PATH: '/bin' });
		assert.deepEqual(await secrets.list(), ['GITHUB', 'LOWER']);
		assert.deepEqual(
			await Promise.all(['github', 'GITHUB', 'Lower', 'EMPTY', 'none'].map((name) => secrets.get(name))),
			['canary-of-github', 'canary-of-github', 'canary-of-lower', undefined, undefined],
		);
		assert.ok(['canary-of-github', 'canary-of-lower'].every((value) => capturedKeys().includes(value)));
	});

	it('go before those that are stored, whatever their case', async () => {
		captureKeys({ PROWESS_SECRET_GITHUB: 'canary-of-github' });
		const secrets = createSecrets(new SecretsFile(tempDir('home')));
		await secrets.set('github', 'canary-of-the-file');
		await secrets.set('npm', 'canary-of-npm');
		assert.deepEqual(await Promise.all(['github', 'GitHub', 'NPM'].map((name) => secrets.get(name))), [
			'canary-of-github',
			'canary-of-github',
			'canary-of-npm',
		]);
		assert.deepEqual(
			(await secrets.list()).filter((name) => name !== 'LOWER'),
			['GITHUB', 'npm'],
		);
		await secrets.set('NPM', undefined);
		assert.equal(await secrets.get('npm'), undefined);
	});
});
