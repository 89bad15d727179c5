/**
 * Socket of one page that has proved who it is. Before each message, in or out, the device is looked at anew: a revoked one is
 * told nothing more, and asks for nothing more.
 */
import type { RawData, WebSocket } from 'ws';
import { DisposableStore, toDisposable, type Disposable } from '../../../base/disposable.ts';
import { parseJsonOrUndefined } from '../../../base/text/lenient.ts';
import type { WebWelcome } from '../../../protocol/doors/web.ts';
import { WEB_CLOSING } from '../../../protocol/doors/web-closing.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { text } from '../../../protocol/text/text.ts';
import type { PermissionLevel } from '../../../protocol/ops/permission-level.ts';
import type { ThreadId } from '../../../protocol/rpc/ids.ts';
import { Peer } from '../../../protocol/rpc/peer.ts';
import { postMessageWire } from '../../../protocol/rpc/post-message-wire.ts';
import type { Clients } from '../clients.ts';
import { createFrameGuard, createFrameRefusal } from '../frame-guard.ts';
import { webLimits } from '../limits.ts';
import { type LeftInFolder, type ServedFolder, serveBrowserPage } from './browser-page.ts';
import { RequestsUnderWay } from './requests-under-way.ts';
import type { WebDevice, WebDevices } from './web-devices.ts';

export interface FolderOfPages extends ServedFolder {
	readonly clients: Clients;
	/** Widest permission level of threads that browsers prompt; undefined: the level that the thread has. */
	readonly widest: PermissionLevel | undefined;
	/** Input and thread that each device left in the folder, by its id. */
	readonly left: Map<string, LeftInFolder>;
}

/** The template itself where there is no translation. */
export function translateFrom(strings: Readonly<Record<string, string>>, template: string): string {
	return (Object.hasOwn(strings, template) ? strings[template] : undefined) ?? template;
}

/** Undefined for what is no JSON. Messages are whole, and so one buffer each. */
export function readFrame(data: RawData): unknown {
	return Buffer.isBuffer(data) ? parseJsonOrUndefined(data.toString('utf8')) : undefined;
}

interface BrowserConnectionParts {
	readonly page: WebSocket;
	/** Sent once the device is let in, before anything else. */
	readonly welcome: WebWelcome;
	readonly deviceId: string;
	readonly devices: WebDevices;
	readonly folder: FolderOfPages;
	/** Translations of the texts of the view. */
	readonly strings: Readonly<Record<string, string>>;
	/** Thread that the page showed before; it counts where the device left none. */
	readonly threadId: ThreadId | null;
	log(message: string): void;
}

export class BrowserConnection implements Disposable {
	readonly #parts: BrowserConnectionParts;
	readonly #store = new DisposableStore();

	/** Throws ACCESS_DENIED where browsers may not even look. */
	constructor(parts: BrowserConnectionParts) {
		this.#parts = parts;
		const { page, folder, deviceId, strings, threadId, log } = parts;
		const { name } = this.#device();
		const { widest } = folder;
		const wish = { principal: 'web', device: name, ...(widest !== undefined && { widest }) } as const;
		const client = this.#store.add(folder.clients.admit(wish));
		page.send(JSON.stringify(parts.welcome));
		const isLetIn = () => {
			const isPaired = this.#find() !== undefined;
			if (isPaired && client.rights.includes('look')) return true;
			page.close(isPaired ? WEB_CLOSING.denied : WEB_CLOSING.unpaired);
			this.dispose();
			return false;
		};
		const translate = (template: string) => translateFrom(strings, template);
		const guard = createFrameGuard(() => performance.now());
		const postFrame = (frame: unknown) => {
			if (page.readyState !== page.OPEN || !isLetIn()) return;
			if (page.bufferedAmount > webLimits.unwrittenBytes) page.close(WEB_CLOSING.comeBack);
			else page.send(JSON.stringify(frame));
		};
		const underWay = new RequestsUnderWay(webLimits.requestsAtOnce);
		const judgeFrame = (frame: unknown) => {
			const verdict = guard(frame);
			return verdict === 'pass' && !underWay.take(frame) ? 'tooMany' : verdict;
		};
		const wire = postMessageWire({
			post: (frame) => {
				underWay.note(frame);
				postFrame(frame);
			},
			listen: (receive) => {
				const onMessage = (data: RawData, isBinary: boolean) => {
					if (!isLetIn()) return;
					const frame = isBinary ? undefined : readFrame(data);
					const verdict = judgeFrame(frame);
					if (verdict === 'pass') {
						receive(frame);
						return;
					}
					const refusal = createFrameRefusal(frame, verdict, translate);
					if (refusal !== undefined) postFrame(refusal);
				};
				page.on('message', onMessage);
				return toDisposable(() => page.off('message', onMessage));
			},
			onBadFrame: () => log(`a message of the device "${name}" was dropped`),
		});
		this.#store.add(toDisposable(() => wire.close()));
		const left = folder.left.get(deviceId) ?? { threadId: null, typed: { drafts: {}, queues: {} } };
		left.threadId ??= threadId;
		folder.left.set(deviceId, left);
		const peer = new Peer(wire, (method) => log(`a message of the device "${name}" was dropped: ${method}`));
		this.#store.add(
			serveBrowserPage({ ...folder, peer, client, left, strings, translate, device: () => this.#device() }),
		);
		const { gone } = folder.server;
		const onGone = () => page.close(WEB_CLOSING.comeBack);
		gone.addEventListener('abort', onGone, { once: true });
		this.#store.add(toDisposable(() => gone.removeEventListener('abort', onGone)));
		if (gone.aborted) onGone();
	}

	dispose(): void {
		this.#store.dispose();
	}

	#find(): WebDevice | undefined {
		return this.#parts.devices.find(this.#parts.deviceId);
	}

	#device(): WebDevice {
		const device = this.#find();
		if (device === undefined)
			throw new ProwessError('ACCESS_DENIED', 'the device is not paired any more', {
				said: text('This device is not paired any more.'),
			});
		return device;
	}
}
