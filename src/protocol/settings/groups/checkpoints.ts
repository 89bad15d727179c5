/** Settings of the group checkpoints: what can be undone. */
import * as z from '../../text/zod.ts';
import { defineSetting, type SettingDef } from '../setting-def.ts';

export const checkpointSettings = {
	'prowess.changes.commandMegabytes': defineSetting({
		schema: z.int().min(0).max(4096),
		default: 200,
		scope: 'application',
		description:
			'Size in megabytes of the copy of a folder with which changes by commands can be undone. Default: 200. Ignored files, `.git`, `node_modules`, files that usually hold secrets and files of more than 2 MB are not copied. 0: there is no copy, and no undo of what commands change.',
	}),
} as const satisfies Record<string, SettingDef>;
