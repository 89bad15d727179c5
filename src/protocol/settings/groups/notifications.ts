/** Settings of the group notifications: what the editor says outside the chat. */
import * as z from '../../text/zod.ts';
import { defineSetting, type SettingDef } from '../setting-def.ts';

export const notificationSettings = {
	'prowess.chat.notify': defineSetting({
		schema: z.boolean(),
		default: true,
		scope: 'window',
		description: 'Notifications when an approval waits or a turn ends while the chat is hidden.',
	}),
} as const satisfies Record<string, SettingDef>;
