/** `prowess goal run`: works on one goal in its folder. */
import { withHost } from '../ports/cli-host.ts';
import { openHome } from '../home/home-folder.ts';
import { isDirectoryPath, isTrusted } from '../home/trusted-folders.ts';
import type { CommandAction } from '../invocation/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { readApprovalMode } from '../invocation/workspace-option.ts';
import { visibleLine } from '../terminal/visible.ts';
import { goalLines, stepLine } from './goal-lines.ts';

export const runGoal: CommandAction = async (invocation, context) => {
	const { terminal, signal } = context;
	const id = invocation.operands[0] ?? '';
	const approvalMode = readApprovalMode(invocation, terminal, 'goal run');
	const ours = { workspace: undefined, approvalMode: 'never' } as const;
	const { folder } = await withHost(invocation, context, ours, async (host) =>
		(await host.trustedBase()).goals.get(id),
	);
	if (!(isDirectoryPath(folder) && isTrusted(openHome(context.environment), folder))) {
		terminal.err(`${visibleLine(folder)} is gone or is not trusted. Trust it with "prowess run --trust".\n`);
		return exitCodes.failed;
	}
	return await withHost(invocation, context, { workspace: folder, approvalMode }, async (host) => {
		const { goals } = await host.trustedBase();
		const goal = await goals.run(id, ({ step }) => terminal.err(`${stepLine(step)}\n`), signal);
		const other = goals.elsewhere(goal);
		if (other !== undefined) {
			const { number, pid, host: its } = other;
			terminal.err(`${visibleLine(`Step ${number} is worked on by process ${pid} on ${its}.`)}\n`);
		}
		terminal.out(invocation.switches.has('json') ? `${JSON.stringify(goal)}\n` : goalLines(goal));
		return goal.state === 'done' ? exitCodes.done : exitCodes.failed;
	});
};
