/** Goals: how far each is, its steps as a graph and as a list, and what can be done with it now. */
import type { GoalRow, PageAction, PageBlock } from '../../protocol/pages/capability-page.ts';
import { Icon } from '../parts/icon.tsx';
import { useText } from '../parts/text-actions.ts';
import { actionIcons } from './action-icons.ts';
import { layOut } from './goal-layout.ts';

type GoalRowStep = GoalRow['steps'][number];
type GoalRowAct = (action: PageAction, on: string) => void;

interface GoalsProps {
	readonly block: PageBlock & { readonly kind: 'goals' };
	readonly act: GoalRowAct;
}

export function GoalsBlock({ block: { goals, none }, act }: GoalsProps) {
	return goals.length === 0 ? (
		<p class="page-note">{none}</p>
	) : (
		<>
			{goals.map((goal) => (
				<GoalSection key={goal.id} goal={goal} act={act} />
			))}
		</>
	);
}

function GoalSection({ goal, act }: { readonly goal: GoalRow; readonly act: GoalRowAct }) {
	const { t } = useText();
	const { title, state, stateText, done, steps, notes, actions } = goal;
	return (
		<section class={`page-section goal ${state}`} aria-label={title}>
			<h2>
				<bdi>{title}</bdi>
			</h2>
			<p class="goal-state" role="status">
				{stateText}
			</p>
			<progress value={done} max={steps.length} aria-label={t('Steps done of {title}', { title })} />
			{notes.map((note, index) => (
				<p class="page-note" key={index}>
					<bdi>{note}</bdi>
				</p>
			))}
			<Buttons actions={actions} of={title} act={act} />
			<Graph steps={steps} />
			<ol class="goal-steps">
				{steps.map((step) => (
					<StepLine key={step.number} step={step} act={act} />
				))}
			</ol>
		</section>
	);
}

function Buttons({ actions, of, act }: { actions: GoalRow['actions']; of: string; act: GoalRowAct }) {
	return actions.length === 0 ? null : (
		<div class="button-row" role="group" aria-label={of}>
			{actions.map(({ action, label, on }, index) => (
				<button
					key={action}
					type="button"
					class={index === 0 ? 'button page-action' : 'button secondary page-action'}
					onClick={() => act(action, on)}
				>
					<Icon name={actionIcons[action]} /> {label}
				</button>
			))}
		</div>
	);
}

const stateIcons: { readonly [S in GoalRowStep['state']]: string } = {
	waiting: 'circle-large-outline',
	running: 'loading',
	done: 'pass',
	failed: 'error',
	needsYou: 'question',
};

function StepLine({ step, act }: { readonly step: GoalRowStep; readonly act: GoalRowAct }) {
	const { number, text, state, stateText, notes, reason, actions } = step;
	return (
		<li class={`goal-step ${state}`} value={number}>
			<Icon name={stateIcons[state]} spin={state === 'running'} /> <bdi class="goal-step-text">{text}</bdi>
			<span class="page-note">{[stateText, ...notes].join(' · ')}</span>
			{reason === undefined ? null : <bdi class="goal-step-reason">{reason}</bdi>}
			<Buttons actions={actions} of={text} act={act} />
		</li>
	);
}

const WIDE = 84;
const HIGH = 44;
const STEP_RADIUS = 14;

/** For the eye; the list says the same in words. */
function Graph({ steps }: { readonly steps: readonly GoalRowStep[] }) {
	const places = new Map(layOut(steps).map((place) => [place.number, place]));
	const computeStepPoint = (number: number) => {
		const { column, row } = places.get(number) ?? { column: 0, row: 0 };
		return { x: column * WIDE + STEP_RADIUS + 2, y: row * HIGH + STEP_RADIUS + 2 };
	};
	const width = Math.max(...[...places.values()].map(({ column }) => column)) * WIDE + 2 * STEP_RADIUS + 4;
	const height = Math.max(...[...places.values()].map(({ row }) => row)) * HIGH + 2 * STEP_RADIUS + 4;
	return (
		<svg class="goal-graph" width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
			{steps.flatMap(({ number, after }) =>
				after
					.filter((before) => places.has(before))
					.map((before) => {
						const from = computeStepPoint(before);
						const to = computeStepPoint(number);
						const [start, end] = [from.x + STEP_RADIUS, to.x - STEP_RADIUS];
						const middle = (start + end) / 2;
						const path = `M${start} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${end} ${to.y}`;
						return <path key={`${before}-${number}`} class="goal-edge" d={path} />;
					}),
			)}
			{steps.map(({ number, state }) => (
				<g
					key={number}
					class={`goal-node ${state}`}
					transform={`translate(${computeStepPoint(number).x} ${computeStepPoint(number).y})`}
				>
					<circle r={STEP_RADIUS} />
					<text>{number}</text>
				</g>
			))}
		</svg>
	);
}
