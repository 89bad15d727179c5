/** Serves one program over `prowess rpc`: threads, questions, levels and changes of one folder, until it goes. */
import type { Readable } from 'node:stream';
import { DisposableStore } from '../../../base/disposable.ts';
import { raceTimeout } from '../../../base/time/bounded-wait.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import {
	changesOfProgram,
	deskOfProgram,
	greetingOfProgram,
	levelsOfProgram,
	lookingRequests,
	missedNotifications,
	promptingRequests,
	requestsOfProgram,
	RPC_VERSION,
	toldToPrograms,
} from '../../../protocol/doors/rpc.ts';
import type { ThreadId } from '../../../protocol/rpc/ids.ts';
import { defineRequest, type ParamsOf } from '../../../protocol/rpc/message.ts';
import { Peer } from '../../../protocol/rpc/peer.ts';
import type { Mode } from '../../../protocol/thread/thread.ts';
import type { ClientRight } from '../../../protocol/approvals/access.ts';
import { text } from '../../../protocol/text/text.ts';
import * as z from '../../../protocol/text/zod.ts';
import { changeAnswers } from '../change-answers.ts';
import type { Client } from '../clients.ts';
import { stopTurn, type ThreadServer } from '../thread-follower.ts';
import { promptingAnswers } from '../prompting-answers.ts';
import type { TrustedBase } from '../../trusted-base.ts';
import { JsonLines } from './json-lines.ts';
import { rpcLimits } from '../limits.ts';

export interface ServedProgram {
	readonly input: Readable;
	/** Resolves when the text has gone out, or nobody takes it. */
	write(text: string): Promise<void>;
	readonly client: Client;
	readonly base: TrustedBase;
	/** Returns the server of the host, started on first use. */
	server(signal: AbortSignal): Promise<ThreadServer & { readonly peer: Peer }>;
	readonly prowess: string;
	/** Real path. */
	readonly folder: string;
	/** Model of new threads that name none; null: the server chooses. */
	readonly modelId: string | null;
	/** Mode of new threads that name none. */
	readonly mode: Mode;
}

/** Resolves when the program has gone or `signal` aborts, once its turns are stopped. The caller closes the host. */
export async function serveProgram(served: ServedProgram, signal: AbortSignal): Promise<void> {
	const door = new ProgramDoor(served, signal);
	await door.ended();
}

class ProgramDoor {
	readonly #served: ServedProgram;
	readonly #lines: JsonLines;
	readonly #peer: Peer;
	readonly #store = new DisposableStore();
	/** Threads with a turn that it has begun. */
	readonly #working = new Set<ThreadId>();
	readonly #signal: AbortSignal;
	#server: Promise<ThreadServer & { readonly peer: Peer }> | undefined;

	constructor(served: ServedProgram, signal: AbortSignal) {
		this.#served = served;
		this.#signal = signal;
		const { input, write } = served;
		this.#lines = new JsonLines({
			input,
			write,
			isOptional: (method) => method === toldToPrograms.update.method,
			onLeftOut: (left) => {
				const updates = left as ParamsOf<(typeof toldToPrograms)['update']>[];
				for (const threadId of new Set(updates.map((each) => each.threadId))) {
					this.#peer.notify(missedNotifications.missed, { threadId });
				}
			},
		});
		this.#peer = new Peer(this.#lines);
		this.#refuseUntilGreeted();
		this.#lines.listen();
	}

	async ended(): Promise<void> {
		const onStop = () => this.#lines.close();
		this.#signal.addEventListener('abort', onStop, { once: true });
		if (this.#signal.aborted) onStop();
		await this.#lines.ended;
		this.#signal.removeEventListener('abort', onStop);
		// Nobody is left who could answer: what it was asked is denied, and recorded, before its turns are stopped.
		this.#served.client.dispose();
		this.#lines.close();
		const server = await this.#server?.catch(() => undefined);
		if (server !== undefined) {
			await Promise.all([...this.#working].map((id) => stopTurn(server, id, rpcLimits.stopMs)));
		}
		await raceTimeout(this.#lines.settled(), rpcLimits.stopMs);
		this.#store.dispose();
	}

	#refuseUntilGreeted(): void {
		const early = new DisposableStore();
		for (const { method } of requestsOfProgram.flatMap((table) => Object.values(table))) {
			const refuseEarly = () =>
				Promise.reject(new ProwessError('INVALID_STATE', `${method}: rpc/hello comes first`, SAID_BY_PROGRAM));
			early.add(this.#peer.serve({ early: defineRequest(method, z.unknown(), z.unknown()) }, { early: refuseEarly }));
		}
		this.#store.add(
			this.#peer.serve(greetingOfProgram, {
				hello: async ({ version }) => {
					if (version !== RPC_VERSION) {
						const message = `version ${version} of the protocol is not known; this Prowess speaks ${RPC_VERSION}`;
						throw new ProwessError('VERSION_MISMATCH', message, { version, supported: [RPC_VERSION] });
					}
					early.dispose();
					this.#serve();
					const { client, prowess, folder } = this.#served;
					const { principal, rights, widest } = client;
					return { version, prowess, folder, principal, rights: [...rights], widest };
				},
			}),
		);
	}

	#serve(): void {
		const { base, client } = this.#served;
		const desk = base.desk;
		const store = this.#store;
		store.add(this.#peer.forward(lookingRequests, async () => (await this.#started()).peer));
		const { modelId, mode } = this.#served;
		const prompting = promptingAnswers({
			base,
			client,
			modelId,
			mode,
			server: () => this.#started(),
			act: (_request, _threadId, work) => work(),
			onPrompted: (threadId) => this.#working.add(threadId),
		});
		store.add(this.#peer.serve(promptingRequests, prompting));
		store.add(
			this.#peer.serve(deskOfProgram, {
				list: async () => desk.current,
				approve: async ({ id, answer }) => {
					client.check('answer');
					return { taken: desk.approve(id, { ...answer, ...client.by }) };
				},
				approveAll: async ({ ids, answer }) => {
					client.check('answer');
					return { taken: desk.approveAll(ids, answer, client.by) };
				},
				tryFirst: async ({ id }) => {
					client.check('answer');
					desk.tryFirst(id);
					return {};
				},
				reply: async ({ id, answer }) => {
					client.check('answer');
					return { taken: desk.reply(id, answer, client.by) };
				},
			}),
		);
		store.add(
			this.#peer.serve(levelsOfProgram, {
				of: ({ threadId }, within) => base.levels.of(threadId, within),
				choose: async ({ threadId, level }, within) => {
					client.check('prompt');
					if (threadId === null) {
						throw new ProwessError('INVALID_PARAMS', 'level/choose takes the id of a thread', {
							said: text('Name the thread whose level you choose.'),
						});
					}
					client.checkLevel(level);
					return await base.levels.set(threadId, level, within);
				},
			}),
		);
		const changes = changeAnswers(async () => base);
		store.add(
			this.#peer.serve(changesOfProgram, {
				list: changes.list,
				keep: this.#with('prompt', changes.keep),
				undo: this.#with('prompt', changes.undo),
				redo: this.#with('prompt', changes.redo),
			}),
		);
		store.add(desk.onDidChange((now) => this.#peer.notify(toldToPrograms.changed, now)));
		store.add(desk.onDidClose((closed) => this.#peer.notify(toldToPrograms.closed, closed)));
	}

	#with<P, R>(right: ClientRight, answer: (params: P, within: AbortSignal) => Promise<R>) {
		return async (params: P, within: AbortSignal): Promise<R> => {
			this.#served.client.check(right);
			return await answer(params, within);
		};
	}

	/** The server, whose updates are told from its start on. When it goes, so does the program's connection. */
	#started(): Promise<ThreadServer & { readonly peer: Peer }> {
		this.#server ??= this.#served.server(this.#signal).then((server) => {
			this.#store.add(
				server.peer.on(
					{ update: toldToPrograms.update },
					{
						update: (update) => {
							if (update.events.some(({ type }) => type === 'turn.end')) this.#working.delete(update.threadId);
							this.#peer.notify(toldToPrograms.update, update);
						},
					},
				),
			);
			server.gone.addEventListener('abort', () => this.#lines.close(), { once: true });
			return server;
		});
		return this.#server;
	}
}

const SAID_BY_PROGRAM = { said: text('Send rpc/hello first.') };
