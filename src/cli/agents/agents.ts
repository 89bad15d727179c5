/**
 * `prowess agent …`: sub-agents of all threads. Sub-agents of other windows and terminals are shown, and can be ended,
 * too.
 */
import type { Disposable } from '../../base/disposable.ts';
import type { AgentRegister } from '../../features/agents/agent-register.ts';
import { agentStateInWords, type AgentView, type HandOff } from '../../protocol/agents/agent-view.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { costText } from '../../protocol/pages/usage-text.ts';
import { ThreadId } from '../../protocol/rpc/ids.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import { threadRequests } from '../../protocol/thread/thread-requests.ts';
import { openHome } from '../home/home-folder.ts';
import { type CliHost, withHost } from '../ports/cli-host.ts';
import type { CommandAction, CommandContext, Invocation } from '../invocation/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { readThreadId } from '../records/threads.ts';
import { quoteShellWord, escapeUnseen, visibleLine } from '../terminal/visible.ts';
import { formatJson, printRows } from '../invocation/print-result.ts';

const LAST_ITEMS = 50;

export const listAgents: CommandAction = (invocation, context) =>
	withAgents(invocation, context, async (host) => {
		const { agents } = await host.trustedBase();
		const threadId = threadOption(invocation);
		if (threadId === undefined) return await printAllAgents(host, invocation, context);
		return printRows(invocation, context, await agents.of(threadId), {
			format: (agent) => `${agent.id}  ${'  '.repeat(agent.level - 1)}${agentLine(agent)}\n`,
			none: 'There are no sub-agents. An agent starts one with its tool agent_spawn.\n',
		});
	});

async function printAllAgents(host: CliHost, invocation: Invocation, context: CommandContext): Promise<number> {
	const { formatAgentRow, listAllAgents } = await import('./all-agents.ts');
	const sources = {
		base: await host.trustedBase(),
		server: await host.server(context.signal),
		home: openHome(context.environment),
	};
	return printRows(invocation, context, await listAllAgents(sources, context.signal), {
		format: formatAgentRow,
		none: 'Nothing is at work. Begin with "prowess run".\n',
	});
}

export const showAgent: CommandAction = (invocation, context) =>
	withAgents(invocation, context, async (host) => {
		const id = readThreadId(invocation);
		const agent = await requireAgent(host, id);
		const server = await host.server(context.signal);
		const { items } = await server.call(threadRequests.open, { threadId: id, items: LAST_ITEMS }, context.signal);
		const last = items.findLast((item) => item.kind === 'text');
		const answer = last?.kind === 'text' ? last.text : '';
		if (invocation.switches.has('json')) {
			context.terminal.out(formatJson({ ...agent, answer }));
			return exitCodes.done;
		}
		const { tokens, dollars } = agent.budget;
		const limits = [
			...(tokens === undefined ? [] : [`${tokens.toLocaleString('en-US')} tokens`]),
			...(dollars === undefined ? [] : [`$${dollars}`]),
		];
		const lines = [
			agentLine(agent),
			`  works for    ${agent.parent}`,
			`  mode         ${agent.mode}`,
			...(agent.agent === undefined ? [] : [`  agent        ${visibleLine(agent.agent)}`]),
			...(agent.modelId === null ? [] : [`  model        ${visibleLine(agent.modelId)}`]),
			...(limits.length === 0 ? [] : [`  budget       ${limits.join(', ')}`]),
			`  since        ${agent.createdAt}`,
			'',
			escapeUnseen(agent.task),
			...(answer === '' ? [] : ['', escapeUnseen(answer)]),
		];
		context.terminal.out(`${lines.join('\n')}\n`);
		return exitCodes.done;
	});

export const stopAgent: CommandAction = (invocation, context) =>
	withAgents(invocation, context, async (host) => {
		const stopped = await (await host.trustedBase()).agents.stop(readThreadId(invocation), context.signal);
		context.terminal.err(stopped.length === 0 ? 'It had ended.\n' : `Ended: ${stopped.join(', ')}\n`);
		return exitCodes.done;
	});

/** With a server: its first act is to settle what an earlier one has left behind. */
function withAgents(
	invocation: Invocation,
	context: CommandContext,
	work: (host: CliHost) => Promise<number>,
): Promise<number> {
	return withHost(invocation, context, { workspace: undefined, approvalMode: 'never' }, async (host) => {
		await host.server(context.signal);
		return await work(host);
	});
}

async function requireAgent(host: CliHost, id: ThreadId): Promise<AgentView> {
	const found = (await (await host.trustedBase()).agents.all()).find((agent) => agent.id === id);
	if (found === undefined) {
		throw new ProwessError('NOT_FOUND', `there is no sub-agent ${id}; \`prowess agent list\` shows them`, { id });
	}
	return found;
}

function threadOption({ values }: Invocation): ThreadId | undefined {
	const given = values['thread'];
	const parsed = ThreadId.safeParse(given);
	if (given !== undefined && !parsed.success) {
		throw new UsageError(`agent list: --thread takes an id like "thr_…"; got "${given}"`);
	}
	return parsed.data;
}

/** Returns the line of a sub-agent: its state, its current work and its use of tokens. */
function agentLine({ name, state, outcome, doing, isWaiting, tokens, cost }: AgentView): string {
	const words = [
		inEnglish(agentStateInWords({ state, outcome })),
		...(isWaiting === true ? ['waits for your answer'] : []),
		...(doing === undefined ? [] : [doing]),
		`${tokens.toLocaleString('en-US')} tokens`,
		...(cost === undefined ? [] : [inEnglish(costText(cost))]),
	];
	return visibleLine(`${name}: ${words.join(', ')}`);
}

/** Prints a line for each change of state or of what is done, where somebody watches. */
export function showAgents(terminal: Terminal, agents: AgentRegister, threadId: ThreadId): Disposable {
	const shown = new Map<string, string>();
	return agents.onDidChange((root) => {
		if (root !== threadId || !terminal.showsStatus) {
			return;
		}
		void agents.of(threadId).then((views) => {
			for (const view of views) {
				const { id, state, outcome, doing, isWaiting, level } = view;
				const now = JSON.stringify([state, outcome, doing, isWaiting]);
				if (shown.get(id) !== now) {
					shown.set(id, now);
					terminal.err(`  ${'  '.repeat(level - 1)}${agentLine(view)}\n`);
				}
			}
		});
	});
}

/** Returns the next steps that the author of a custom agent offers, each as a command line. */
export function handOffLines(handOffs: readonly HandOff[]): string {
	return handOffs
		.map(({ label, agent, prompt }) => {
			const command = `prowess run --agent ${quoteShellWord(agent)} ${quoteShellWord(prompt)}`;
			return `Next, ${visibleLine(label)}: ${visibleLine(command)}\n`;
		})
		.join('');
}
