/** Requests of the user to a model outside of turns: commit messages, edits of a selection, questions beside a thread. */
import { type PerformForUser, type PerformOp, type OpWork, requireOpResult } from '../../contract/ops/perform-op.ts';
import type { HostPorts } from '../../contract/ports/ports.ts';
import type {
	AcceptedEdit,
	CommitMessageRequest,
	FirstWords,
	SelectionEditRequest,
	SideQuestion,
} from '../../contract/ports/feature-requests.ts';
import { answerBeside } from './side-question.ts';
import { titleThread } from './thread-title.ts';
import { askForUser } from './ask-for-user.ts';
import { gitDiff } from '../../protocol/ops/definitions/agent/git.ts';
import { newId } from '../../protocol/rpc/ids.ts';
import type { Redactor } from '../../trust/record/redaction/redactor.ts';

export interface AskedByUser {
	/**
	 * Asks the connected model for a commit message: for what is staged, else for what has changed. The user's own act, and
	 * recorded as such. Rejects with INVALID_STATE when nothing has changed, with NO_REPOSITORY, with NO_MODEL, or as the op.
	 */
	writeCommitMessage(request: CommitMessageRequest, signal: AbortSignal): Promise<string>;
	/**
	 * Asks the connected model what is to stand in the place of selected lines. The user's own act, recorded, and without any
	 * other effect. Rejects with INVALID_STATE for a selection that is too long or holds a secret, with NO_MODEL, or as the
	 * provider.
	 */
	editSelection(request: SelectionEditRequest, signal: AbortSignal): Promise<string>;
	/** Writes what the user has accepted, as their own act. Rejects with FILE_CHANGED when the file has another text now. */
	acceptEdit(edit: AcceptedEdit, signal: AbortSignal): Promise<void>;
	/** Asks the connected model a question beside a thread, without tools. The user's own act, recorded. Rejects with NO_MODEL, or as the provider. */
	answerBeside(asked: SideQuestion, signal: AbortSignal): Promise<string>;
	/** Asks the connected model what a thread is about, in a few words; recorded. Rejects with NO_MODEL, or as the provider. */
	titleThread(words: FirstWords, signal: AbortSignal): Promise<string>;
}

interface AskedParts {
	readonly ports: Pick<HostPorts, 'server'>;
	readonly redactor: Redactor;
	readonly perform: PerformOp;
	readonly performForUser: PerformForUser;
	/** Work of the op that writes a file. */
	write(): OpWork | undefined;
}

export function createAskedByUser({ ports, redactor, perform, performForUser, write }: AskedParts): AskedByUser {
	const ask = askForUser({ server: () => ports.server(), performForUser });
	const diff = readDiff(perform);
	const selectionEditor = async () => {
		const { SelectionEditor } = await import('./selection-edit.ts');
		return new SelectionEditor({ redactor, ask, write, performForUser });
	};
	return {
		async writeCommitMessage(request, signal) {
			const { CommitMessageWriter } = await import('./commit-message.ts');
			return await new CommitMessageWriter({ redactor, diff, ask }).write(request, signal);
		},
		editSelection: async (request, signal) => (await selectionEditor()).propose(request, signal),
		acceptEdit: async (edit, signal) => (await selectionEditor()).accept(edit, signal),
		answerBeside: answerBeside(redactor, ask),
		titleThread: titleThread(redactor, ask),
	};
}

function readDiff(perform: PerformOp) {
	return async (path: string | undefined, staged: boolean, signal: AbortSignal): Promise<string> => {
		// Changes in a submodule are committed there.
		const params = { staged, isAlone: true, ...(path === undefined ? {} : { path }) };
		const origin = { caller: { kind: 'user', threadId: null } as const, onProgress: () => {} };
		const outcome = await perform({ opId: newId('op'), op: 'git.diff', params }, origin, signal);
		return gitDiff.result.parse(requireOpResult(outcome, 'git diff')).patch;
	};
}
