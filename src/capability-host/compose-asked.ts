/** Composition of what the user asks a model outside of turns: commit messages, edits of a selection, questions beside a thread. */
import type { PerformForUser, PerformOp, Work } from './contract/perform-op.ts';
import type { HostPorts } from './contract/ports.ts';
import { CommitMessageWriter } from './models/commit-message.ts';
import { SelectionEditor } from './models/selection-edit.ts';
import { answerBeside } from './models/side-question.ts';
import { titleThread } from './models/thread-title.ts';
import { askForUser } from './models/ask-for-user.ts';
import type { Redactor } from './record/redaction/redactor.ts';
import type { TrustedBase } from './trusted-base.ts';

interface AskedParts {
	readonly ports: Pick<HostPorts, 'server'>;
	readonly redactor: Redactor;
	readonly perform: PerformOp;
	readonly performForUser: PerformForUser;
	/** Work of the op that writes a file. */
	write(): Work | undefined;
}

export function askedByUser({
	ports,
	redactor,
	perform,
	performForUser,
	write,
}: AskedParts): Pick<
	TrustedBase,
	'writeCommitMessage' | 'editSelection' | 'acceptEdit' | 'answerBeside' | 'titleThread'
> {
	const ask = askForUser({ server: () => ports.server(), performForUser });
	const commitMessages = new CommitMessageWriter({ redactor, perform, ask });
	const selectionEditor = new SelectionEditor({ redactor, ask, write, performForUser });
	return {
		writeCommitMessage: (request, signal) => commitMessages.write(request, signal),
		editSelection: (request, signal) => selectionEditor.propose(request, signal),
		acceptEdit: (edit, signal) => selectionEditor.accept(edit, signal),
		answerBeside: answerBeside(redactor, ask),
		titleThread: titleThread(redactor, ask),
	};
}
