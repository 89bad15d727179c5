/** Settings of the groups terminal and checkpoints: how commands run, and the undo of what they change. */
import * as z from '../../text/zod.ts';
import { defineSetting, type SettingDef } from '../setting-def.ts';

/** Settings of the group terminal: how commands run. */
export const terminalSettings = {
	'prowess.agent.toolTimeoutSeconds': defineSetting({
		schema: z.int().min(0).max(86_400),
		default: 120,
		scope: 'application',
		description:
			'Time limit of one tool call, in seconds. A command may ask for a different limit. Waiting for your approval does not count. `PROWESS_TOOL_TIMEOUT_SECS` in the environment overrides it. Default: 120. 0: no limit.',
	}),
	'prowess.tools.bubblewrapPath': defineSetting({
		schema: z.string().max(4096),
		default: '',
		scope: 'machine',
		description:
			'Path of bubblewrap, which runs commands and capabilities in a sandbox on Linux. Empty: `/usr/bin/bwrap` and other usual places. In a remote window VS Code takes this from the remote settings only.',
	}),
	'prowess.browser.path': defineSetting({
		schema: z.string().max(4096),
		default: '',
		scope: 'machine',
		description:
			'Path of Chrome, Edge or Chromium, which the agent opens pages with. Empty: the first one that is installed in a usual place. In a remote window VS Code takes this from the remote settings only.',
	}),
} as const satisfies Record<string, SettingDef>;

/** Settings of the group checkpoints: what can be undone. */
export const checkpointSettings = {
	'prowess.changes.commandMegabytes': defineSetting({
		schema: z.int().min(0).max(4096),
		default: 200,
		scope: 'application',
		description:
			'Size in megabytes of the copy of a folder with which changes by commands can be undone. Default: 200. Ignored files, `.git`, `node_modules`, files that usually hold secrets and files of more than 2 MB are not copied. 0: there is no copy, and no undo of what commands change.',
	}),
} as const satisfies Record<string, SettingDef>;
