import assert from 'node:assert/strict';
import type { SecretStorage } from 'vscode';
import { createSecretsPort } from './secrets-port.ts';

describe("secrets in the editor's store", () => {
	it('are kept apart from the keys of models', async () => {
		const kept = new Map([['prowess.key.openai', 'key']]);
		const storage: Omit<SecretStorage, 'onDidChange'> = {
			keys: () => Promise.resolve([...kept.keys()]),
			get: (key) => Promise.resolve(kept.get(key)),
			store: (key, value) => Promise.resolve(void kept.set(key, value)),
			delete: (key) => Promise.resolve(void kept.delete(key)),
		};
		const port = createSecretsPort(storage as SecretStorage);
		await port.set('github', 'value');
		assert.deepEqual([await port.list(), await port.get('github')], [['github'], 'value']);
		assert.equal(await port.get('openai'), undefined);
		await port.set('github', undefined);
		assert.deepEqual([...kept], [['prowess.key.openai', 'key']]);
	});
});
