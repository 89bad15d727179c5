/** Runs one prompt of the command line, from its words to its exit code. */
import { handOffLines, showAgents } from '../agents/agents.ts';
import { goalLines, showGoal } from '../planned/goals.ts';
import { hooksNotAllowedText } from '../agents/list-hooks.ts';
import { toErrorMessage } from '../../base/text/message-of.ts';
import { withTimeLimit } from '../../base/time/bounded-wait.ts';
import { openHome } from '../home/home-folder.ts';
import { packageVersion } from '../home/installation.ts';
import { type CliHost, withHost } from '../ports/cli-host.ts';
import type { TurnRecording } from '../../features/replay/recording.ts';
import { PromptOptions, threadRequests } from '../../protocol/thread/thread-requests.ts';
import { ThreadId } from '../../protocol/rpc/ids.ts';
import type { ContextRef } from '../../protocol/thread/context.ts';
import { Effort } from '../../protocol/turn/models.ts';
import { prepareMessage } from '../../host/doors/send-message.ts';
import { Mode, Strategy } from '../../protocol/thread/thread.ts';
import type { CommandContext, Invocation } from '../invocation/command.ts';
import { promptRemovalText } from '../ports/secrets.ts';
import { unencryptedText } from '../server/model-choice.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { promptText } from '../terminal/standard-input.ts';
import { cliLimits } from '../terminal/limits.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { Stopped } from '../terminal/interruption.ts';
import { isUsageError, UsageError } from '../terminal/usage-error.ts';
import { readApprovalMode, trustedWorkspace } from '../invocation/workspace-option.ts';
import { jsonOutput, type TurnEndEvent } from './output.ts';
import { unsandboxedText } from '../terminal/level-text.ts';
import { namedImages, namedReferences } from './named-files.ts';
import { toTurnError, runPromptTurn } from './run-turn.ts';
import { openRunWorktree } from './run-worktree.ts';
import type { OpenWorktree } from '../../features/worktrees/worktree-register.ts';
import { textOutput } from './text-output.ts';
import { TypedMessages } from './typed-messages.ts';

/** `attached`: goes with the prompt, besides what it names. */
export async function runPrompt(
	invocation: Invocation,
	context: CommandContext,
	attached: readonly ContextRef[] = [],
): Promise<number> {
	const { terminal, signal } = context;
	const approvalMode = readApprovalMode(invocation, terminal, 'run');
	const given = readThreadOption(invocation);
	const agent = invocation.values['agent'];
	if (given !== undefined && agent !== undefined) {
		throw new UsageError('run: --agent begins a new thread, so it does not go with --thread');
	}
	const mode = invocation.values['mode'] === undefined ? undefined : Mode.parse(invocation.values['mode']);
	const chosen = invocation.values['strategy'];
	const strategy = chosen === undefined ? undefined : Strategy.parse(chosen);
	const effort = invocation.values['effort'] === undefined ? undefined : Effort.parse(invocation.values['effort']);
	const options = readPromptOptions(invocation);
	const prompt = await promptText(invocation.operands[0] ?? '', terminal.stdin, 'run: the prompt', signal);
	const output = invocation.switches.has('json') ? jsonOutput(terminal) : textOutput(terminal);
	let isEnded = false;
	let worktree: OpenWorktree | undefined;
	const recording = invocation.switches.has('record')
		? (await import('../../features/replay/recording.ts')).beginRecording(
				openHome(context.environment),
				packageVersion,
				given ?? null,
			)
		: undefined;
	try {
		const project = trustedWorkspace(invocation, context, 'run');
		worktree = await openRunWorktree(invocation, context, { project, prompt });
		const workspace = worktree?.folder ?? project;
		const images = namedImages(invocation.lists['image'] ?? [], process.cwd());
		const outcome = await withHost(invocation, context, { workspace, approvalMode, recording }, async (host) => {
			// Why it did not start is told where it is needed.
			host.server(signal).catch(() => {});
			const base = await host.trustedBase();
			const keepsSecrets = invocation.switches.has('keep-secrets');
			const readyMessage = async (text: string, more: readonly ContextRef[] = []) => {
				const named = [...namedReferences(text, workspace), ...more];
				const { message, found } = await prepareMessage(base, { text, context: named }, keepsSecrets);
				terminal.err(promptRemovalText(found, keepsSecrets));
				return message;
			};
			const message = await readyMessage(prompt, attached);
			terminal.err(unencryptedText(host.choice));
			if (approvalMode === 'auto') {
				await base.warnUnsandboxed((why) => terminal.err(unsandboxedText(why)));
			}
			terminal.err(await hooksNotAllowedText(base));
			const readLevelHere = (id: ThreadId) => base.levels.here(id, signal);
			const keepMode = (id: ThreadId, kept: Mode) => base.modes.set(id, kept, signal);
			const ofMode = mode ?? host.settings.current['prowess.mode'];
			const threadId = agent === undefined ? given : await base.agents.begin(agent, ofMode, null, signal);
			const asked = {
				prompt: message.text,
				context: message.context,
				images,
				threadId,
				mode,
				effort,
				strategy,
				options,
				levelOf: readLevelHere,
				keepMode,
				beginThread: (...beginning: Parameters<TrustedBase['beginThread']>) => {
					begun.add(beginning[0]);
					base.beginThread(...beginning);
				},
				agentsOf: (id: ThreadId) => ({
					shown: showAgents(terminal, base.agents, id),
					settled: () => base.agents.settled(id, signal),
				}),
				hooked: (id: ThreadId, text: string, until: AbortSignal) => base.hooks.prompted(id, text, until),
			};
			const begun = new Set<ThreadId>();
			const started: string[] = [];
			const listening = base.goals.onDidStart(({ id }) => started.push(id));
			const typed = terminal.isInteractive ? new TypedMessages({ terminal, prepare: readyMessage }) : undefined;
			try {
				const ended = await runPromptTurn(host, { ...asked, typed }, output, signal);
				isEnded = true;
				if (ended === 'done' && threadId !== undefined) {
					terminal.err(handOffLines(await base.agents.handOffs(threadId)));
				}
				return ended === 'done' ? await workOn(base.goals, started, terminal, signal) : ended;
			} finally {
				typed?.dispose();
				listening.dispose();
				await finishRecording(recording, host, terminal);
				const { name } = worktree?.record ?? {};
				for (const id of name === undefined ? [] : begun) await base.worktrees.noteThread(name ?? '', id, noStop());
			}
		});
		return exitCodeFor(outcome);
	} catch (error) {
		if (!isUsageError(error) && !isEnded) {
			const isStopped = error instanceof Stopped;
			output.failed(isStopped ? 'stopped' : 'failed', isStopped ? undefined : toTurnError(error));
		}
		throw error;
	} finally {
		worktree?.dispose();
		recording?.close();
	}
}

/** A run that was stopped or failed has a recording, too. A fault of it is said and changes nothing of the turn. */
async function finishRecording(recording: TurnRecording | undefined, host: CliHost, terminal: Terminal): Promise<void> {
	if (recording === undefined) return;
	const limit = { what: 'ending the recording', timeoutMs: cliLimits.requestMs };
	const said = await withTimeLimit(limit, async (signal) => {
		const [server, { ledger }] = [await host.server(signal), await host.trustedBase()];
		const openThread = (threadId: ThreadId, items: number, within: AbortSignal) =>
			server.call(threadRequests.open, { threadId, items }, within);
		const path = await recording.finish({ open: openThread, ledger }, signal);
		return path === undefined ? 'Nothing was recorded.' : `Recorded in ${path}`;
	}).catch((error: unknown) => `The recording has no end: ${toErrorMessage(error)}`);
	terminal.err(`${said}\n`);
}

/** A run that was stopped is noted, too. */
function noStop(): AbortSignal {
	return new AbortController().signal;
}

/** Goals whose plans were approved are worked on here: nobody else may be there to do it. */
async function workOn(
	goals: TrustedBase['goals'],
	ids: readonly string[],
	terminal: Terminal,
	signal: AbortSignal,
): Promise<TurnEndEvent['outcome']> {
	let outcome: TurnEndEvent['outcome'] = 'done';
	for (const id of ids) {
		const goal = await goals.run(id, showGoal(terminal), signal);
		terminal.err(goalLines(goal));
		outcome = goal.state === 'done' ? outcome : 'failed';
	}
	return outcome;
}

const EXPECTED_OPTIONS: Readonly<Record<keyof PromptOptions, readonly [name: string, expected: string]>> = {
	rounds: ['rounds', 'a whole number from 1 to 500'],
	temperature: ['temperature', 'a number from 0 to 2'],
	maxCost: ['max-cost', 'a number of US dollars above 0'],
};

/** Undefined: the prompt has none. */
function readPromptOptions({ values }: Invocation): PromptOptions | undefined {
	const { rounds, temperature, 'max-cost': maxCost } = values;
	const given = {
		...(rounds === undefined ? {} : { rounds: readNumber(rounds) }),
		...(temperature === undefined ? {} : { temperature: readNumber(temperature) }),
		...(maxCost === undefined ? {} : { maxCost: readNumber(maxCost) }),
	};
	const parsed = PromptOptions.safeParse(given);
	if (!parsed.success) {
		const [, [name, expected] = ['temperature', 'a number from 0 to 2']] =
			Object.entries(EXPECTED_OPTIONS).find(([option]) => option === parsed.error.issues[0]?.path[0]) ?? [];
		throw new UsageError(`run: --${name} takes ${expected}; got "${values[name]}"`);
	}
	return Object.keys(parsed.data).length === 0 ? undefined : parsed.data;
}

function readNumber(words: string): number {
	return words.trim() === '' ? Number.NaN : Number(words);
}

function readThreadOption({ values }: Invocation): ThreadId | undefined {
	const given = values['thread'];
	if (given === undefined) {
		return undefined;
	}
	const parsed = ThreadId.safeParse(given);
	if (!parsed.success) {
		throw new UsageError(`run: --thread takes an id like "thr_…"; got "${given}"`);
	}
	return parsed.data;
}

function exitCodeFor(outcome: TurnEndEvent['outcome']): number {
	switch (outcome) {
		case 'done':
			return exitCodes.done;
		case 'stopped':
			return exitCodes.stopped;
		case 'failed':
		case 'interrupted':
			return exitCodes.failed;
	}
}
