/**
 * The change of a file that an approval is about, in the editor's own diff: left the text it has, right the text it would
 * get. The right side can be edited, and single hunks taken back; *Allow* in the title writes what stands there. Both sides
 * are files of a scheme of ours, in memory for as long as the question is open.
 */
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { ApprovalDesk, GivenAnswer } from '../../contract/approvals.ts';
import type { LogPort } from '../../contract/ports/ports.ts';
import type { ApprovalAnswer, Desk } from '../../protocol/approvals/approvals.ts';
import { isProwessError } from '../../protocol/errors/errors.ts';
import { ApprovalId, type ThreadId } from '../../protocol/rpc/ids.ts';
import { withTimeLimit } from '../../base/time/bounded-wait.ts';
import { besideChat } from '../editor/beside-chat.ts';
import { PROPOSAL_SCHEME } from '../editor/command-table.ts';
import { extensionLimits } from '../editor/limits.ts';
import { inform, warn } from '../notices/notices.ts';
import { inBackground } from '../editor/signals.ts';

interface ProposalPorts {
	readonly log: LogPort;
	desk(): ApprovalDesk | undefined;
	shownThread(): ThreadId | null;
	/** True when the diff of a new question opens without a click. */
	opensByItself(): boolean;
}

/** Side of the diff, as a file. */
interface Side {
	readonly mtime: number;
	readonly bytes: Uint8Array;
}

interface ShownProposal {
	readonly path: string;
	readonly before: Side;
	after: Side;
	/** Proposed text in the form the editor gives it; undefined until the editor has read it. */
	asOpened: string | undefined;
}

/** Says that the bytes are UTF-8, whatever encoding the settings name for files without this mark. */
const UTF8_MARK = '\uFEFF';
const BEFORE = 'before';

export class Proposals implements vscode.FileSystemProvider {
	readonly #ports: ProposalPorts;
	readonly #store = new DisposableStore();
	readonly #changed = this.#store.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
	readonly onDidChangeFile = this.#changed.event;
	readonly #shown = new Map<ApprovalId, ShownProposal>();
	/** Questions whose diff has opened by itself once: a person who closes it wants it closed. */
	readonly #offered = new Set<ApprovalId>();
	/** Questions that are answered here, so that nobody is told that they are over. */
	readonly #answered = new Set<ApprovalId>();
	/** Questions whose diff is being closed. */
	readonly #ending = new Map<ApprovalId, Promise<void>>();

	constructor(ports: ProposalPorts) {
		this.#ports = ports;
		this.#store.add(
			vscode.workspace.onDidOpenTextDocument((document) => {
				const shown = this.#shownAt(document.uri);
				if (shown !== undefined) {
					shown.asOpened ??= document.getText();
				}
			}),
		);
		// The editor opens them again after a restart, when nobody asks any more.
		inBackground(
			ports.log,
			'proposals',
			vscode.window.tabGroups.close(
				listProposalTabs(() => true),
				true,
			),
		);
	}

	/** Opens the diff, or the text of a plan. False when the question is over, or is not about the text of a file. */
	async show(id: ApprovalId, { keepsFocus }: { readonly keepsFocus: boolean }): Promise<boolean> {
		const desk = this.#ports.desk();
		const proposal = desk?.proposal(id);
		if (desk === undefined || proposal === undefined) {
			return false;
		}
		const { path, before = '', after } = proposal;
		if (!this.#shown.has(id)) {
			this.#shown.set(id, { path, before: createSide(before), after: createSide(after), asOpened: undefined });
		}
		const name = path.slice(path.lastIndexOf('/') + 1);
		const title = vscode.l10n.t('{0} (proposed)', name);
		const options = { preview: true, preserveFocus: keepsFocus, ...besideChat() };
		const uri = toProposalUri(path, id);
		// A plan replaces nothing that it could be compared with.
		const isPlan = desk.current.approvals.some((each) => each.id === id && each.detail.kind === 'plan');
		await (isPlan
			? vscode.commands.executeCommand('vscode.open', uri, options, title)
			: vscode.commands.executeCommand('vscode.diff', toProposalUri(path, `${id}:${BEFORE}`), uri, title, options));
		// The question may have been answered while the editor opened the diff.
		if (this.#ports.desk()?.proposal(id) === undefined) {
			await this.#end(id);
		}
		return true;
	}

	/** Closes the diffs of questions that are over, and opens that of a new one. */
	follow({ approvals }: Desk): void {
		const open = new Set(approvals.map(({ id }) => id));
		for (const id of this.#shown.keys()) {
			if (!open.has(id)) {
				inBackground(this.#ports.log, 'proposal', this.#end(id));
			}
		}
		const threadId = this.#ports.shownThread();
		const next = approvals.find((approval) => approval.threadId === threadId && threadId !== null);
		const isText = next?.detail.kind === 'diff' || next?.detail.kind === 'plan';
		if (isText && this.#ports.opensByItself() && !this.#offered.has(next.id)) {
			this.#offered.add(next.id);
			inBackground(this.#ports.log, 'proposal', this.show(next.id, { keepsFocus: true }));
		}
		for (const id of this.#offered) {
			if (!open.has(id)) {
				this.#offered.delete(id);
			}
		}
	}

	/** Answers the question whose diff is shown: with the text on its right side. */
	async allow(given: unknown): Promise<void> {
		const id = readProposalId(given);
		const desk = this.#ports.desk();
		const proposal = id === undefined ? undefined : desk?.proposal(id);
		if (id === undefined || desk === undefined || proposal === undefined) {
			sayOver();
			return;
		}
		try {
			const limit = { what: 'reading the file', timeoutMs: extensionLimits.readFileMs };
			await withTimeLimit(limit, (signal) => proposal.verify(signal));
		} catch (error) {
			if (isProwessError(error) && error.code === 'FILE_CHANGED') {
				sayStale(proposal.path);
				return;
			}
			throw error;
		}
		this.#answer(id, desk.approve(id, this.withText(id, { kind: 'once' })));
	}

	/** A yes, also one from the chat, is to what stands on the right side. */
	withText(id: ApprovalId, answer: ApprovalAnswer): GivenAnswer {
		const text = answer.kind === 'deny' ? undefined : this.#edited(id);
		if (text === undefined) {
			return answer;
		}
		this.#answered.add(id);
		return { ...answer, text };
	}

	async deny(given: unknown): Promise<void> {
		const id = readProposalId(given);
		if (id === undefined) {
			sayOver();
			return;
		}
		this.#answered.add(id);
		this.#answer(id, this.#ports.desk()?.approve(id, { kind: 'deny' }) === true);
	}

	stat(uri: vscode.Uri): vscode.FileStat {
		const { bytes, mtime } = this.#side(uri);
		return {
			type: vscode.FileType.File,
			ctime: mtime,
			mtime,
			size: bytes.length,
			...(isBefore(uri) ? { permissions: vscode.FilePermission.Readonly } : {}),
		};
	}

	readFile(uri: vscode.Uri): Uint8Array {
		return this.#side(uri).bytes;
	}

	/** Only what an editor saves: the text is taken from the editor when the question is answered. */
	writeFile(uri: vscode.Uri, bytes: Uint8Array): void {
		const shown = this.#shownAt(uri);
		if (shown === undefined) {
			throw vscode.FileSystemError.NoPermissions(uri);
		}
		shown.after = { bytes, mtime: Date.now() };
		this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
	}

	watch(): vscode.Disposable {
		return new vscode.Disposable(() => {});
	}

	readDirectory(): [string, vscode.FileType][] {
		return [];
	}

	createDirectory(uri: vscode.Uri): void {
		throw vscode.FileSystemError.NoPermissions(uri);
	}

	delete(uri: vscode.Uri): void {
		throw vscode.FileSystemError.NoPermissions(uri);
	}

	rename(uri: vscode.Uri): void {
		throw vscode.FileSystemError.NoPermissions(uri);
	}

	dispose(): void {
		this.#store.dispose();
	}

	#answer(id: ApprovalId, isTaken: boolean): void {
		if (isTaken) {
			this.#answered.add(id);
		} else {
			this.#answered.delete(id);
			sayOver();
		}
	}

	/** Text on the right side when it is not the proposed one. */
	#edited(id: ApprovalId): string | undefined {
		const shown = this.#shown.get(id);
		const text = listProposalDocuments(id)[0]?.getText();
		return text === undefined || text === shown?.asOpened ? undefined : text;
	}

	/** Once for each question: of a diff that is being closed, a second save would have nowhere to write. */
	#end(id: ApprovalId): Promise<void> {
		const ending = this.#ending.get(id) ?? this.#close(id).finally(() => this.#ending.delete(id));
		this.#ending.set(id, ending);
		return ending;
	}

	/** Closes the diff; saved first, for the editor would ask what to do with an edited one. */
	async #close(id: ApprovalId): Promise<void> {
		const shown = this.#shown.get(id);
		const lost = this.#answered.delete(id) ? undefined : this.#edited(id);
		for (const document of listProposalDocuments(id)) {
			if (document.isDirty) {
				await document.save();
			}
		}
		await vscode.window.tabGroups.close(
			listProposalTabs((uri) => readProposalId(uri) === id),
			true,
		);
		this.#shown.delete(id);
		if (lost !== undefined && shown !== undefined) {
			await offerText(shown.path, lost);
		}
	}

	/** Returns the proposal that can be edited at this address; undefined for the side before the change. */
	#shownAt(uri: vscode.Uri): ShownProposal | undefined {
		const id = isBefore(uri) ? undefined : readProposalId(uri);
		return id === undefined ? undefined : this.#shown.get(id);
	}

	#side(uri: vscode.Uri): Side {
		const id = readProposalId(uri);
		const shown = id === undefined ? undefined : this.#shown.get(id);
		if (shown === undefined) {
			throw vscode.FileSystemError.FileNotFound(uri);
		}
		return isBefore(uri) ? shown.before : shown.after;
	}
}

function createSide(text: string): Side {
	return { bytes: new TextEncoder().encode(`${UTF8_MARK}${text}`), mtime: Date.now() };
}

/** With the path of the file, so that the editor knows its language. */
function toProposalUri(path: string, query: string): vscode.Uri {
	return vscode.Uri.from({ scheme: PROPOSAL_SCHEME, path: `/${path}`, query });
}

function isBefore(uri: vscode.Uri): boolean {
	return uri.query.endsWith(`:${BEFORE}`);
}

/**
 * Returns the id of the approval that either side of a diff belongs to; called from the palette, that of the active
 * editor.
 */
function readProposalId(given: unknown): ApprovalId | undefined {
	const uri = given instanceof vscode.Uri ? given : vscode.window.activeTextEditor?.document.uri;
	return uri?.scheme === PROPOSAL_SCHEME ? ApprovalId.safeParse(uri.query.split(':')[0]).data : undefined;
}

function listProposalDocuments(id: ApprovalId): readonly vscode.TextDocument[] {
	return vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === PROPOSAL_SCHEME && uri.query === id);
}

function listProposalTabs(isMeant: (uri: vscode.Uri) => boolean): readonly vscode.Tab[] {
	return vscode.window.tabGroups.all
		.flatMap(({ tabs }) => tabs)
		.filter(({ input }) => {
			const uri =
				input instanceof vscode.TabInputTextDiff
					? input.modified
					: input instanceof vscode.TabInputText
						? input.uri
						: undefined;
			return uri?.scheme === PROPOSAL_SCHEME && isMeant(uri);
		});
}

function sayOver(): void {
	inform(vscode.l10n.t('This question is no longer open.'));
}

function sayStale(path: string): void {
	warn(
		vscode.l10n.t(
			'"{0}" has changed since this was proposed, so it cannot be written. Deny it; the agent then reads the file again.',
			path,
		),
	);
}

/** An edit that nobody has used is not thrown away. */
async function offerText(path: string, text: string): Promise<void> {
	const open = vscode.l10n.t('Open My Text');
	const said = vscode.l10n.t('The question about "{0}" is over, so the text as you edited it was not used.', path);
	if ((await inform(said, open)) === open) {
		const document = await vscode.workspace.openTextDocument({ content: text });
		await vscode.window.showTextDocument(document);
	}
}
