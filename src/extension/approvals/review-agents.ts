/** Custom agents of the project and of the user, looked over, allowed and revoked from the palette and with `/agents`. */
import { escapeLine } from '../../base/text/one-line.ts';
import * as vscode from 'vscode';
import type { AgentRegister } from '../../features/agents/agent-register.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { pickOrInform } from '../notices/notices.ts';
import { reviewFile } from './review-file.ts';

type ReviewedAgent = Awaited<ReturnType<AgentRegister['custom']>>[number];

/** `use` begins a thread that follows it. */
export async function reviewAgents(
	base: () => Promise<TrustedBase>,
	use: (name: string) => Promise<void>,
): Promise<void> {
	const { agents } = await base();
	const found = await agents.custom();
	const items = found.map((agent) => ({
		label: escapeLine(agent.name),
		description: describeAgentState(agent),
		detail: [agent.description, ...agent.problems].map(escapeLine).join(' · '),
		agent,
	}));
	const title = vscode.l10n.t('Custom Agents');
	const none = vscode.l10n.t('There are no custom agents in .github/agents, .claude/agents or your home.');
	const picked = await pickOrInform(items, none, { title, matchOnDetail: true });
	if (picked !== undefined) await reviewAgent(picked.agent, agents, use);
}

async function reviewAgent(
	agent: ReviewedAgent,
	agents: AgentRegister,
	use: (name: string) => Promise<void>,
): Promise<void> {
	const name = escapeLine(agent.name);
	const review = {
		path: agent.path,
		state: agent.state,
		question:
			agent.state === 'allowed'
				? vscode.l10n.t('Agents may follow the instructions of {0}.', name)
				: vscode.l10n.t('Let agents follow the instructions of {0}?', name),
		details: [
			vscode.workspace.asRelativePath(agent.path),
			agent.ops === undefined
				? vscode.l10n.t('Tools: all of the thread that starts it')
				: vscode.l10n.t('Tools: {0}', agent.ops.join(', ')),
			...agent.problems.map(escapeLine),
			vscode.l10n.t('It may do no more than the thread that starts it, and its calls ask as usual.'),
		],
		use: { button: vscode.l10n.t('New thread'), begin: () => use(agent.name) },
		onceAllowed: vscode.l10n.t('{0} is allowed until its file changes.', name),
		onceRevoked: vscode.l10n.t('{0} asks for your consent again.', name),
	};
	await reviewFile(review, agents);
}

function describeAgentState({ state }: ReviewedAgent): string {
	switch (state) {
		case 'allowed':
			return vscode.l10n.t('allowed');
		case 'changed':
			return vscode.l10n.t('changed, asks before it is used');
		case 'not allowed':
			return vscode.l10n.t('asks before it is used');
		case 'unusable':
			return vscode.l10n.t('cannot be used');
	}
}
