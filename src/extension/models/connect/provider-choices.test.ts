import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ProviderConfig } from '../../../protocol/turn/models.ts';
import { baseUrlProblem, providerChoices, providerId, withProvider } from './provider-choices.ts';

const saved: ProviderConfig[] = [
	{ id: 'compatible', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:1234/v1', models: [] },
	{ id: 'anthropic', kind: 'anthropic', models: [] },
];
const sentences = { form: 'form', plain: 'plain' };

describe('provider choices', () => {
	it('gives every kind an id that the settings accept', () => {
		for (const { id, kind } of providerChoices) {
			assert.ok(ProviderConfig.safeParse({ id, kind, models: [] }).success, id);
		}
	});

	it('connects the same address again under the same id, another one under a new id', () => {
		assert.equal(providerId('anthropic', undefined, saved), 'anthropic');
		assert.equal(providerId('compatible', 'http://127.0.0.1:1234/v1', saved), 'compatible');
		assert.equal(providerId('compatible', 'http://127.0.0.1:9/v1', saved), 'compatible-2');
		assert.equal(providerId('LM Studio!', 'http://127.0.0.1:9/v1', saved), 'lm-studio');
	});

	it('refuses an address that the server would refuse, and takes one that can be completed', () => {
		assert.equal(baseUrlProblem('not a url', sentences), 'form');
		assert.equal(baseUrlProblem('file:///etc/passwd', sentences), 'form');
		assert.equal(baseUrlProblem('https://user:key@host/v1', sentences), 'form');
		assert.equal(baseUrlProblem('http://models.example/v1', sentences), 'plain');
		assert.equal(baseUrlProblem('http://192.168.0.7:8000/v1', sentences), undefined);
		assert.equal(baseUrlProblem('https://host/v1?key=secret', sentences), 'form');
		assert.equal(baseUrlProblem('127.0.0.1:1234', sentences), undefined);
		assert.equal(baseUrlProblem('https://models.example/v1', sentences), undefined);
	});

	it('replaces a provider in its place', () => {
		const next = withProvider(saved, { id: 'anthropic', kind: 'anthropic', models: ['a'] });
		assert.deepEqual(
			next.map(({ id }) => id),
			['compatible', 'anthropic'],
		);
		assert.deepEqual(next[1]?.models, ['a']);
	});
});
