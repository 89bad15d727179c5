/** `prowess agent list` without a thread: all agents of the home, as the tab *Agents* of an editor shows them. */
import { readBackgroundState } from '../../features/background/attach.ts';
import { listAgentRows } from '../../host/list-agent-rows.ts';
import type { AgentRow } from '../../protocol/agents/agent-rows.ts';
import { costText } from '../../protocol/pages/usage-text.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import { visibleLine } from '../terminal/visible.ts';

type AllAgentSources = Pick<Parameters<typeof listAgentRows>[0], 'base' | 'server'> & { readonly home: string };

/** Unlike a page, a terminal shows all of them. A background host that does not answer is left out. */
export async function listAllAgents(
	{ base, server, home }: AllAgentSources,
	signal: AbortSignal,
): Promise<readonly AgentRow[]> {
	const background = await readBackgroundState(home).catch(() => undefined);
	return (await listAgentRows({ base, server, background, most: Number.MAX_SAFE_INTEGER }, signal)).rows;
}

const ROW_STATE_WORDS: { readonly [S in AgentRow['state']]: string } = {
	needsYou: 'needs you',
	working: 'at work',
	resting: 'resting',
	ended: 'ended',
};

export function formatAgentRow(row: AgentRow): string {
	const { id, kind, state, title, doing, said, steps, tokens = 0, cost = 0, files, worktree } = row;
	const words = [
		...(doing === undefined ? (said === undefined ? [] : [inEnglish(said)]) : [doing.title]),
		...(steps === undefined ? [] : [`${steps.done} of ${steps.all} steps done`]),
		...(tokens === 0 ? [] : [`${tokens.toLocaleString('en-US')} tokens`]),
		...(cost === 0 ? [] : [inEnglish(costText(cost))]),
		...(files === 0 ? [] : [`${files} changed ${files === 1 ? 'file' : 'files'}`]),
		...(worktree === undefined ? [] : [`in the worktree ${worktree}`]),
	];
	const named = `${kind === 'agent' ? 'sub-agent' : kind} ${title === '' ? 'New thread' : title}`;
	const about = words.length === 0 ? named : `${named}: ${words.join(', ')}`;
	return `${visibleLine(`${id}  ${ROW_STATE_WORDS[state].padEnd(9)}  ${about}`)}\n`;
}
