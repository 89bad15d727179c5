/** Steps of a running capability below its call: the last few while it runs, one line once it has ended, all on request. */
import { useState } from 'preact/hooks';
import { escapeInvisible } from '../../../../base/text/escape-invisible.ts';
import { textForUser } from '../../../../protocol/errors/error-text.ts';
import { opCard } from '../../../../protocol/op-table/cards.ts';
import { titleInWords } from '../../../../protocol/text/text.ts';
import { isOpenCall, type ToolItem } from '../../../../protocol/thread/items.ts';
import { countSteps, isFollowed, type RunStep } from '../../../../protocol/turn/run-steps.ts';
import { useView } from '../../../actions/view-context.ts';
import { Icon } from '../../../parts/icon.tsx';
import { formatDuration, useElapsed } from '../../../parts/times.ts';
import type { Translate } from '../../../parts/translate.ts';

/** Steps in sight while it runs. */
const LAST_SHOWN = 4;
/** A step that took less has no time in its line: the room is the title's. */
const NOTABLE_STEP_MS = 1_000;

export function StepList({ item, isElsewhere }: { readonly item: ToolItem; readonly isElsewhere: boolean }) {
	const { t, editor } = useView();
	const [isOpen, setIsOpen] = useState(false);
	const steps = item.steps ?? [];
	const isLive = isOpenCall(item.status) || (item.inBackground === true && isFollowed(item.steps));
	const count = countSteps(steps);
	const shown = isOpen ? steps : isLive ? steps.slice(-LAST_SHOWN) : [];
	const leftOut = count - steps.length;
	if (count === 0 && !isLive) return null;
	return (
		<div class="card-below run-steps">
			<div class="run-steps-head">
				{count > 0 && (
					<button type="button" class="link-button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
						<Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
						{count === 1 ? t('1 step') : t('{n} steps', { n: count })}
					</button>
				)}
				{isLive && !isElsewhere && opCard(item.tool).isRun === true && (
					<button type="button" class="link-button" onClick={() => void editor.stopRun(item.opId)}>
						<Icon name="debug-stop" /> {t('Stop this run')}
					</button>
				)}
			</div>
			{isOpen && leftOut > 0 && <p class="step-more">{t('{n} earlier steps are not kept.', { n: leftOut })}</p>}
			{shown.length > 0 && (
				<ol aria-label={t('Steps of {title}', { title: escapeInvisible(titleInWords(item, t), 'line') })}>
					{shown.map((step) => (
						<RunStepLine key={step.id} step={step} />
					))}
				</ol>
			)}
		</div>
	);
}

function RunStepLine({ step }: { readonly step: RunStep }) {
	const { t } = useView();
	const { icon, word } = stepStatus(step, t);
	const isRunning = step.status === 'running';
	const elapsed = useElapsed(step.at, isRunning);
	const time = step.durationMs ?? (elapsed === undefined ? undefined : Math.floor(elapsed / 1_000) * 1_000);
	const words = step.words === undefined ? '' : escapeInvisible(step.words, 'line');
	return (
		<li class={`step ${step.kind} ${step.status}`}>
			<Icon name={icon} spin={isRunning} />
			<span class="step-text">
				{step.from !== undefined && <span class="step-from">{escapeInvisible(step.from, 'line')}: </span>}
				{escapeInvisible(titleInWords(step, t), 'line')}
				{words !== '' && <span class="step-words"> {words}</span>}
				{step.error !== undefined && <span class="step-error"> {textForUser(step.error, t)}</span>}
			</span>
			<span class="step-state">
				{step.fraction !== undefined && `${Math.round(Math.min(1, Math.max(0, step.fraction)) * 100)} %`}
				{time !== undefined && time >= NOTABLE_STEP_MS && formatDuration(time, t)}{' '}
				<span class={step.status === 'done' || isRunning ? 'sr-only' : ''}>{step.kind === 'report' ? '' : word}</span>
			</span>
		</li>
	);
}

function stepStatus({ kind, status }: RunStep, t: Translate): { readonly icon: string; readonly word: string } {
	switch (status) {
		case 'waiting':
			return { icon: 'bell', word: t('Waits for your answer') };
		case 'running':
			return { icon: 'loading', word: t('running') };
		case 'done':
			return { icon: kind === 'report' ? 'comment' : 'check', word: t('done') };
		case 'failed':
			return { icon: 'error', word: t('failed') };
		case 'denied':
			return { icon: 'circle-slash', word: t('denied') };
		case 'cancelled':
			return { icon: 'debug-stop', word: t('stopped') };
		case 'interrupted':
			return { icon: 'debug-disconnect', word: t('interrupted') };
		case 'unfollowed':
			return { icon: 'run-all', word: t('not followed further') };
	}
}
