/** `prowess script check|run|keep`. No model takes part. */
import type { Script } from '../../features/script/script.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { isProwessError } from '../../protocol/errors/errors.ts';
import { withHost } from '../ports/cli-host.ts';
import { readScriptFile } from '../ports/script-file.ts';
import type { CommandAction, CommandContext, Invocation } from '../invocation/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { formatRunStepLine } from '../terminal/run-step-line.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { readApprovalMode, trustedWorkspace } from '../invocation/workspace-option.ts';
import { escapeUnseen, visibleLine } from '../terminal/visible.ts';
import { printResult } from '../invocation/print-result.ts';

export const checkScript: CommandAction = (invocation, context) =>
	withScript(invocation, context, 'check', async (_, script) => {
		printResult(invocation, context, script, scriptLines(script));
	});

export const runScript: CommandAction = (invocation, context) =>
	withScript(invocation, context, 'run', async (scripts, script) => {
		const { terminal, signal } = context;
		const { repeat, skip } = invocation.values;
		if (repeat !== undefined && skip !== undefined) {
			throw new UsageError('script run: --repeat does not go with --skip');
		}
		terminal.err(scriptLines(script));
		const step = repeat ?? skip;
		const { results, threadId } = await scripts
			.run(
				script,
				{
					isAnew: invocation.switches.has('anew'),
					inDoubt: step === undefined ? undefined : { step, isRepeated: repeat !== undefined },
					onStep: ({ id }, isKept) => terminal.err(`${id}${isKept ? ': done before' : ' …'}\n`),
					// Steps of the script itself are said above, and those that fail at the end.
					onRunSteps: (steps) => {
						for (const each of steps) {
							if (each.from !== undefined) terminal.err(formatRunStepLine(each) ?? '');
						}
					},
				},
				signal,
			)
			.catch((error: unknown) => {
				terminal.err(stoppedLine(script, error));
				throw error;
			});
		const given = Object.fromEntries(results);
		printResult(invocation, context, { threadId, results: given }, '');
		terminal.err(`Done: ${visibleLine(script.name)}\n`);
	});

export const keepScript: CommandAction = (invocation, context) =>
	withScript(invocation, context, 'keep', async (scripts, script, text) => {
		const name = invocation.operands[1] ?? '';
		const folder = await scripts.keep(script, name, text);
		context.terminal.err(`Kept as skill/${visibleLine(name)}: ${visibleLine(folder)}\n`);
	});

/** Which step stopped it; empty: none did. */
function stoppedLine({ steps }: Script, error: unknown): string {
	const id = isProwessError(error) ? error.facts['step'] : undefined;
	const step = steps.find((each) => each.id === id);
	return step === undefined ? '' : `Stopped at step "${step.id}" (line ${step.line}). Run it again to go on there.\n`;
}

function scriptLines({ name, description, steps }: Script): string {
	const head = description === '' ? visibleLine(name) : `${visibleLine(name)}: ${escapeUnseen(description)}`;
	return `${head}\n${steps.map(({ id, title }, at) => `  ${at + 1}. ${id}: ${visibleLine(title)}\n`).join('')}`;
}

function withScript(
	invocation: Invocation,
	context: CommandContext,
	what: 'check' | 'run' | 'keep',
	work: (scripts: TrustedBase['scripts'], script: Script, text: string) => Promise<void>,
): Promise<number> {
	const file = invocation.operands[0] ?? '';
	const text = readScriptFile(file, `script ${what}`);
	const workspace = trustedWorkspace(invocation, context, `script ${what}`);
	const approvalMode = what === 'run' ? readApprovalMode(invocation, context.terminal, 'script run') : 'never';
	return withHost(invocation, context, { workspace, approvalMode }, async (host) => {
		const { scripts } = await host.trustedBase();
		await work(scripts, await scripts.read(text, file), text);
		return exitCodes.done;
	});
}
