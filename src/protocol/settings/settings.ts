/**
 * The table of all settings. `npm run generate` derives package.json's `contributes.configuration` and docs/settings.md
 * from it; the CLI reads the same names from settings.json. Settings that control where requests and keys go, or what runs
 * without asking, have the scope `application`, so a workspace cannot set them.
 */
import type * as z from '../text/zod.ts';
import { advancedSettings } from './groups/advanced.ts';
import { approvalSettings } from './groups/approvals.ts';
import { capabilitySettings } from './groups/capabilities.ts';
import { contextSettings, notificationSettings } from './groups/chat.ts';
import { mcpSettings } from './groups/mcp.ts';
import { memorySettings } from './groups/memory.ts';
import { modelSettings } from './groups/models.ts';
import { quotaSettings } from './groups/quotas.ts';
import { privacySettings } from './groups/privacy.ts';
import { checkpointSettings, terminalSettings } from './groups/commands.ts';
import type { SettingDef } from './setting-def.ts';

/** The groups in the order in which people look for them: first what everybody chooses, last what few ever change. */
export const settingGroups = {
	models: modelSettings,
	quotas: quotaSettings,
	approvals: approvalSettings,
	capabilities: capabilitySettings,
	mcp: mcpSettings,
	memory: memorySettings,
	checkpoints: checkpointSettings,
	context: contextSettings,
	terminal: terminalSettings,
	notifications: notificationSettings,
	privacy: privacySettings,
	advanced: advancedSettings,
} as const satisfies Record<string, Record<string, SettingDef>>;

export const settings = {
	...settingGroups.models,
	...settingGroups.quotas,
	...settingGroups.approvals,
	...settingGroups.capabilities,
	...settingGroups.mcp,
	...settingGroups.memory,
	...settingGroups.checkpoints,
	...settingGroups.context,
	...settingGroups.terminal,
	...settingGroups.notifications,
	...settingGroups.privacy,
	...settingGroups.advanced,
} as const satisfies Record<string, SettingDef>;

export type SettingName = keyof typeof settings;
export type Settings = { readonly [N in SettingName]: z.output<(typeof settings)[N]['schema']> };

export const SETTING_NAMES = Object.keys(settings) as readonly SettingName[];

// Names that settings had before, under which a value still counts.
export const FORMER_SETTING_NAMES: readonly string[] = Object.values<SettingDef>(settings).flatMap(
	({ formerName }) => formerName ?? [],
);
