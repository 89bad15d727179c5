/** Messages that begin the turns of goals. */
import { inEnglish } from '../../protocol/text/text.ts';
import type { ClaimedStep, UntilCondition } from './goal.ts';

const CUT_SHORT =
	'An earlier attempt at this step was cut short. What it did stands: look at what is there, repeat nothing, and do what is left.';

/** The message that begins the turn of a step. */
export function createStepMessage({ goal, step, isContinued }: ClaimedStep): string {
	const { title, steps } = goal;
	const plan = steps
		.map(({ number, text, state }) => `${number}. ${text}${state === 'done' ? ' (done)' : ''}`)
		.join('\n');
	return [
		`Goal: ${title}\n${plan}`,
		`Do step ${step.number} now, and only that: ${step.text}`,
		...(isContinued ? [CUT_SHORT] : []),
		...(step.reason === null || isContinued
			? []
			: [
					`An earlier attempt ended without being done. What it did stands, and the user wants it tried again. What was missing: ${inEnglish(step.reason)}`,
				]),
	].join('\n\n');
}

/** The message that begins a round. `missing`: what the last check has found. */
export function createRoundMessage({ step }: ClaimedStep, { check }: UntilCondition, missing: string): string {
	const how =
		check === null
			? 'Another model judges that by your calls, their results and the changed files, and not by what you say.'
			: `This command decides it, with exit code 0: ${check}\nDo not change the command, what it checks, or the tests to make it pass.`;
	return [
		`Work until this holds: ${step.text}`,
		how,
		`Round ${step.attempts}. ${missing === '' ? 'Nothing was checked yet.' : `The last check found that it does not hold yet:\n${missing}`}`,
		'Do what is left, then end your turn: it is checked then. If only the user can go on, say so.',
	].join('\n\n');
}
