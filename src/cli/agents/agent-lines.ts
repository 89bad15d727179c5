/** A sub-agent in one line, and the cards of those that work for a thread while it runs. */
import type { HandOff } from '../../protocol/agents/agent-view.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { AgentRegister } from '../../features/agents/agent-register.ts';
import { AGENT_OUTCOMES, AGENT_STATES, type AgentView } from '../../protocol/agents/agent-view.ts';
import type { ThreadId } from '../../protocol/ids.ts';
import { costText } from '../../protocol/pages/cost-text.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { visibleLine } from '../terminal/visible.ts';

/** Returns the line of a sub-agent: its state, its current work and its use of tokens. */
export function agentLine({ name, state, outcome, doing, isWaiting, tokens, cost }: AgentView): string {
	const isOver = state !== 'running' && outcome !== undefined;
	const words = [
		`${inEnglish(AGENT_STATES[state])}${isOver ? ` (${inEnglish(AGENT_OUTCOMES[outcome])})` : ''}`,
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

/** Quotes a word so that a shell reads it as a single word. */
function quoteShellWord(word: string): string {
	return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
