/** A sentence of ours in the thread, with what can be done about it. */
import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { quotaText, switchedOffText } from '../../../protocol/pages/usage-text.ts';
import { translateText } from '../../../protocol/text/text.ts';
import { assertNever } from '../../../base/assert-never.ts';
import type { ErrorCode } from '../../../protocol/errors/errors.ts';
import { causeForUser, detailForUser, textForUser } from '../../../protocol/errors/error-text.ts';
import type { Notice, NoticeAction, ThreadItem } from '../../../protocol/thread/items.ts';
import { useElapsed } from '../../parts/times.ts';
import type { Translate } from '../../parts/translate.ts';
import { LongText } from '../../markdown/text/long-text.tsx';
import type { OverruleHow } from '../../../protocol/thread/thread-requests.ts';
import { useView } from '../../actions/view-context.ts';
import { ConfirmButton } from '../confirm-button.tsx';
import { Icon } from '../../parts/icon.tsx';

type ShownNotice = Extract<ThreadItem, { kind: 'notice' }>;

interface NoticeProps {
	readonly item: ShownNotice;
	readonly isLastTurn: boolean;
	/** True when the turn of the notice runs. */
	readonly isRunning: boolean;
}

/** Offers beside an answer or a strategy: a line of their own words, as long as they can be taken. */
const QUIET_OFFERS: ReadonlySet<NoticeAction> = new Set(['answerDirectly', 'askModel', 'runOnSchedule', 'workAsGoal']);

/** Ways to work on a message that are offered while another one can be stopped. Afterwards its answer is not thrown away. */
const GO_WITH_TURN: ReadonlySet<NoticeAction> = new Set(['answerDirectly', 'workAsGoal']);

/** True once a model can answer: what the tour offers then is done. */
const ConnectedContext = createContext<boolean | undefined>(false);
export const ConnectedProvider = ConnectedContext.Provider;

export function NoticeView({ item, isLastTurn, isRunning }: NoticeProps) {
	const { t, threads, editor } = useView();
	const isConnected = useContext(ConnectedContext);
	const [isOverruled, setOverruled] = useState(false);
	const overruleNotice = async (how: OverruleHow) => {
		setOverruled(await threads.overrule(item.turnId, how));
	};
	const runNoticeAction = (action: NoticeAction) => {
		switch (action) {
			case 'retry':
				return threads.rerun(item.turnId);
			case 'answerDirectly':
			case 'askModel':
				return threads.workAgain(item.turnId, 'DIRECT_RESPONSE');
			case 'workAsGoal':
				return threads.workAgain(item.turnId, 'GOAL');
			case 'confirmClaim':
				return overruleNotice({ act: 'confirm' });
			case 'switchOn':
				return item.switchedOff && overruleNotice({ act: 'switchOn', judgement: item.switchedOff });
			case 'runOnSchedule':
				return threads.runOnSchedule(item.turnId);
			case 'continue':
				return isStoppedByGuard(item) ? threads.goOnAnyway(item.turnId) : threads.send('Continue.', []);
			default:
				return editor.command(action);
		}
	};
	const { error, attempt } = item;
	if (attempt !== undefined) {
		return <AttemptNotice at={item.at} attempt={attempt} isRunning={isRunning} />;
	}
	const text = describeNotice(item, t);
	const detail = error === undefined ? undefined : detailForUser(error);
	// The agent would go on from the end of the thread, not from here.
	const mayGoOn = item.actions.filter((action) => isLastTurn || (action !== 'continue' && !QUIET_OFFERS.has(action)));
	const actions = isOverruled ? [] : mayGoOn;
	const isQuiet = item.actions.some((action) => QUIET_OFFERS.has(action));
	const isDone = isConnected === true && error === undefined && item.actions.includes('connectModel');
	if (isDone || (!isRunning && item.actions.some((action) => GO_WITH_TURN.has(action)))) {
		return null;
	}
	return (
		<div class={`item notice ${item.level}${isQuiet ? ' quiet' : ''}`} role="note">
			<Icon name={item.level} />
			<div class="notice-body">
				<p>
					<span class="sr-only">{levelWord(item.level, t)} </span>
					<LongText text={error === undefined ? text : textForUser(error, t)} />
				</p>
				{error !== undefined && detail !== undefined && (
					<p class="detail-note">
						{detail} <code>{error.code}</code>
					</p>
				)}
				{isOverruled && (
					<p class="detail-note" role="status">
						{item.switchedOff === undefined ? t('Confirmed by you.') : t('Switched on again.')}
					</p>
				)}
				{actions.length > 0 && (
					<div class="button-row">
						{actions.map((action, index) => {
							const look = isQuiet ? 'link-button' : index === 0 ? 'button' : 'button secondary';
							return action === 'retry' && !isLastTurn ? (
								<ConfirmButton
									key={action}
									class={look}
									label={actionLabel(action, t, error?.code)}
									question={t(
										'Retry from here? Everything after this message is removed, until you restore it. Files stay as they are.',
									)}
									act={actionLabel(action, t, error?.code)}
									onConfirm={() => void runNoticeAction(action)}
								>
									{actionLabel(action, t, error?.code)}
								</ConfirmButton>
							) : (
								<button key={action} type="button" class={look} onClick={() => void runNoticeAction(action)}>
									{actionLabel(action, t, error?.code)}
								</button>
							);
						})}
					</div>
				)}
			</div>
		</div>
	);
}

function describeNotice(
	{ text, passedOver, skillTools, leftToDo, quota, switchedOff }: ShownNotice,
	t: Translate,
): string {
	if (quota !== undefined) {
		return translateText(quotaText(quota), t);
	}
	if (switchedOff !== undefined) {
		return translateText(switchedOffText(switchedOff), t);
	}
	if (leftToDo !== undefined) {
		return t('A check found something left to do: {what}', { what: leftToDo });
	}
	if (skillTools !== undefined) {
		return t(
			'Until your next message the agent has only these tools, because it follows {skills}: {tools}.',
			skillTools,
		);
	}
	return passedOver === undefined
		? t(text)
		: t('{provider} is paused after {faults} faults; {next} answers.', passedOver);
}

/** Codes of errors with which a guard stopped the turn; continuing goes against its advice. */
const STOPPED_BY_GUARD: ReadonlySet<string> = new Set<ErrorCode>(['GOING_IN_CIRCLES', 'ANSWER_REPEATS']);

function isStoppedByGuard({ error }: ShownNotice): boolean {
	return error !== undefined && STOPPED_BY_GUARD.has(error.code);
}

function levelWord(level: ShownNotice['level'], t: Translate): string {
	return level === 'error' ? t('Error:') : level === 'warning' ? t('Warning:') : t('Note:');
}

/** `code`: of the error that the notice is about. */
function actionLabel(action: NoticeAction, t: Translate, code?: string): string {
	switch (action) {
		case 'connectModel':
			return t('Connect a model');
		case 'switchModel':
			return t('Switch the model');
		case 'retry':
			return t('Retry');
		case 'continue':
			return code !== undefined && STOPPED_BY_GUARD.has(code) ? t('Go on anyway') : t('Continue');
		case 'showLogs':
			return t('Show logs');
		case 'trustWorkspace':
			return t('Manage trust');
		case 'answerDirectly':
			return t('Answer directly');
		case 'askModel':
			return t('Ask the model');
		case 'workAsGoal':
			return t('Work on this as a goal');
		case 'confirmClaim':
			return t('It was done');
		case 'switchOn':
			return t('Switch it on again');
		case 'runOnSchedule':
			return t('Run this on a schedule');
		default:
			return assertNever(action);
	}
}

type Attempt = NonNullable<Notice['attempt']>;

interface AttemptNoticeProps {
	readonly at: string;
	readonly attempt: Attempt;
	readonly isRunning: boolean;
}

/** Outcome of a request to a model that failed: a countdown to the next try, who answers instead, or that it cannot be used. */
function AttemptNotice({ at, attempt, isRunning }: AttemptNoticeProps) {
	const { t, threads } = useView();
	const { error, waitMs = 0, failed, next = '' } = attempt;
	const elapsed = useElapsed(at, isRunning && waitMs > 0);
	const left = elapsed === undefined ? 0 : Math.ceil((waitMs - elapsed) / 1000);
	const reason = causeForUser(error, t);
	const waited = Math.ceil(waitMs / 1000);
	const words =
		failed !== undefined && next === ''
			? `${failed}: ${reason}`
			: failed !== undefined
				? t('{failed}: {reason} {next} answers now.', { failed, reason, next })
				: left > 0
					? t('{reason} Trying again in {left} s.', { reason, left })
					: t('{reason} Tried again after {waited} s.', { reason, waited });
	return (
		<div class="item notice info" role="note">
			<Icon name={left > 0 ? 'watch' : 'info'} />
			<div class="notice-body">
				<p>
					<span class="sr-only">{t('Note:')} </span>
					{words}
				</p>
				{left > 0 && next !== '' && failed === undefined && (
					<div class="button-row">
						<button type="button" class="button" onClick={() => void threads.useNext()}>
							{t('Use {next} now', { next })}
						</button>
					</div>
				)}
			</div>
		</div>
	);
}
