/** Decides whether a try has passed: by the check of the task, in a copy of the agent's work, in the sandbox. */
import { join } from 'node:path';
import { toErrorMessage } from '../../base/text/message-of.ts';
import { runAgreedCommand } from '../../contract/ops/agreed-command.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { CommandState } from '../../protocol/ops/definitions/commands/shell.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import type { CommandContext } from '../invocation/command.ts';
import type { EvalHost } from './eval-host.ts';
import { copyWork, layFiles, listChangedTests } from './lay-files.ts';
import { bareInvocation, makeOwnHome } from './own-home.ts';
import { evalLimits } from './limits.ts';
import type { EvalTask } from './task.ts';

interface CheckedTry {
	readonly isPassed: boolean;
	/** Why it has not passed, in words; empty: it has. */
	readonly why: string;
	/** The end of what the check printed. */
	readonly output: string;
}

/**
 * `place`: a private folder of this try. Rejects with NOT_AVAILABLE_HERE where the check would run without a sandbox: what it
 * runs, the agent has written.
 */
export async function checkTry(
	task: EvalTask,
	work: string,
	place: string,
	host: EvalHost,
	context: CommandContext,
): Promise<CheckedTry> {
	const changed = await listChangedTests(task.tests, task.files, work);
	const copy = join(place, 'checked');
	try {
		await copyWork(work, copy);
		await layFiles([...task.files.filter(({ path }) => task.tests.includes(path)), ...task.hidden], copy);
	} catch (error) {
		// Folders that nobody may read or write, for one.
		return { isPassed: false, why: `its work could not be copied for the check: ${toErrorMessage(error)}`, output: '' };
	}
	// Another home than the agent's, whose ledger has only what the agent did.
	const inside = await makeOwnHome(join(place, 'home'), host, context, (name) => name.startsWith('prowess.tools.'));
	const end = await host.withHost(bareInvocation, inside, { workspace: copy, approvalMode: 'auto' }, async (opened) => {
		const base = await opened.trustedBase();
		await refuseWithoutSandbox(base);
		const command = { line: task.check, timeoutMs: task.checkMs, caller: { kind: 'user', threadId: null } } as const;
		const outcome = await runAgreedCommand(base.perform, command, context.signal);
		return outcome.status === 'done'
			? describeCheckEnd(CommandState.parse(outcome.result), task.checkMs)
			: { why: `the check could not run: ${outcome.error.message}`, output: '' };
	});
	const cheat = changed.length > 0 ? `changed its tests: ${changed.join(', ')}` : '';
	const why = [cheat, end.why].filter((each) => each !== '').join('; ');
	return { isPassed: why === '', why, output: end.output };
}

/** Rejects with NOT_AVAILABLE_HERE. */
export async function refuseWithoutSandbox({ commandSandbox }: Pick<TrustedBase, 'commandSandbox'>): Promise<void> {
	const sandbox = await commandSandbox();
	if (!sandbox.works) {
		throw new ProwessError('NOT_AVAILABLE_HERE', `no check is run without a sandbox: ${inEnglish(sandbox.why)}`);
	}
}

function describeCheckEnd({ exitCode, signal, timedOut, output }: CommandState, limitMs: number) {
	const shown = output.trim().slice(-evalLimits.toldChars);
	if (timedOut) return { why: `the check did not end within ${limitMs / 1_000} s`, output: shown };
	if (exitCode !== 0) return { why: `the check ended with ${signal ?? `exit code ${exitCode}`}`, output: shown };
	return { why: '', output: shown };
}
