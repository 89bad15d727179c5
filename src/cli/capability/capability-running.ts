/** `prowess capability ps` and `stop`: executions of every host of this home, the editor's windows included. */
import { EXECUTION_ID, executionsOfHosts, stopInItsHost } from '../../execution/runs/executions-of-hosts.ts';
import { leftInWords } from '../../protocol/execution/execution.ts';
import type { CommandAction } from '../invocation/command.ts';
import { openHome } from '../home/home-folder.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { visibleLine } from '../terminal/visible.ts';
import { printResult, printRows } from '../invocation/print-result.ts';

export const listRunning: CommandAction = async ({ switches }, { terminal, environment }) => {
	const running = await executionsOfHosts(openHome(environment));
	const format = ({ executionId, type, name, startedAt, hostPid }: (typeof running)[number]) => {
		const line = `${executionId.padEnd(28)} ${type.padEnd(8)} ${name.padEnd(24)} since ${startedAt}, process ${hostPid}`;
		return `${visibleLine(line)}\n`;
	};
	return printRows({ switches }, { terminal }, running, { format, none: 'No capability is running.\n' });
};

export const stopRunning: CommandAction = async ({ operands, switches }, { terminal, environment, signal }) => {
	const [executionId = ''] = operands;
	if (!EXECUTION_ID.test(executionId)) {
		throw new UsageError(`capability stop takes an execution id, cap_…, from "capability ps"; got "${executionId}"`);
	}
	const stopped = await stopInItsHost(openHome(environment), executionId, signal);
	const left = stopped.leftovers === undefined ? '' : `; ${leftInWords(stopped.leftovers)}`;
	const text = `${visibleLine(`${stopped.type} ${stopped.name} ${executionId}`)} has ended${visibleLine(left)}\n`;
	return printResult({ switches }, { terminal }, stopped, text);
};
