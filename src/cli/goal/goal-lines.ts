/** A goal in the terminal: its state, and a line for each step. */
import type { Goal, GoalStep } from '../../features/goal/goal.ts';
import { visibleLine } from '../terminal/visible.ts';

export function goalLines({ id, title, state, folder, steps }: Goal): string {
	const done = steps.filter((step) => step.state === 'done').length;
	const head = `${id}  ${visibleLine(title)}\n    ${state}, ${done} of ${steps.length} done, ${visibleLine(folder)}\n`;
	return head + steps.map((step) => `    ${stepLine(step)}\n`).join('');
}

export function stepLine({ number, state, text, attempts }: GoalStep): string {
	// Show a claimed step as running: to a reader it makes no difference that a process has taken it before its message
	// is there.
	const shown = state === 'claimed' || state === 'started' ? 'running' : state;
	return `${number}. [${shown}${attempts > 1 ? `, attempt ${attempts}` : ''}] ${visibleLine(text)}`;
}
