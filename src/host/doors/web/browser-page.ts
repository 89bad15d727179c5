/**
 * The chat of one folder in one page of a browser: answers what the view asks. The page's word counts as far as its device may,
 * and never for what is kept for later, for what is dangerous, or for the widest permission level: those are for the user's
 * own machine, where a dialog asks that no page can press.
 */
import { DisposableStore, type Disposable } from '../../../base/disposable.ts';
import { itemsWhile } from '../../../catalog/registry/sources/while-off.ts';
import { agentNotifications, agentRequests } from '../../../protocol/agents/agent-view.ts';
import { type ClientRight, RIGHT_NAMES } from '../../../protocol/approvals/access.ts';
import { deskNotifications, deskRequests } from '../../../protocol/approvals/approvals.ts';
import { changeNotifications, changeRequests } from '../../../protocol/approvals/changes.ts';
import { promptingRequests } from '../../../protocol/doors/rpc.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import type { LevelInForce, PermissionLevel } from '../../../protocol/ops/permission-level.ts';
import { chatNotifications, viewRequests } from '../../../protocol/pages/chat-view.ts';
import { mergeTypedInput, type TypedInput } from '../../../protocol/pages/typed-input.ts';
import { ThreadId } from '../../../protocol/rpc/ids.ts';
import type { RequestDef } from '../../../protocol/rpc/message.ts';
import type { Peer, RequestHandlers } from '../../../protocol/rpc/peer.ts';
import { serverNotifications } from '../../../protocol/server.ts';
import { text, translateText, type Translation } from '../../../protocol/text/text.ts';
import { levelNotifications, levelRequests } from '../../../protocol/thread/thread-level.ts';
import { restoreRequests } from '../../../protocol/thread/restores.ts';
import type { Mode } from '../../../protocol/thread/thread.ts';
import { threadNotifications, threadRequests } from '../../../protocol/thread/thread-requests.ts';
import { modelRequests } from '../../../protocol/turn/models.ts';
import type { TrustedBase } from '../../trusted-base.ts';
import { changeAnswers, restoreAnswers } from '../change-answers.ts';
import type { Client } from '../clients.ts';
import { type ActOfClient, promptingAnswers } from '../prompting-answers.ts';
import { keepWithinLevel, prepareMessage, refuseSecrets } from '../send-message.ts';
import type { ThreadServer } from '../thread-follower.ts';
import { readTurnUse } from '../turn-use.ts';
import { browserDesk, deskOfBrowser, ofDesk } from './browser-desk.ts';
import { BrowserMentions } from './browser-mentions.ts';
import type { WebDevice } from './web-devices.ts';

/** Input and thread that a device left in a folder, for its next page. */
export interface LeftInFolder {
	threadId: ThreadId | null;
	typed: TypedInput;
}

export interface ServedFolder {
	/** Real path of a folder that is trusted. */
	readonly path: string;
	readonly base: TrustedBase;
	/** Server that runs; its `gone` ends the pages of the folder. */
	readonly server: ThreadServer & { readonly peer: Peer };
	readonly modelId: string | null;
	readonly mode: Mode;
}

interface PageParts extends ServedFolder {
	readonly peer: Peer;
	readonly client: Client;
	/** The device as it is now. Throws where it is revoked. */
	device(): WebDevice;
	readonly left: LeftInFolder;
	/** Translations of the texts of the view. */
	readonly strings: Readonly<Record<string, string>>;
	readonly translate: Translation;
}

const { list, open, earlier, messages, titles, words, output, image, said } = threadRequests;
const looking = { list, open, earlier, messages, titles, words, output, image, said } as const;
const { rerun, restore, fork, useNext, takeOver, overrule } = threadRequests;
const { list: listModels, askAgain } = modelRequests;
const furtherPrompting = { rerun, restore, fork, useNext, takeOver, overrule, askAgain } as const;
const { start, show, suggestTasks, complete, capabilities, resolveDrop } = viewRequests;
const { turnUse, stopCommand, stopRun, continueInBackground } = viewRequests;
const shownHere = { start, show, suggestTasks, complete, capabilities, resolveDrop } as const;
const ofPage = { ...shownHere, turnUse, stopCommand, stopRun, continueInBackground } as const;
/** Requests of the view that only an editor can carry out. */
const ofEditor = Object.values(viewRequests).filter(({ method }) =>
	Object.values(ofPage).every((each) => each.method !== method),
);
const { show: showChange, ...ofChanges } = changeRequests;
const { handOff, ...ofAgents } = agentRequests;

/** Serves the page until it is disposed of; turns that it has begun go on. */
export function serveBrowserPage(parts: PageParts): Disposable {
	return new BrowserPage(parts);
}

class BrowserPage implements Disposable {
	readonly #parts: PageParts;
	readonly #store = new DisposableStore();
	/** Level for the thread that is yet to begin; undefined: that of the settings. */
	#chosenLevel: PermissionLevel | undefined;
	/** Thread on the screen of this page; other pages of the device may show another one. */
	#shown: ThreadId | null;

	constructor(parts: PageParts) {
		this.#parts = parts;
		this.#shown = parts.left.threadId;
		const { peer, server } = parts;
		const store = this.#store;
		store.add(peer.forward(looking, () => Promise.resolve(server.peer)));
		store.add(peer.forward({ listModels }, () => Promise.resolve(server.peer)));
		store.add(peer.serve(promptingRequests, this.#prompting()));
		store.add(peer.serve(furtherPrompting, this.#furtherPrompting()));
		const desk = browserDesk(parts.base.desk, parts.client.by, () => this.#check('answer'));
		store.add(peer.serve(ofDesk, desk));
		store.add(peer.serve(ofChanges, this.#changes()));
		store.add(peer.serve(restoreRequests, this.#restores()));
		store.add(peer.serve(levelRequests, this.#levels()));
		store.add(peer.serve(ofAgents, this.#agents()));
		store.add(peer.serve(ofPage, this.#view()));
		for (const def of [...ofEditor, deskRequests.showDiff, showChange, handOff]) this.#refuse(def);
		store.add(
			peer.on(chatNotifications, {
				keyboard: () => {},
				title: () => {},
				keep: (typed) => {
					this.#check('prompt');
					parts.left.typed = mergeTypedInput(parts.left.typed, typed);
				},
			}),
		);
		this.#follow();
	}

	dispose(): void {
		this.#store.dispose();
	}

	/** Tells the page what changes. */
	#follow(): void {
		const { peer, base, server } = this.#parts;
		const store = this.#store;
		store.add(
			server.peer.on(threadNotifications, { update: (update) => peer.notify(threadNotifications.update, update) }),
		);
		store.add(
			server.peer.on(
				{ modelsChanged: serverNotifications.modelsChanged },
				{ modelsChanged: () => peer.notify(serverNotifications.modelsChanged, {}) },
			),
		);
		store.add(base.desk.onDidChange((desk) => peer.notify(deskNotifications.changed, deskOfBrowser(desk))));
		store.add(
			base.changes.onDidChange(({ owner, changes, undone }) => {
				const threadId = ThreadId.safeParse(owner);
				if (!threadId.success) return;
				const changed = { threadId: threadId.data, changes: [...changes], undone: [...undone] };
				peer.notify(changeNotifications.changed, changed);
			}),
		);
		store.add(base.levels.onDidChange((threadId) => this.#tellLevel(threadId)));
		store.add(
			base.agents.onDidChange((root) => {
				const threadId = this.#shown;
				if (threadId === null || base.agents.rootOf(threadId) !== root) return;
				void this.#quietly(async () => {
					peer.notify(agentNotifications.changed, { threadId, agents: [...(await base.agents.of(threadId))] });
				});
			}),
		);
	}

	#tellLevel(threadId: ThreadId | null): void {
		void this.#quietly(async (within) => {
			const inForce = await this.#levelOf(threadId, within);
			this.#parts.peer.notify(levelNotifications.changed, { threadId, inForce });
		});
	}

	/** News that cannot be found out are left out: the page asks again when it shows the thread anew. */
	async #quietly(tell: (within: AbortSignal) => Promise<void>): Promise<void> {
		await tell(this.#parts.server.gone).catch(() => {});
	}

	/** Throws ACCESS_DENIED where the device, or the user's settings for all browsers, leave the right out. */
	#check(right: ClientRight): void {
		const { client, device } = this.#parts;
		const { name, rights } = device();
		if (!rights.includes(right)) {
			throw new ProwessError('ACCESS_DENIED', `the device "${name}" is paired without the right to ${right}`, {
				said: text('This device may not {right}. To change that, revoke it and pair it again.', {
					right: RIGHT_NAMES[right],
				}),
			});
		}
		client.check(right);
	}

	#has(right: ClientRight): boolean {
		const { client, device } = this.#parts;
		return device().rights.includes(right) && client.rights.includes(right);
	}

	/** The act of the device, which the ledger names. */
	readonly #act: ActOfClient = async (request, threadId, work) => {
		this.#check('prompt');
		const { name } = this.#parts.device();
		const act = {
			op: `web.${request}`,
			input: `${name}: ${request}`,
			params: { device: name, request, threadId },
		} as const;
		return await this.#parts.base.recordAct({ ...act, ...(threadId !== null && { threadId }) }, work);
	};

	#refuse(def: RequestDef): void {
		const refuseRequest = () =>
			Promise.reject(
				new ProwessError('NOT_AVAILABLE_HERE', `${def.method} needs an editor`, {
					said: text('A browser cannot do this. Do it in the editor.'),
				}),
			);
		this.#store.add(this.#parts.peer.serve({ def }, { def: refuseRequest }));
	}

	#prompting(): RequestHandlers<typeof promptingRequests> {
		const { base, server } = this.#parts;
		const answers = promptingAnswers({ ...this.#parts, server: () => Promise.resolve(server), act: this.#act });
		return {
			...answers,
			attach: async (params, within) => {
				this.#check('prompt');
				return await answers.attach(params, within);
			},
			// Where a thread works is chosen at the machine.
			create: async ({ folder: _folder, ...params }, within) => {
				const created = await answers.create(params, within);
				if (this.#chosenLevel !== undefined) {
					await base.levels.set(ThreadId.parse(created.id), this.#chosenLevel, within);
					this.#chosenLevel = undefined;
				}
				return created;
			},
		};
	}

	#furtherPrompting(): RequestHandlers<typeof furtherPrompting> {
		const { base, client, server } = this.#parts;
		const pass =
			<N extends 'restore' | 'useNext' | 'takeOver' | 'overrule'>(name: N) =>
			(params: { readonly threadId: ThreadId }, within: AbortSignal) =>
				this.#act(furtherPrompting[name].method, params.threadId, () =>
					server.call(furtherPrompting[name], params as never, within),
				);
		return {
			restore: pass('restore'),
			useNext: pass('useNext'),
			takeOver: pass('takeOver'),
			overrule: pass('overrule'),
			askAgain: (params, within) => this.#act(askAgain.method, null, () => server.call(askAgain, params, within)),
			rerun: ({ text: said, secrets, ...params }, within) =>
				this.#act(rerun.method, params.threadId, async () => {
					const outgoing =
						said === undefined
							? undefined
							: await prepareMessage(base, { text: said, context: [] }, secrets === 'keep');
					if (outgoing !== undefined) refuseSecrets(outgoing.found, secrets);
					await keepWithinLevel(base, params.threadId, client, within);
					const { through: by, device } = client.by;
					base.beginThread(params.threadId, outgoing?.message.text, {
						...(by !== undefined && { by }),
						...(device !== undefined && { device }),
					});
					const again = { ...params, ...(outgoing !== undefined && { text: outgoing.message.text }) };
					return await server.call(rerun, again, within);
				}),
			fork: (params, within) =>
				this.#act(fork.method, params.threadId, async () => {
					const forked = await server.call(fork, params, within);
					await base.handOnLabel(params.threadId, forked.thread.id, within);
					await base.modes.set(forked.thread.id, forked.thread.mode, within);
					return forked;
				}),
		};
	}

	#changes(): RequestHandlers<typeof ofChanges> {
		const answers = changeAnswers(async () => this.#parts.base);
		return {
			list: answers.list,
			keep: (params, within) => this.#act(ofChanges.keep.method, params.threadId, () => answers.keep(params, within)),
			undo: (params, within) => this.#act(ofChanges.undo.method, params.threadId, () => answers.undo(params, within)),
			redo: (params, within) => this.#act(ofChanges.redo.method, params.threadId, () => answers.redo(params, within)),
		};
	}

	#restores(): RequestHandlers<typeof restoreRequests> {
		const answers = restoreAnswers(async () => this.#parts.base);
		const { begin, redo } = restoreRequests;
		return {
			...answers,
			begin: (wish, within) => this.#act(begin.method, wish.threadId, () => answers.begin(wish, within)),
			redo: (params, within) => this.#act(redo.method, params.threadId, () => answers.redo(params, within)),
		};
	}

	#levels(): RequestHandlers<typeof levelRequests> {
		const { base, client } = this.#parts;
		return {
			of: ({ threadId }, within) => this.#levelOf(threadId, within),
			choose: async ({ threadId, level }, within) => {
				this.#check('prompt');
				client.checkLevel(level);
				if (level === 'full') {
					throw new ProwessError('DENIED_BY_RULE', 'the widest level is not chosen in a browser', {
						reason: text('The level Full is chosen in the editor or on the command line, not in a browser.'),
					});
				}
				if (threadId === null) this.#chosenLevel = level;
				else await this.#act(levelRequests.choose.method, threadId, () => base.levels.set(threadId, level, within));
				return await this.#levelOf(threadId, within);
			},
		};
	}

	async #levelOf(threadId: ThreadId | null, within: AbortSignal): Promise<LevelInForce> {
		const inForce = await this.#parts.base.levels.of(threadId, within);
		return threadId === null && this.#chosenLevel !== undefined ? { ...inForce, level: this.#chosenLevel } : inForce;
	}

	#agents(): RequestHandlers<typeof ofAgents> {
		const { base } = this.#parts;
		return {
			handOffs: () => Promise.resolve({ handOffs: [] }),
			list: async ({ threadId }) => ({ agents: [...(await base.agents.of(threadId))] }),
			stop: async ({ id }, within) => {
				const shown = this.#shown;
				if (shown === null || !base.agents.worksFor(id, shown)) {
					throw new ProwessError('NOT_FOUND', `there is no sub-agent ${id} of the thread on the screen`, {
						id,
						said: text('This thread has no such sub-agent.'),
					});
				}
				await this.#act(ofAgents.stop.method, shown, () => base.agents.stop(id, within));
				return {};
			},
		};
	}

	#view(): RequestHandlers<typeof ofPage> {
		const { base, server, left, path, mode, strings, translate } = this.#parts;
		const mentions = new BrowserMentions({
			path,
			base,
			server,
			shown: () => this.#shown,
			say: (words) => translateText(words, translate),
		});
		const ofCommand = async (request: RequestDef, work: (threadId: ThreadId | null) => Promise<unknown>) => {
			const shown = this.#shown;
			await this.#act(request.method, shown, () => work(shown));
			return {};
		};
		return {
			start: async () => ({
				threadId: this.#shown,
				server: { kind: 'running' },
				workspace: { trusted: true, folders: [path], isSample: false },
				settings: { sendWith: 'enter', mode, tellsActiveFile: false },
				activeFile: null,
				strings: { ...strings },
				typed: left.typed,
			}),
			show: async ({ threadId }) => {
				this.#shown = threadId;
				left.threadId = threadId;
				this.#tellLevel(threadId);
				return {};
			},
			suggestTasks: () => Promise.resolve({ tasks: [] }),
			complete: ({ query }, within) =>
				this.#has('prompt') ? mentions.complete(query, within) : Promise.resolve({ items: [], isCut: false }),
			resolveDrop: () => Promise.resolve({ refs: [] }),
			capabilities: async () => {
				const [state, isOff] = await Promise.all([base.registry.state(), base.enabledCapabilities.disabled()]);
				const items = itemsWhile(state.capabilities, isOff).filter((each) => !each.isOff);
				return {
					items: items.flatMap(({ manifest }) =>
						manifest === undefined
							? []
							: [{ type: manifest.type, name: manifest.name, description: manifest.description, source: '' }],
					),
				};
			},
			turnUse: ({ turnId }, within) => readTurnUse(server, turnId, within),
			stopCommand: ({ opId }) => ofCommand(stopCommand, (threadId) => base.runs.stop(opId, threadId)),
			stopRun: ({ opId }) => ofCommand(stopRun, (threadId) => base.capabilities.stopStartedBy(opId, threadId)),
			continueInBackground: ({ opId }) =>
				ofCommand(continueInBackground, (threadId) => base.runs.continueInBackground(opId, threadId)),
		};
	}
}
