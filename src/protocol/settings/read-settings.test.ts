import assert from 'node:assert/strict';
import { readSettings, settingProblemText } from './read-settings.ts';
import { SETTING_NAMES, type SettingName, settings } from './settings.ts';

const read = (values: Partial<Record<SettingName, unknown>>) => readSettings((name) => values[name]);

describe('readSettings', () => {
	it('replaces a wrong value with its default and names the setting and the field', () => {
		const { settings: found, problems } = read({
			'prowess.agent.maxIterations': 'many',
			'prowess.databases': { orders: 7 },
			'prowess.mode': null,
		});
		assert.equal(found['prowess.agent.maxIterations'], 50);
		assert.deepEqual(found['prowess.databases'], {});
		assert.equal(found['prowess.mode'], 'agent');
		assert.deepEqual(
			problems.map(({ name, instead }) => `${name}: ${instead}`).toSorted((a, b) => a.localeCompare(b, 'en')),
			['agent.maxIterations', 'databases', 'mode'].map((name) => `prowess.${name}: the default is used`),
		);
		const ofDatabases = problems.find(({ name }) => name === 'prowess.databases');
		assert.match(ofDatabases?.fault ?? '', /^prowess\.databases\.orders: /);
	});

	it('takes the time limit of tools from the environment before what is stored, and names a variable that is wrong', () => {
		const limited = (value: string) => {
			const stored = { 'prowess.agent.toolTimeoutSeconds': 7 } as const;
			const { settings: found, problems } = readSettings((name) => (stored as Record<string, unknown>)[name], {
				PROWESS_TOOL_TIMEOUT_SECS: value,
			});
			return [found['prowess.agent.toolTimeoutSeconds'], ...problems.map(({ fault }) => fault.split(':')[0])];
		};
		assert.deepEqual(['3', ' 0 ', ''].map(limited), [[3], [0], [7]]);
		for (const wrong of ['soon', '-1', '1.5', '1e9']) {
			assert.deepEqual(limited(wrong), [120, 'PROWESS_TOOL_TIMEOUT_SECS'], wrong);
		}
	});

	it('takes the wait for other agents from the environment, 0 too, and leaves the fields beside it', () => {
		const limited = (value: string) => {
			const stored = { 'prowess.agent.limits': { earlierMessages: 9 } };
			const { settings: found, problems } = readSettings((name) => (stored as Record<string, unknown>)[name], {
				PROWESS_AGENT_TIMEOUT_SECS: value,
			});
			return [found['prowess.agent.limits'], ...problems.map(({ fault }) => fault.split(':')[0])];
		};
		for (const [value, subAgentSeconds] of [
			['3', 3],
			[' 0 ', 0],
			['', 600],
		] as const) {
			assert.deepEqual(limited(value), [{ earlierMessages: 9, subAgentSeconds }]);
		}
		for (const wrong of ['soon', '-1', '1.5', '1e9']) {
			const kept = { earlierMessages: 9, subAgentSeconds: 600 };
			assert.deepEqual(limited(wrong), [kept, 'PROWESS_AGENT_TIMEOUT_SECS'], wrong);
		}
	});

	it('says that the setting counts where a variable for one field of it is wrong', () => {
		const { settings: found, problems } = readSettings(
			(name) => (name === 'prowess.agent.limits' ? { subAgentSeconds: 30 } : undefined),
			{ PROWESS_AGENT_TIMEOUT_SECS: 'soon' },
		);
		assert.deepEqual(
			[found['prowess.agent.limits'], ...problems.map(({ instead }) => instead)],
			[{ subAgentSeconds: 30 }, 'the setting counts'],
		);
	});

	it('keeps the valid entries of a list and names each wrong one once', () => {
		const { settings: found, problems } = read({
			'prowess.approvals.deny': ['shell.run git push', 7, 'fs.* secrets', null],
			'prowess.hooks': [
				{ when: 3, run: 'x' },
				{ when: 'before', run: ['guard'] },
			],
		});
		assert.deepEqual(found['prowess.approvals.deny'], ['shell.run git push', 'fs.* secrets']);
		assert.deepEqual(found['prowess.hooks'], [{ when: 'before', run: ['guard'] }]);
		assert.deepEqual(
			problems.map((problem) => settingProblemText(problem).replace(/: .*;/, ':')),
			[
				'prowess.approvals.deny.1: the other entries count',
				'prowess.approvals.deny.3: the other entries count',
				'prowess.hooks.0.when: the other entries count',
			],
		);
	});

	it('reads a value under the former name of a setting, and names that key where the value is wrong', () => {
		const written = (values: Readonly<Record<string, unknown>>) => readSettings((_name, key) => values[key]);
		const former = (level: unknown) => written({ 'prowess.approvals.autonomy': level });
		assert.equal(former('manual').settings['prowess.approvals.level'], 'manual');
		assert.match(former('Manual').problems[0]?.fault ?? '', /^prowess\.approvals\.autonomy: /);
		const both = { 'prowess.approvals.autonomy': 'full', 'prowess.approvals.level': 'ask' };
		assert.equal(written(both).settings['prowess.approvals.level'], 'ask');
	});

	it('ignores a list that is too long', () => {
		const { settings: found, problems } = read({ 'prowess.approvals.deny': Array(501).fill('fs.read a') });
		assert.deepEqual(found['prowess.approvals.deny'], []);
		assert.deepEqual(
			problems.map(({ name, instead }) => [name, instead]),
			[['prowess.approvals.deny', 'the default is used']],
		);
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

	it('keeps valid values and fills in missing fields', () => {
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
});
