/** The desk as a chat shows it. */
import type { TrustedBase } from '../../host/trusted-base.ts';
import type { Desk } from '../../protocol/approvals/approvals.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';

/** Questions of scripts belong to no thread there: nobody can open the thread that a script works in. */
export function deskInView({ approvals, questions }: Desk, scripts: Pick<TrustedBase['scripts'], 'ownsThread'>): Desk {
	const inView = <T extends { readonly threadId: ThreadId | null }>(asked: T): T =>
		asked.threadId !== null && scripts.ownsThread(asked.threadId) ? { ...asked, threadId: null } : asked;
	return { approvals: approvals.map(inView), questions: questions.map(inView) };
}
