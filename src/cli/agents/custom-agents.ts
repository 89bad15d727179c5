/** `prowess agent custom`, `allow` and `revoke`: custom agents of a project and of your home, as kinds of sub-agents. */
import { resolve } from 'node:path';
import type { AgentRegister } from '../../features/agents/agent-register.ts';
import { withHost } from '../ports/cli-host.ts';
import { openHome } from '../home/home-folder.ts';
import { isTrusted, realFolder } from '../home/trusted-folders.ts';
import type { CommandAction, CommandContext, Invocation } from '../invocation/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { trustedWorkspace } from '../invocation/workspace-option.ts';
import { visibleLine } from '../terminal/visible.ts';
import { printRows } from '../invocation/print-result.ts';

type CustomAgentInfo = Awaited<ReturnType<AgentRegister['custom']>>[number];

const CUSTOM_AGENT_STATE_WORDS: { readonly [S in CustomAgentInfo['state']]: string } = {
	allowed: 'allowed',
	changed: 'changed since you allowed it; asks before it is used',
	'not allowed': 'asks before it is used',
	unusable: 'cannot be used',
};

export const listCustomAgents: CommandAction = (invocation, context) =>
	withRegister(invocation, context, async (agents) => {
		const found = await agents.custom();
		return printRows(invocation, context, found, { format: formatCustomAgent, none: 'No custom agents.\n' });
	});

export const allowCustomAgents: CommandAction = (invocation, context) =>
	withRegister(invocation, context, async (agents) => {
		for (const path of resolveAgentPaths(invocation)) {
			await agents.allow(path, context.signal);
			context.terminal.err(`Allowed until it changes: ${visibleLine(path)}\n`);
		}
		return exitCodes.done;
	});

export const revokeCustomAgents: CommandAction = (invocation, context) =>
	withRegister(invocation, context, async (agents) => {
		for (const path of resolveAgentPaths(invocation)) {
			const was = await agents.revoke(path, context.signal);
			context.terminal.err(`${was ? 'Revoked' : 'It was not allowed'}: ${visibleLine(path)}\n`);
		}
		return exitCodes.done;
	});

function withRegister(
	invocation: Invocation,
	context: CommandContext,
	work: (agents: AgentRegister) => Promise<number>,
): Promise<number> {
	const folder = realFolder(invocation.values['workspace'] ?? '.');
	const isOurs = invocation.switches.has('trust') || isTrusted(openHome(context.environment), folder);
	const workspace = isOurs ? trustedWorkspace(invocation, context, 'agent') : undefined;
	return withHost(invocation, context, { workspace, approvalMode: 'never' }, async (host) => {
		if (workspace === undefined) {
			context.terminal.err(`prowess: ${visibleLine(folder)} is not trusted, so it was not read\n`);
		}
		return await work((await host.trustedBase()).agents);
	});
}

function resolveAgentPaths({ operands }: Invocation): readonly string[] {
	return operands.map((path) => resolve(path));
}

function formatCustomAgent({ name, description, path, state, ops, problems }: CustomAgentInfo): string {
	return [
		`${name}  ${CUSTOM_AGENT_STATE_WORDS[state]}`,
		...(description === '' ? [] : [`  ${description}`]),
		`  ${path}`,
		...(state === 'unusable'
			? []
			: [`  tools: ${ops === undefined ? 'all of the thread that starts it' : ops.join(', ')}`]),
		...problems.map((problem) => `  ${problem}`),
	]
		.map((line) => `${visibleLine(line)}\n`)
		.join('');
}
