/**
 * `prowess capability …`: runs a capability without an agent. Ops that it asks for go through the same broker as all
 * others.
 */
import { resolve } from 'node:path';
import { EXECUTION_ID, executionsOfHosts, stopInItsHost } from '../../execution/runs/executions-of-hosts.ts';
import { type CapabilityExecutionResult, leftInWords } from '../../protocol/execution/execution.ts';
import { openHome } from '../home/home-folder.ts';
import type { CommandAction, Invocation } from '../invocation/command.ts';
import { withHost } from '../ports/cli-host.ts';
import { changesSentence } from '../records/changes.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { ExecutionInfo } from '../../execution/runs/execution.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { cliLimits } from '../terminal/limits.ts';
import { messageFor } from '../terminal/messages.ts';
import { isExistingFolder } from '../../machine/paths/is-folder.ts';
import { readNumberOption, typedName } from '../invocation/typed-values.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { escapeUnseen, visibleLine } from '../terminal/visible.ts';
import { readApprovalMode, trustedWorkspace } from '../invocation/workspace-option.ts';
import { formatJson, printResult, printRows } from '../invocation/print-result.ts';

const CAPABILITY_RUN_COMMAND = 'capability run';

export const runCapabilityCommand: CommandAction = async (invocation, context) => {
	const { terminal, signal } = context;
	const isJson = invocation.switches.has('json');
	const params = parseParamsOption(invocation);
	const timeout =
		invocation.values['timeout'] === undefined
			? undefined
			: readNumberOption(invocation, 'timeout', 0, cliLimits.executionTimeoutMs);
	const approvalMode = readApprovalMode(invocation, terminal, CAPABILITY_RUN_COMMAND);
	const { tool } = invocation.values;
	const capability = readWantedCapability(invocation);
	const workspace = trustedWorkspace(invocation, context, CAPABILITY_RUN_COMMAND);
	return await withHost(invocation, context, { workspace, approvalMode }, async (host) => {
		const { capabilities, changes } = await host.trustedBase();
		const shown = capabilities.onDidProgress(({ message, fraction }) => {
			const done = fraction === undefined ? '' : ` ${Math.round(fraction * 100)}%`;
			terminal.err(`${visibleLine(message)}${done}\n`);
		});
		let result: CapabilityExecutionResult;
		try {
			const ended = await capabilities.run(
				{
					capability,
					params,
					...(tool === undefined ? {} : { tool }),
					...(timeout === undefined ? {} : { timeout }),
					caller: { kind: 'user', threadId: null },
				},
				signal,
			);
			// This process waits for that in any case, and only then is it known what it left.
			const { leftovers } = await capabilities.waitUntilClosed(ended.executionId);
			result = leftovers.length === 0 ? ended : { ...ended, leftovers };
		} finally {
			shown.dispose();
		}
		const changed = await changes.list(result.executionId);
		if (isJson) {
			const shown = changed.length === 0 ? result : { ...result, changes: changed };
			terminal.out(formatJson(shown));
		} else if (result.error !== undefined) {
			terminal.err(escapeUnseen(messageFor(result.error)));
		} else if (result.result !== undefined) {
			terminal.out(`${await formatRunResult(terminal, capabilities.info(result.executionId), result.result)}\n`);
		}
		if (!isJson && changed.length > 0) terminal.err(changesSentence(result.executionId, changed));
		if (!isJson && result.leftovers !== undefined) terminal.err(`${visibleLine(leftInWords(result.leftovers))}\n`);
		return signal.aborted ? exitCodes.stopped : result.success ? exitCodes.done : exitCodes.failed;
	});
};

/** Drawn by its view for a person; a program that reads it gets the words or the JSON. */
async function formatRunResult(terminal: Terminal, { resultView }: ExecutionInfo, result: unknown): Promise<string> {
	if (!terminal.isOutScreen || resultView === undefined) {
		return escapeUnseen(typeof result === 'string' ? result : JSON.stringify(result, null, 2));
	}
	const { drawResult, wholeDrawing } = await import('../../protocol/text/draw-result.ts');
	const { drawnInText } = await import('../../protocol/text/drawn-text.ts');
	return drawnInText(drawResult(resultView, result, wholeDrawing), escapeUnseen);
}

/** A word is a name, also with its type before it; another one with a slash, one that is there, or `.`, is a folder. */
function readWantedCapability(invocation: Invocation): { name: string; type?: string } | { folder: string } {
	const [wanted = ''] = invocation.operands;
	const folder = resolve(wanted);
	if (/[\\/]/.test(wanted) && isExistingFolder(folder)) return { folder };
	const { name, type } = typedName(invocation, CAPABILITY_RUN_COMMAND);
	return /[\\/]|^\.{1,2}$/.test(name) ? { folder } : { name, ...(type === undefined ? {} : { type }) };
}

function parseParamsOption({ values }: Invocation): unknown {
	const { params } = values;
	if (params === undefined) {
		return {};
	}
	try {
		return JSON.parse(params);
	} catch (error) {
		throw new UsageError(
			`${CAPABILITY_RUN_COMMAND}: --params takes JSON: ${error instanceof Error ? error.message : String(error)}`,
		);
	}
}

/** `prowess capability ps` and `stop`: executions of every host of this home, the editor's windows included. */
export const listRunning: CommandAction = async ({ switches }, { terminal, environment }) => {
	const running = await executionsOfHosts(openHome(environment));
	const formatExecution = ({ executionId, type, name, startedAt, hostPid }: (typeof running)[number]) => {
		const line = `${executionId.padEnd(28)} ${type.padEnd(8)} ${name.padEnd(24)} since ${startedAt}, process ${hostPid}`;
		return `${visibleLine(line)}\n`;
	};
	return printRows({ switches }, { terminal }, running, {
		format: formatExecution,
		none: 'No capability is running.\n',
	});
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
