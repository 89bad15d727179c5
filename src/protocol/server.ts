/** Host ↔ server: the handshake and what both must know of each other. Over JSON-RPC on the process's IPC channel. */
import * as z from './text/zod.ts';
import { modelNotifications } from './turn/models.ts';
import { defineNotification, defineRequest } from './rpc/message.ts';
import { type Settings, settings as settingTable } from './settings/settings.ts';
import { SaidText } from './text/said-text.ts';

/** Raised when a message changes its meaning; added messages and fields do not raise it. */
export const PROTOCOL_VERSION = 1;

const SettingsShape = Object.fromEntries(Object.entries(settingTable).map(([name, def]) => [name, def.schema])) as {
	[N in keyof typeof settingTable]: (typeof settingTable)[N]['schema'];
};

const SettingsValue = z.object(SettingsShape) as unknown as z.ZodType<Settings, Settings>;

export const WorkspaceInfo = z.object({
	/** Name as it appears in paths of a multi-root workspace, and absolute path. */
	folders: z.array(z.object({ name: z.string(), path: z.string() })),
	trusted: z.boolean(),
	platform: z.string(),
	/** True when a file of the user or of the workspace names MCP servers; absent: none does. */
	hasMcpFile: z.boolean().optional(),
});
export type WorkspaceInfo = z.infer<typeof WorkspaceInfo>;

/** Host → server. */
export const serverRequests = {
	/** First message of all; nothing else is served before it. */
	start: defineRequest(
		'server/start',
		z.object({
			protocolVersion: z.int(),
			host: z.enum(['editor', 'cli']),
			/** Folder of our state (PROWESS_HOME). */
			home: z.string(),
			settings: SettingsValue,
			workspace: WorkspaceInfo,
			/** Tells the host what models are asked and say, or asks the host for it. Absent: neither. */
			tape: z.enum(['record', 'replay']).optional(),
		}),
		z.object({ protocolVersion: z.int(), version: z.string(), pid: z.int() }),
	),
	/** Checks the server's own health, for the Doctor. */
	doctor: defineRequest(
		'server/doctor',
		z.object({}),
		z.object({ checks: z.array(z.object({ name: SaidText, ok: z.boolean(), detail: SaidText })) }),
	),
} as const;

/** Host → server. */
export const hostNotifications = {
	settings: defineNotification('host/settings', z.object({ settings: SettingsValue })),
	workspace: defineNotification('host/workspace', WorkspaceInfo),
	/** The editor's own models changed. */
	models: defineNotification('host/models', z.object({})),
} as const;

/** Server → host. */
export const serverNotifications = {
	log: defineNotification(
		'server/log',
		z.object({
			level: z.enum(['debug', 'info', 'warn', 'error']),
			message: z.string(),
			facts: z.record(z.string(), z.unknown()).default({}),
		}),
	),
	modelsChanged: modelNotifications.changed,
} as const;
