import assert from 'node:assert/strict';
import * as z from '../text/zod.ts';
import type { SettingDef } from './setting-def.ts';
import { SETTING_NAMES, settingGroups, type SettingName, settings } from './settings.ts';

describe('The table of settings', () => {
	for (const name of SETTING_NAMES) {
		it(`declares ${name} with a valid default and a sentence`, () => {
			const def: SettingDef = settings[name];
			assert.deepEqual(def.schema.parse(def.default), def.default);
			assert.match(def.description, /^[A-Z*`].*\.$/s);
		});
	}

	it('holds every group', () => {
		const inGroups = Object.values(settingGroups).flatMap((group) => Object.keys(group));
		assert.deepEqual(inGroups, SETTING_NAMES);
	});

	it('describes every value of an enum', () => {
		for (const name of SETTING_NAMES) {
			const def: SettingDef = settings[name];
			const { enum: values = [] } = z.toJSONSchema(def.schema, { io: 'input' });
			assert.deepEqual(Object.keys(def.choices ?? {}), values, name);
		}
	});

	it('has what people look for by its own name in the group of that name', () => {
		const { mcp, memory, checkpoints } = settingGroups;
		assert.deepEqual(
			[mcp, memory, checkpoints].map((group) => Object.keys(group)),
			[
				SETTING_NAMES.filter((name) => name.startsWith('prowess.mcp.')),
				SETTING_NAMES.filter((name) => name.startsWith('prowess.memory.')),
				SETTING_NAMES.filter((name) => name.startsWith('prowess.changes.')),
			],
		);
	});

	it('names everybody whom rights can be denied to', () => {
		const { schema, description } = settings['prowess.access.deny'];
		const { properties = {} } = z.toJSONSchema(schema, { io: 'input' });
		assert.deepEqual(
			Object.keys(properties).filter((who) => !description.includes(`\`${who}\``)),
			[],
		);
	});

	it('names the default of every number', () => {
		for (const name of SETTING_NAMES) {
			const def: SettingDef = settings[name];
			if (typeof def.default === 'number') {
				assert.match(def.description, new RegExp(`Default: ${String(def.default)}\\b`), name);
			}
		}
	});

	it('lets no workspace set where requests and keys go, or what runs without asking', () => {
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

	it('sets what happens while a setting that restricts the agent cannot be read', () => {
		const guards = SETTING_NAMES.filter((name) => (settings[name] as SettingDef).whileUnreadable !== undefined);
		assert.deepEqual(guards, [
			'prowess.approvals.level',
			'prowess.approvals.widestLevel',
			'prowess.access.deny',
			'prowess.approvals.deny',
			'prowess.approvals.ask',
			'prowess.hooks',
			'prowess.approvals.perHour.controlled',
			'prowess.approvals.perHour.restricted',
		]);
		assert.ok(guards.every((name) => settings[name].scope === 'application'));
	});
});
