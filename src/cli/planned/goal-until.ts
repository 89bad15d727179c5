/** `prowess goal until`: works in a folder until a condition holds. */
import type { NewGoal } from '../../features/goal/goal.ts';
import { planUntil, untilGoal } from '../../features/goal/until/wanted-goal.ts';
import { Mode } from '../../protocol/thread/thread.ts';
import { readApprovalMode, trustedWorkspace } from '../invocation/workspace-option.ts';
import { withHost } from '../ports/cli-host.ts';
import type { CommandAction, CommandContext } from '../invocation/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { pluralizeCount } from '../terminal/messages.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { visibleLine } from '../terminal/visible.ts';
import { workOnGoal } from './goals.ts';

export const untilCommand: CommandAction = async (invocation, context) => {
	const { terminal, signal } = context;
	const approvalMode = readApprovalMode(invocation, terminal, 'goal until');
	const folder = trustedWorkspace(invocation, context, 'goal until');
	const { values } = invocation;
	const words = await planUntil(invocation.operands[0] ?? '', { check: values['check'], limits: values }, folder);
	const wanted: NewGoal = { ...untilGoal(words), folder, mode: Mode.enum.agent };
	const { rounds, tokens, cost, minutes } = words.limits;
	terminal.err(`Check: ${visibleLine(words.check ?? 'a model judges by what was recorded')}\n`);
	const limits = [
		pluralizeCount(rounds, 'round'),
		pluralizeCount(tokens, 'token'),
		pluralizeCount(cost, 'US dollar'),
		pluralizeCount(minutes, 'minute'),
	];
	terminal.err(`At most ${limits.join(', ')}.\n`);
	if (
		values['check'] === undefined &&
		words.check !== undefined &&
		words.check !== null &&
		!(await isCheckConfirmed(words.check, context))
	) {
		return exitCodes.failed;
	}
	return await withHost(invocation, context, { workspace: folder, approvalMode }, async (host) => {
		const base = await host.trustedBase();
		const { id } = await base.goals.add(wanted);
		terminal.err(`${id}\n`);
		return await workOnGoal(base, id, { terminal, signal, isJson: invocation.switches.has('json') });
	});
};

async function isCheckConfirmed(check: string, { terminal, signal }: CommandContext): Promise<boolean> {
	if (!terminal.isInteractive) {
		throw new UsageError(`goal until: confirm what decides with --check '${check}', or --check judge`);
	}
	terminal.err('Does this command decide it? y/n ');
	return /^y(es)?$/i.test((await terminal.lines.next(signal))?.trim() ?? '');
}
