/** Actions that only the editor can carry out for the view. */
import { RECORDED_OPS, type ViewCommand, viewRequests } from '../../protocol/pages/chat-view.ts';
import type { ImageRef } from '../../protocol/ops/images.ts';
import type { ContextRef } from '../../protocol/thread/context.ts';
import type { AllowingRule } from '../../protocol/approvals/approvals.ts';
import type { ApprovalId, OpId, ThreadId, TurnId } from '../../protocol/rpc/ids.ts';
import { modelRequests } from '../../protocol/turn/models.ts';
import type { ResultOf } from '../../protocol/rpc/message.ts';
import { type ActionContext, orShow } from './asking.ts';

export interface ContextSuggestion {
	readonly ref: ContextRef;
	readonly label: string;
	readonly detail: string;
	/** Choosing it turns on what it needs. */
	readonly isOff?: true | undefined;
}

export type TurnUse = ResultOf<typeof viewRequests.turnUse>;

interface ContextSuggestions {
	readonly items: readonly ContextSuggestion[];
	/** More fit than are listed. */
	readonly isCut: boolean;
}

interface SlashCapability {
	readonly name: string;
	readonly description: string;
	readonly source: string;
	readonly hint?: string | undefined;
}

export type EditorActions = ReturnType<typeof editorActions>;

export function editorActions(asking: ActionContext) {
	const { peer, store, signal } = asking;
	return {
		command: (command: ViewCommand) => orShow(asking, peer.call(viewRequests.command, { command }, signal)),
		showAllowed: (rule: AllowingRule | null) => orShow(asking, peer.call(viewRequests.showAllowed, { rule }, signal)),
		showWhy: (id: ApprovalId) => orShow(asking, peer.call(viewRequests.showWhy, { id }, signal)),
		openFile: (path: string, line?: number) =>
			orShow(asking, peer.call(viewRequests.openFile, { path, ...(line === undefined ? {} : { line }) }, signal)),
		tellActiveFile: (tells: boolean) => orShow(asking, peer.call(viewRequests.tellActiveFile, { tells }, signal)),
		openLink: (url: string) => orShow(asking, peer.call(viewRequests.openLink, { url }, signal)),
		copy: (text: string) => orShow(asking, peer.call(viewRequests.copy, { text }, signal)),
		/** False also where it failed, which is shown then. */
		async applyCode(code: string): Promise<boolean> {
			return (await orShow(asking, peer.call(viewRequests.applyCode, { code }, signal)))?.isShown ?? false;
		},
		insertAtCursor: (text: string) => orShow(asking, peer.call(viewRequests.insertAtCursor, { text }, signal)),
		stopCommand: (opId: OpId) => orShow(asking, peer.call(viewRequests.stopCommand, { opId }, signal)),
		stopRun: (opId: OpId) => orShow(asking, peer.call(viewRequests.stopRun, { opId }, signal)),
		runAct: (opId: OpId, act: 'open' | 'again' | 'ask' | 'script' | 'watch') =>
			orShow(asking, peer.call(viewRequests.runAct, { opId, act }, signal)),
		continueInBackground: (opId: OpId) =>
			orShow(asking, peer.call(viewRequests.continueInBackground, { opId }, signal)),
		showInTerminal: (opId: OpId, title: string) =>
			orShow(asking, peer.call(viewRequests.showInTerminal, { opId, title: title.slice(0, 2_000) }, signal)),
		letServerWrite: (lacks: { readonly server: string; readonly path: string }) =>
			orShow(asking, peer.call(viewRequests.letServerWrite, lacks, signal)),
		saveMedia: ({ id, name }: ImageRef) => orShow(asking, peer.call(viewRequests.saveMedia, { id, name }, signal)),
		showOutput: (opId: OpId) => orShow(asking, peer.call(viewRequests.showOutput, { opId }, signal)),
		showRecorded: (opId: OpId) => orShow(asking, peer.call(viewRequests.showRecorded, { opId }, signal)),
		showTrace: (turnId: TurnId) => orShow(asking, peer.call(viewRequests.showTrace, { turnId }, signal)),
		/** Undefined: it is not known, and nothing is said. */
		async turnUse(turnId: TurnId): Promise<TurnUse | undefined> {
			try {
				return await peer.call(viewRequests.turnUse, { turnId }, signal);
			} catch {
				return undefined;
			}
		},
		verifyRecorded: (opIds: readonly OpId[]) =>
			orShow(asking, peer.call(viewRequests.verifyRecorded, { opIds: opIds.slice(0, RECORDED_OPS) }, signal)),
		exportThread: (threadId: ThreadId) =>
			orShow(asking, peer.call(viewRequests.exportThread, { threadId, format: 'markdown' }, signal)),
		/** Undefined: it is not known, and nothing is said. */
		async suggestTasks(until: AbortSignal) {
			try {
				return (await peer.call(viewRequests.suggestTasks, {}, until)).tasks;
			} catch {
				return undefined;
			}
		},
		turnOnCodeIndex: () => orShow(asking, peer.call(viewRequests.turnOnCodeIndex, {}, signal)),
		/** Suggestions are an aid: without an answer there are none, and nothing is said. */
		async complete(query: string, until: AbortSignal): Promise<ContextSuggestions> {
			try {
				return await peer.call(viewRequests.complete, { query: query.slice(0, 500) }, until);
			} catch {
				return { items: [], isCut: false };
			}
		},
		/** For the list after `/`, which shows its own commands without an answer. */
		async capabilities(until: AbortSignal): Promise<readonly SlashCapability[]> {
			try {
				return (await peer.call(viewRequests.capabilities, {}, until)).items;
			} catch {
				return [];
			}
		},
		async resolveDrop(uris: readonly string[]): Promise<readonly ContextRef[]> {
			const params = { uris: uris.slice(0, 100).map((uri) => uri.slice(0, 8192)) };
			return (await orShow(asking, peer.call(viewRequests.resolveDrop, params, signal)))?.refs ?? [];
		},
		/** The server says so when the list is another one. */
		askAgain: (provider: string) => orShow(asking, peer.call(modelRequests.askAgain, { provider }, signal)),
		async listModels(): Promise<void> {
			const models = await orShow(asking, peer.call(modelRequests.list, {}, signal));
			if (models !== undefined) {
				store.dispatch({ type: 'models', models });
			}
		},
	};
}
