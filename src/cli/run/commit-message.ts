/** `prowess commit-message`: prints a commit message for what is staged, else for what has changed. Commits nothing. */
import type { CommandAction } from '../invocation/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { readApprovalMode, trustedWorkspace } from '../invocation/workspace-option.ts';
import { withHost } from '../ports/cli-host.ts';
import { escapeControls } from '../terminal/visible.ts';

export const commitMessageCommand: CommandAction = async (invocation, context) => {
	const workspace = trustedWorkspace(invocation, context, 'commit-message');
	const approvalMode = readApprovalMode(invocation, context.terminal, 'commit-message');
	return await withHost(invocation, context, { workspace, approvalMode }, async (host) => {
		const base = await host.trustedBase();
		const text = await base.writeCommitMessage({}, context.signal);
		context.terminal.out(`${escapeControls(text)}\n`);
		return exitCodes.done;
	});
};
