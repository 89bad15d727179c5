/** Why a change of a protected file is asked, in words for the person: by what reads the file. */
import { type Text, text } from '../../../protocol/text/text.ts';
import type { ProtectedKind, OpTarget } from '../../../contract/ops/target.ts';

type ProtectedTarget = Extract<OpTarget, { kind: 'file' | 'database' }>;

const REASONS: { readonly [K in ProtectedKind]: (path: string) => Text } = {
	git: (path) => text('"{path}" is read by version control, which can run programs it names.', { path }),
	editor: (path) => text('"{path}" is read by editors, which can run programs it names.', { path }),
	agent: (path) => text('"{path}" controls what agents may do and run.', { path }),
	instructions: (path) =>
		text('"{path}" is read by agents at each start, so changing it needs your approval.', { path }),
	integration: (path) => text('"{path}" is run by a build service, often with access to keys.', { path }),
	shell: (path) => text('"{path}" is read by shells or command-line tools when they start.', { path }),
	build: (path) => text('"{path}" controls what package managers and builds run.', { path }),
	programs: (path) => text('"{path}" is a program that other commands start.', { path }),
	packages: (path) => text('"{path}" belongs to an installed package, whose code runs.', { path }),
};

/** Instructions run nothing by themselves, so an answer for the thread may cover the file. */
export function protectedReason(target: ProtectedTarget): { readonly reason: Text; readonly grants: boolean } {
	const { path } = target;
	const kind = target.kind === 'file' ? target.protectedKind : undefined;
	const reason =
		kind === undefined
			? text('"{path}" controls what can run or is allowed here, so changing it always needs your approval.', { path })
			: REASONS[kind](path);
	return { reason, grants: kind === 'instructions' };
}
