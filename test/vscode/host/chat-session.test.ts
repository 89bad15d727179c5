import assert from 'node:assert/strict';
import type { Webview } from 'vscode';
import { Emitter } from '../../../src/base/emitter.ts';
import { ChatSession, type SessionPorts } from '../../../src/extension/chat/chat-session.ts';
import { modelRequests } from '../../../src/protocol/turn/models.ts';
import { Peer } from '../../../src/protocol/rpc/peer.ts';
import { postMessageWire } from '../../../src/protocol/rpc/post-message-wire.ts';

const { signal } = new AbortController();

describe('The page of the chat', () => {
	it('cannot make the server ask an address, and still gets the list of models', async () => {
		const toPage = new Emitter<unknown>();
		const toHost = new Emitter<unknown>();
		const asked: string[] = [];
		const webview = {
			postMessage(frame: unknown) {
				toPage.fire(frame);
				return Promise.resolve(true);
			},
			onDidReceiveMessage: toHost.event,
		} as unknown as Webview;
		const ports = {
			log: { debug() {}, info() {}, warn() {}, error() {} },
			view: {},
			desk: {},
			changes: {},
			prompts: {},
			server: () =>
				Promise.resolve({
					call: (def: { readonly method: string }) => {
						asked.push(def.method);
						return Promise.resolve({ models: [], selected: null, problems: [], resting: [] });
					},
				}),
			keyboard() {},
			endThread: () => Promise.resolve(),
		} as unknown as SessionPorts;
		const session = new ChatSession(webview, ports);
		const wire = postMessageWire({
			post: (frame) => toHost.fire(frame),
			listen: (receive) => toPage.event(receive),
			onBadFrame() {},
		});
		const page = new Peer(wire);
		try {
			const provider = { id: 'evil', kind: 'openai-compatible' as const, baseUrl: 'http://127.0.0.1:9/v1', models: [] };
			await assert.rejects(
				page.call(modelRequests.check, { provider, key: null }, signal),
				/no such method|model\/check/u,
			);
			await assert.rejects(page.call(modelRequests.discover, {}, signal), /no such method|model\/discover/u);
			assert.deepEqual(await page.call(modelRequests.list, {}, signal), {
				models: [],
				selected: null,
				problems: [],
				resting: [],
			});
			assert.deepEqual(asked, ['model/list']);
		} finally {
			session.dispose();
			wire.close();
		}
	});
});
