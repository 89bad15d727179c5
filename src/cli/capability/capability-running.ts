/** `prowess capability ps` and `stop`: executions of every host of this home, the editor's windows included. */
import { EXECUTION_ID, executionsOfHosts, stopInItsHost } from '../../execution/runs/executions-of-hosts.ts';
import { leftInWords } from '../../protocol/execution/execution.ts';
import type { CommandAction } from '../invocation/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { openHome } from '../home/home-folder.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { visibleLine } from '../terminal/visible.ts';

export const listRunning: CommandAction = async ({ switches }, { terminal, environment }) => {
	const running = await executionsOfHosts(openHome(environment));
	if (switches.has('json')) {
		terminal.out(`${JSON.stringify(running, null, 2)}\n`);
	} else if (running.length === 0) {
		terminal.err('No capability is running.\n');
	} else {
		const formatExecutionLine = ({ executionId, type, name, startedAt, hostPid }: (typeof running)[number]) =>
			`${executionId.padEnd(28)} ${type.padEnd(8)} ${name.padEnd(24)} since ${startedAt}, process ${hostPid}\n`;
		terminal.out(
			running
				.map(formatExecutionLine)
				.map((each) => `${visibleLine(each.trimEnd())}\n`)
				.join(''),
		);
	}
	return exitCodes.done;
};

export const stopRunning: CommandAction = async ({ operands, switches }, { terminal, environment, signal }) => {
	const [executionId = ''] = operands;
	if (!EXECUTION_ID.test(executionId)) {
		throw new UsageError(`capability stop takes an execution id, cap_…, from "capability ps"; got "${executionId}"`);
	}
	const stopped = await stopInItsHost(openHome(environment), executionId, signal);
	if (switches.has('json')) {
		terminal.out(`${JSON.stringify(stopped, null, 2)}\n`);
	} else {
		const left = stopped.leftovers === undefined ? '' : `; ${leftInWords(stopped.leftovers)}`;
		terminal.out(`${visibleLine(`${stopped.type} ${stopped.name} ${executionId}`)} has ended${visibleLine(left)}\n`);
	}
	return exitCodes.done;
};
