/**
 * Page ↔ extension: the permission level of the thread on the screen. The page shows it and passes on what the user chooses;
 * the extension keeps it, and asks in a dialog of its own before the widest one.
 */
import * as z from '../text/zod.ts';
import { ThreadId } from '../rpc/ids.ts';
import { LevelInForce, PermissionLevel } from '../ops/permission-level.ts';
import { defineNotification, defineRequest } from '../rpc/message.ts';

/** Null: the thread that the next message begins. */
const LevelThreadParams = z.object({ threadId: ThreadId.nullable() });

export const levelRequests = {
	of: defineRequest('level/of', LevelThreadParams, LevelInForce),
	/** Answers with the level in force afterwards: the old one where the user has thought better of it. */
	choose: defineRequest('level/choose', LevelThreadParams.extend({ level: PermissionLevel }), LevelInForce),
} as const;

export const levelNotifications = {
	changed: defineNotification('level/changed', LevelThreadParams.extend({ inForce: LevelInForce })),
} as const;
