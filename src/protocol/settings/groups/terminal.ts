/** Settings of the group terminal: how commands run. */
import * as z from '../../text/zod.ts';
import { defineSetting, type SettingDef } from '../setting-def.ts';

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
} as const satisfies Record<string, SettingDef>;
