/**
 * Requests with which the user handles a command, or a capability that runs, of the thread on the screen: end it, let it
 * continue in the background, watch it, read its whole output.
 */
import * as vscode from 'vscode';
import { cutText } from '../../../base/text/one-line.ts';
import { besideChat } from '../../editor/beside-chat.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { escapeInvisible } from '../../../base/text/escape-invisible.ts';
import type { CommandRunEnd, Runs } from '../../../contract/runs.ts';
import type { CapabilityManager } from '../../../execution/runs/capability-manager.ts';
import { isProwessError, ProwessError } from '../../../protocol/errors/errors.ts';
import type { OpId, ThreadId } from '../../../protocol/rpc/ids.ts';
import type { viewRequests } from '../../../protocol/pages/chat-view.ts';
import type { Peer, RequestHandlers } from '../../../protocol/rpc/peer.ts';
import { threadRequests } from '../../../protocol/thread/thread-requests.ts';

/** More hides the buttons of the terminal. */
const TERMINAL_NAME_CHARS = 30;

interface CommandRunPorts {
	/** Undefined: nothing has run here. */
	runs(): Runs | undefined;
	/** Undefined: no capability has run here. */
	executions(): Pick<CapabilityManager, 'stopStartedBy'> | undefined;
	shownThread(): ThreadId | null;
	server(): Promise<Peer>;
}

export type CommandRunRequests = Pick<
	RequestHandlers<typeof viewRequests>,
	'stopCommand' | 'stopRun' | 'continueInBackground' | 'showInTerminal' | 'showOutput'
>;

export function createCommandRunRequests(ports: CommandRunPorts): CommandRunRequests {
	const requireRuns = () => {
		const known = ports.runs();
		if (known === undefined) {
			throw new ProwessError('NOT_FOUND', vscode.l10n.t('No command has run in this window.'), {});
		}
		return known;
	};
	return {
		stopCommand: async ({ opId }) => {
			await requireRuns().stop(opId, ports.shownThread()).catch(rethrowRunEnd);
			return {};
		},
		stopRun: async ({ opId }) => {
			const known = ports.executions();
			if (known === undefined) throw new ProwessError('NOT_FOUND', vscode.l10n.t('This run has ended.'), { opId });
			await known.stopStartedBy(opId, ports.shownThread());
			return {};
		},
		continueInBackground: async ({ opId }) => {
			await requireRuns().continueInBackground(opId, ports.shownThread()).catch(rethrowRunEnd);
			return {};
		},
		showInTerminal: async ({ opId, title }) => {
			showInTerminal(requireRuns(), opId, ports.shownThread(), title);
			return {};
		},
		showOutput: async ({ opId }, signal) => {
			const threadId = ports.shownThread();
			const server = await ports.server();
			const { text } =
				threadId === null ? { text: null } : await server.call(threadRequests.output, { threadId, opId }, signal);
			if (text === null) {
				throw new ProwessError('NOT_FOUND', vscode.l10n.t('The output of this command is no longer stored.'), { opId });
			}
			const document = await vscode.workspace.openTextDocument({ content: text });
			await vscode.window.showTextDocument(document, { preview: true, ...besideChat() });
			return {};
		},
	};
}

/**
 * Throws INVALID_STATE in words for the user where the command has ended while the button was pressed, where too many
 * run in the background, and where a new host knows no earlier runs. Any other refusal is thrown as it is.
 */
function rethrowRunEnd(error: unknown): never {
	if (!isProwessError(error) || (error.code !== 'INVALID_STATE' && error.code !== 'NOT_FOUND')) {
		throw error;
	}
	const { limit } = error.facts;
	throw new ProwessError(
		'INVALID_STATE',
		typeof limit === 'number'
			? vscode.l10n.t('{0} commands run in the background already. Stop one of them first.', limit)
			: vscode.l10n.t('This command has ended.'),
	);
}

/**
 * Shows the output of a command in a terminal that ignores what is typed. Closing the terminal stops showing the
 * command, and does not end it.
 */
function showInTerminal(runs: Runs, opId: OpId, threadId: ThreadId | null, title: string): void {
	const written = new vscode.EventEmitter<string>();
	let following: Disposable | undefined;
	const close = () => {
		following?.dispose();
		written.dispose();
	};
	const writeText = (text: string) => written.fire(text.replaceAll('\n', '\r\n'));
	const terminal = vscode.window.createTerminal({
		name: cutText(escapeInvisible(title, 'line'), TERMINAL_NAME_CHARS),
		iconPath: new vscode.ThemeIcon('eye'),
		isTransient: true,
		pty: {
			onDidWrite: written.event,
			open() {
				try {
					following = runs.follow(opId, threadId, {
						write: writeText,
						end: (end) => writeText(`\n${dimText(endInWords(end))}\n`),
					});
				} catch {
					writeText(dimText(vscode.l10n.t('This command has ended, and its output is not kept here any more.')));
				}
			},
			close,
		},
	});
	terminal.show(true);
}

function dimText(text: string): string {
	return `\u001b[2m${text}\u001b[0m`;
}

function endInWords({ exitCode, signal, overTime, stoppedByUser }: CommandRunEnd): string {
	if (stoppedByUser === true) {
		return vscode.l10n.t('Stopped by you.');
	}
	return overTime !== undefined
		? vscode.l10n.t('Stopped: {0} reached the time limit of {1} s.', overTime.program, String(overTime.limitMs / 1_000))
		: signal === null
			? vscode.l10n.t('Ended with exit code {0}.', String(exitCode))
			: vscode.l10n.t('Ended by {0}.', signal);
}
