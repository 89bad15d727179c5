/** A workbench whose chat talks to a scripted model on this machine; each test begins a thread of its own with a script of its own. */

import {
	type ModelServer,
	type RecordedRequest,
	type ScriptEntry,
	startModelServer,
} from '../../support/model-server.ts';
import { type Chat, chatIn } from './chat.ts';
import { openWorkbench, type Workbench, type WorkbenchOptions } from './workbench.ts';

export interface ScriptedChat {
	readonly model: ModelServer;
	readonly workbench: Workbench;
	readonly chat: Chat;
	/** From now on the model answers so, one entry for each request. */
	follow(script: readonly ScriptEntry[]): void;
	/** Sends the message in a new thread. */
	begin(text: string, script: readonly ScriptEntry[]): Promise<void>;
	/** Returns the requests since the script began. */
	requests(): readonly RecordedRequest[];
	close(): Promise<void>;
}

export async function openScriptedChat(options: WorkbenchOptions = {}): Promise<ScriptedChat> {
	let script: readonly ScriptEntry[] = [];
	let before = 0;
	const notInScript = { error: 400, message: 'the script has no answer to this request' };
	const model = await startModelServer((n) => script[n - before] ?? notInScript, { models: ['scripted', 'second'] });
	const settings = { ...modelSettings(model), ...options.settings };
	const workbench = await openWorkbench({ ...options, settings }).catch(async (error: unknown) => {
		await model.close();
		throw error;
	});
	const chat = chatIn(workbench);
	const follow = (next: readonly ScriptEntry[]) => {
		before = model.requests.length;
		script = next;
	};
	return {
		model,
		workbench,
		chat,
		follow,
		async begin(text, next) {
			follow(next);
			await chat.newThread();
			await chat.ask(text);
		},
		requests: () => model.requests.slice(before),
		async close() {
			try {
				await workbench.close();
			} finally {
				await model.close();
			}
		},
	};
}

/** User settings with which the chat talks to the endpoint, without a key. */
export function modelSettings({ baseUrl }: ModelServer): Readonly<Record<string, unknown>> {
	return {
		'prowess.providers': [{ id: 'local', kind: 'openai-compatible', baseUrl, models: ['scripted', 'second'] }],
		'prowess.model': 'local/scripted',
	};
}

/** All that the model was told in a request, as one text. */
export function toldIn(request: RecordedRequest | undefined): string {
	return JSON.stringify(request?.body['messages'] ?? '');
}
