/** Settings of the group memory: what threads leave to later ones. */
import * as z from '../../text/zod.ts';
import { defineSetting, type SettingDef } from '../setting-def.ts';

export const memorySettings = {
	'prowess.memory.enabled': defineSetting({
		schema: z.boolean(),
		default: true,
		scope: 'application',
		description:
			'Recall at most five fitting memories for a message, and let the agent note facts and preferences for later threads. Memories stay on this machine, and those that are recalled go to the model. Default: on.',
	}),
	'prowess.memory.review': defineSetting({
		schema: z.boolean(),
		default: true,
		scope: 'application',
		description:
			'Review what the agent notes: it waits on the page *Automation*, below *Memory*, until you accept it. Without the review it is remembered at once. Default: on.',
	}),
	'prowess.memory.embeddings': defineSetting({
		schema: z.string().regex(/^(?:[^\s/]+\/\S+)?$/, 'expected provider/model, or nothing'),
		default: '',
		scope: 'application',
		description:
			'Embedding model of a connected provider, as `provider/model`, that helps to find fitting memories. Your memories and the messages they are compared with are sent to it, without secrets. If it fails, memories are compared on this machine. Default: empty, nothing is sent.',
	}),
} as const satisfies Record<string, SettingDef>;
