import assert from 'node:assert/strict';
import { readSettings, SETTING_NAMES, type SettingDef, type SettingName, settings } from './settings.ts';

const read = (values: Partial<Record<SettingName, unknown>>) => readSettings((name) => values[name]);

describe('readSettings', () => {
	it('takes the default for a wrong value and names the setting and the field at fault', () => {
		const { settings: found, problems } = read({
			'prowess.agent.maxIterations': 'many',
			'prowess.providers': [
				{ id: 'ok', kind: 'openai' },
				{ id: 'Not Ok', kind: 'openai' },
			],
			'prowess.mode': null,
		});
		assert.equal(found['prowess.agent.maxIterations'], 50);
		assert.deepEqual(found['prowess.providers'], []);
		assert.equal(found['prowess.mode'], 'agent');
		assert.equal(problems.length, 3);
		assert.ok(problems.every((problem) => problem.endsWith('; the default is used')));
		assert.match(problems.join('\n'), /^prowess\.providers\.1\.id: expected lower-case/m);
		assert.match(problems.join('\n'), /^prowess\.agent\.maxIterations: /m);
	});

	for (const [name, value] of [
		['prowess.agent.maxIterations', 0],
		['prowess.agent.maxIterations', 1.5],
		['prowess.agent.toolTimeoutSeconds', -1],
		['prowess.approvals.timeoutMinutes', Number.NaN],
		['prowess.approvals.allow', 'shell.run *'],
		['prowess.providers', [{ id: 'a', kind: 'openai', baseUrl: 'file:///etc/passwd' }]],
		['prowess.chat.notify', 'yes'],
	] as const) {
		it(`refuses ${JSON.stringify(value)} for ${name}`, () => {
			const { settings: found, problems } = read({ [name]: value });
			assert.deepEqual(found[name], settings[name].default);
			assert.equal(problems.length, 1);
		});
	}

	it('keeps what is set and valid, and fills in what a value leaves out', () => {
		const { settings: found, problems } = read({
			'prowess.model': 'local/m',
			'prowess.providers': [{ id: 'local', kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:1/v1' }],
		});
		assert.deepEqual(problems, []);
		assert.equal(found['prowess.model'], 'local/m');
		assert.deepEqual(found['prowess.providers'][0]?.models, []);
	});

	it('has a value for every setting when none is set', () => {
		assert.deepEqual(Object.keys(read({}).settings), SETTING_NAMES);
	});

	for (const name of SETTING_NAMES) {
		it(`declares ${name} with a default of its own kind and a sentence`, () => {
			const def: SettingDef = settings[name];
			assert.deepEqual(def.schema.parse(def.default), def.default);
			assert.match(def.description, /^[A-Z*`].*\.$/s);
		});
	}

	it('lets no workspace say where requests and keys go, or what needs no question', () => {
		const guarded: SettingName[] = [
			'prowess.model',
			'prowess.providers',
			'prowess.capabilities.model',
			'prowess.capabilities.modelProviders',
			'prowess.approvals.allow',
			'prowess.approvals.timeoutMinutes',
		];
		for (const name of guarded) {
			assert.equal(settings[name].scope, 'application', name);
		}
		assert.notEqual(settings['prowess.tools.ripgrepPath'].scope, 'resource');
	});
});
