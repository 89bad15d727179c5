/** Settings of the group advanced: what few users ever change. */
import * as z from '../../text/zod.ts';
import { setting, type SettingDef } from '../setting-def.ts';

export const advancedSettings = {
	'prowess.agent.maxIterations': setting({
		schema: z.int().min(1).max(500),
		default: 50,
		scope: 'application',
		description: 'Model calls in one turn before the agent stops and asks whether to continue. Default: 50.',
	}),
	'prowess.agent.fastPaths': setting({
		schema: z.boolean(),
		default: true,
		scope: 'application',
		description: 'Fast answers without a model for greetings, the time, the list of models and `read <path>`.',
	}),
	'prowess.capabilities.standby': setting({
		schema: z.boolean(),
		default: true,
		scope: 'machine',
		description:
			'Standby process that lets the next capability start at once. It uses some memory and ends after five minutes without use.',
	}),
	'prowess.capabilities.workerIdleMinutes': setting({
		schema: z.int().min(1).max(1440),
		default: 5,
		scope: 'machine',
		description:
			'Time that the worker of a skill stays without a call, in minutes. The next call starts a new one. Default: 5.',
	}),
	'prowess.capabilities.channel': setting({
		schema: z.enum(['auto', 'descriptor', 'ipc']),
		default: 'auto',
		scope: 'application',
		description: 'Connection to the processes of capabilities. Change it if capabilities do not connect.',
		choices: {
			auto: 'The first connection that works on this machine.',
			descriptor: 'A WebSocket over an inherited descriptor.',
			ipc: "Node's IPC channel.",
		},
	}),
	'prowess.tools.ripgrepPath': setting({
		schema: z.string().max(4096),
		default: '',
		scope: 'machine',
		description:
			"Path of ripgrep. Empty: the editor's own, then the one on the `PATH`, then the built-in search. In a remote window VS Code takes this from the remote settings only.",
	}),
} as const satisfies Record<string, SettingDef>;
