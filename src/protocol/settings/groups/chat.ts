/** Settings of the groups context and notifications: messages, what goes to the model with them, and what is said outside the chat. */
import * as z from '../../text/zod.ts';
import { WebSearch } from '../../ops/definitions/network/web.ts';
import { defineSetting, type SettingDef } from '../setting-def.ts';

/** Settings of the group context: how messages are sent, and what goes to the model with them. */
export const contextSettings = {
	'prowess.chat.sendWith': defineSetting({
		schema: z.enum(['enter', 'ctrlEnter']),
		default: 'enter',
		scope: 'window',
		description: 'Key that sends a message. The other key starts a new line.',
		choices: {
			enter: 'Enter sends; Ctrl+Enter starts a new line.',
			ctrlEnter: 'Ctrl+Enter sends; Enter starts a new line.',
		},
	}),
	'prowess.chat.titles': defineSetting({
		schema: z.enum(['message', 'model']),
		default: 'message',
		scope: 'application',
		description: 'Title of a new thread. Default: `message`. A title that you give stays.',
		choices: {
			message: 'The beginning of your first message.',
			model: 'A few words of the connected model, after the first turn. Costs one small request for each thread.',
		},
	}),
	'prowess.chat.tellActiveFile': defineSetting({
		schema: z.boolean(),
		default: true,
		scope: 'application',
		description:
			'Tell the model with each message which file you look at, and which lines are selected. What is in them goes along only when the agent reads it. The chip above the input switches it.',
	}),
	'prowess.search.codeIndex': defineSetting({
		schema: z.boolean(),
		default: false,
		scope: 'application',
		description:
			'Keep an index of the code, on this machine, by which the agent finds places by what they are about. It is brought up to date by each search; `@codebase` adds what fits a message. Files that are ignored or usually hold secrets are left out. Default: off.',
	}),
	'prowess.search.codeIndexEmbeddings': defineSetting({
		schema: z.string().regex(/^(?:[^\s/]+\/\S+)?$/, 'expected provider/model, or nothing'),
		default: '',
		scope: 'application',
		description:
			'Embedding model of a connected provider, as `provider/model`, that helps the code index to find places. Your searches and parts of your code are sent to it, without secrets. If it fails, places are compared on this machine. Default: empty, nothing is sent.',
	}),
	'prowess.search.codeIndexMegabytes': defineSetting({
		schema: z.int().min(10).max(10_000),
		default: 300,
		scope: 'application',
		description: 'Megabytes that the code index of one folder may take. Default: 300.',
	}),
	'prowess.web.search': defineSetting({
		schema: WebSearch,
		default: { provider: 'off' },
		scope: 'application',
		description:
			'Provider that the agent may ask to search the web: `{"provider": "searxng", "baseUrl": "…"}`, or `brave` or `tavily` with `"secret"`, the name of a stored secret that holds the key. Each host is asked about. Default: off.',
	}),
} as const satisfies Record<string, SettingDef>;

/** Settings of the group notifications: what the editor says outside the chat. */
export const notificationSettings = {
	'prowess.chat.notify': defineSetting({
		schema: z.boolean(),
		default: true,
		scope: 'window',
		description: 'Notifications when an approval waits or a turn ends while the chat is hidden.',
	}),
} as const satisfies Record<string, SettingDef>;
