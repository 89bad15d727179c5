/** `prowess replay --from`: what goes on live is a bundle of its own, which gets the host and the agent from here. */
import { isOpName, ops } from '../../protocol/op-table/ops.ts';
import type { CommandAction } from '../invocation/command.ts';
import { trustedWorkspace } from '../invocation/workspace-option.ts';
import { withHost } from '../ports/cli-host.ts';
import { replayHost } from '../replay/replay-command.ts';
import type { StepHost } from './from-step.ts';
import { runPrompt } from './run-prompt.ts';
import { openRunWorktree } from './run-worktree.ts';

const stepHost: StepHost = {
	replay: replayHost,
	withHost,
	trustedWorkspace,
	openRunWorktree,
	runPrompt,
	isChange: (op) => isOpName(op) && (ops[op].effect === 'write' || ops[op].effect === 'execute'),
};

export const goOnCommand: CommandAction = async (...asked) =>
	await (await import('./from-step.ts')).goOnFromStep(stepHost, ...asked);
