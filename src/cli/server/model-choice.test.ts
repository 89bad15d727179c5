import assert from 'node:assert/strict';
import { ProviderConfig } from '../../protocol/turn/models.ts';
import { readSettings } from '../../protocol/settings/read-settings.ts';
import type { SettingName } from '../../protocol/settings/settings.ts';
import { chooseCommandModel, type ModelFlags } from './model-choice.ts';

const settingsWith = (values: Partial<Record<SettingName, unknown>>) => readSettings((name) => values[name]).settings;
const flags = (given: Partial<ModelFlags>): ModelFlags => ({
	provider: undefined,
	baseUrl: undefined,
	model: undefined,
	...given,
});
const local = ProviderConfig.parse({ id: 'local', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:1/v1' });
const configured = settingsWith({ 'prowess.providers': [local], 'prowess.model': 'local/small' });
const chosen = (given: Partial<ModelFlags>, settings = configured) => {
	const { provider, modelId } = chooseCommandModel(flags(given), settings, []);
	return [provider, modelId];
};

describe('chooseModel', () => {
	for (const [given, message] of [
		[{ provider: 'locl' }, /did you mean "local"/],
		[{ provider: 'openai-compatible' }, /needs --base-url/],
		[{ provider: 'openai', baseUrl: 'ftp://x' }, /--base-url takes an http\(s\) address; got "ftp:\/\/x"/],
		[{ provider: 'tour', baseUrl: 'http://x' }, /the tour has no address/],
	] as const) {
		it(`refuses ${JSON.stringify(given)}`, () => {
			assert.throws(() => chooseCommandModel(flags(given), configured, []), { name: 'UsageError', message });
		});
	}

	it('wants to know whose model it is when several providers could have it', () => {
		const two = settingsWith({ 'prowess.providers': [local, { id: 'b', kind: 'openai' }] });
		assert.throws(() => chooseCommandModel(flags({ model: 'm' }), two, []), /say which provider has it/);
		assert.deepEqual(chosen({ model: 'b/m' }, two), ['b', 'b/m']);
	});

	it('takes flags before settings, and settings before keys in the environment', () => {
		assert.deepEqual(chosen({}), ['local', 'local/small']);
		assert.deepEqual(chosen({ model: 'big' }), ['local', 'local/big']);
		assert.deepEqual(chosen({ model: 'org/big' }), ['local', 'local/org/big']);
		assert.deepEqual(chosen({ provider: 'local' }), ['local', 'local/small']);
		assert.deepEqual(chosen({ provider: 'openai', model: 'm' }), ['openai', 'openai/m']);
		assert.deepEqual(chosen({ provider: 'tour' }), ['tour', undefined]);
		assert.deepEqual(chosen({ baseUrl: 'http://127.0.0.1:2/v1', model: 'm' }), [
			'openai-compatible',
			'openai-compatible/m',
		]);
		const fromKeys = chooseCommandModel(flags({}), settingsWith({}), ['anthropic']);
		assert.deepEqual([fromKeys.provider, fromKeys.providers.map(({ id }) => id)], ['anthropic', ['anthropic']]);
	});

	it('takes an alias for what it names, and refuses it beside another provider', () => {
		const providers = [local, { id: 'b', kind: 'openai' }];
		const settings = settingsWith({ 'prowess.providers': providers, 'prowess.models.aliases': { fast: 'b/small' } });
		assert.deepEqual(chosen({ model: 'fast' }, settings), ['b', 'b/small']);
		assert.deepEqual(chosen({ provider: 'b', model: 'fast' }, settings), ['b', 'b/small']);
		assert.throws(() => chosen({ provider: 'local', model: 'fast' }, settings), {
			name: 'UsageError',
			message: /--model fast: .* b\/small, so it does not go with --provider local/,
		});
	});

	it('uses an address of the command line for this command only', () => {
		const { providers } = chooseCommandModel(
			flags({ provider: 'local', baseUrl: 'http://127.0.0.1:3/v1' }),
			configured,
			[],
		);
		assert.deepEqual(
			providers.map(({ baseUrl }) => baseUrl),
			['http://127.0.0.1:3/v1'],
		);
		assert.equal(configured['prowess.providers'][0]?.baseUrl, local.baseUrl);
	});
});
