/**
 * Answers to an approval, in one row that is always in sight: yes once, and the no right beside it. Answers that reach
 * further are in a list behind *More*, each with its reach. The rule that "always" would save stands on its button.
 */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { type Approval, type ApprovalAnswer, isOfferedForAll } from '../../../protocol/approvals/approvals.ts';
import { translateText } from '../../../protocol/text/text.ts';
import type { Translate } from '../../parts/translate.ts';
import { useView } from '../../actions/view-context.ts';
import { Icon } from '../../parts/icon.tsx';

interface AnswerChoice {
	readonly key: string;
	readonly label: ComponentChildren;
	/** Words for how far the answer reaches. */
	readonly reach?: string;
	/** Stands in the row where there is room. */
	readonly isShort?: boolean;
	/** Stands in the row at any width. */
	readonly isUsual?: boolean;
	readonly answer: ApprovalAnswer;
	/** The one that Enter gives. */
	readonly isFirst?: boolean;
}

/** Answer that a key gives; a yes to what is dangerous has a key of its own, which is not Enter. */
export function findChoice(choices: readonly AnswerChoice[], { key }: KeyboardEvent): AnswerChoice | undefined {
	return choices.find((choice) =>
		key === 'Escape' ? choice.answer.kind === 'deny' : key === 'Enter' ? choice.isFirst === true : choice.key === key,
	);
}

/** Answers to what is shown: to one, or to a list of them at once. */
export function choicesOfShown(shown: readonly Approval[], t: Translate): readonly AnswerChoice[] {
	const [one, ...others] = shown;
	if (one === undefined || others.length === 0) {
		return one === undefined ? [] : listAnswerChoices(one, t);
	}
	const deny: AnswerChoice = { key: '4', label: t('Deny all'), answer: { kind: 'deny' } };
	const n = shown.filter((each) => isOfferedForAll(each, { kind: 'once' })).length;
	const isWhole = n === shown.length;
	const label = isWhole ? t('Allow all shown') : t('Allow {n} of {all} shown', { n, all: shown.length });
	return n === 0 ? [deny] : [{ key: '1', label, answer: { kind: 'once' }, isFirst: isWhole }, deny];
}

/** The first is a yes, the second the no. A key always means the same, whatever else is offered. */
function listAnswerChoices(approval: Approval, t: Translate): readonly AnswerChoice[] {
	const { isOnceOffered, threadScope, turnScope, pattern, wider = [], isProjectOffered, warning, detail } = approval;
	const threadLabel = approval.askedBy === undefined ? t('Allow for this thread') : t('Allow until it disconnects');
	const isConsent = detail.kind === 'consent';
	const isDangerous = warning?.isDangerous === true;
	const rule = pattern === null ? undefined : shownRule(approval, pattern);
	const renderAlwaysLabel = (text: string, shown = rule) => <WithRule text={text} rule={shown ?? ''} />;
	const deny: AnswerChoice = { key: '4', label: isConsent ? t('Not now') : t('Deny'), answer: { kind: 'deny' } };
	const yes: (AnswerChoice | false)[] = [
		isOnceOffered && {
			key: '1',
			label: isConsent
				? t('Run once')
				: detail.kind === 'plan'
					? t('Approve plan')
					: isDangerous
						? t('Allow once…')
						: t('Allow once'),
			answer: { kind: 'once' },
		},
		threadScope !== null && {
			key: '2',
			label: isConsent ? t('Run while I work on it') : threadLabel,
			reach: translateText(threadScope, t),
			answer: { kind: 'thread' },
		},
		turnScope !== undefined && {
			key: TURN_KEY,
			label: t('Allow for this turn'),
			isUsual: approval.hasTurnAsked === true,
			reach: translateText(turnScope, t),
			answer: { kind: 'turn' },
		},
		rule !== undefined &&
			isProjectOffered && {
				key: '3',
				label: renderAlwaysLabel(t('Always allow {rule} in this project')),
				answer: { kind: 'project' },
			},
		rule !== undefined &&
			(isProjectOffered
				? { key: '5', label: renderAlwaysLabel(t('Always allow {rule} in all projects')), answer: { kind: 'always' } }
				: {
						key: '3',
						label: isConsent ? t('Trust this version') : renderAlwaysLabel(t('Always allow {rule}')),
						isShort: isConsent,
						answer: { kind: 'always' },
					}),
		...wider.map((each, index): AnswerChoice => {
			const shown = shownRule(approval, each);
			const reach = t('With any words after it, in the sandbox only.');
			const key = String(WIDER_KEYS + index);
			return isProjectOffered
				? {
						key,
						label: renderAlwaysLabel(t('Always allow {rule} in this project'), shown),
						reach,
						answer: { kind: 'project', rule: each },
					}
				: {
						key,
						label: renderAlwaysLabel(t('Always allow {rule}'), shown),
						reach,
						answer: { kind: 'always', rule: each },
					};
		}),
	];
	const [first, ...more] = yes.filter((choice) => choice !== false);
	return first === undefined ? [deny] : [{ ...first, isFirst: !isDangerous }, deny, ...more];
}

const TURN_KEY = '9';
/** Key of the first rule beside the narrowest one. */
const WIDER_KEYS = 6;

/** Returns the rule to show; for a command its words alone, because it is clear that a command is run. */
function shownRule({ op, detail }: Approval, pattern: string): string {
	return detail.kind === 'command' && pattern.startsWith(`${op} `) ? pattern.slice(op.length + 1) : pattern;
}

function WithRule({ text, rule }: { text: string; rule: string }) {
	const [before = '', after = ''] = text.split('{rule}');
	return (
		<>
			{before}
			<code>{rule}</code>
			{after}
		</>
	);
}

interface ChoiceButtonsProps {
	readonly choices: readonly AnswerChoice[];
	readonly canAnswer: boolean;
	onAnswer(answer: ApprovalAnswer): void;
	onDenyWithReason(): void;
}

export function ChoiceButtons({ choices, canAnswer, onAnswer, onDenyWithReason }: ChoiceButtonsProps) {
	const { t } = useView();
	const hasRoom = useRoom();
	const [isOpen, setIsOpen] = useState(false);
	const more = useRef<HTMLButtonElement>(null);
	const id = useId();
	const inRow = choices.filter(
		({ answer, isShort = false, isUsual = false }, index) =>
			index < 2 || isUsual || (hasRoom && (isShort || answer.kind === 'thread')),
	);
	const further = choices.filter((choice) => !inRow.includes(choice));
	const renderChoice = (choice: AnswerChoice, isInRow: boolean) => (
		<button
			key={choice.key}
			type="button"
			class={choice.isFirst === true ? 'button' : 'button secondary'}
			aria-keyshortcuts={choice.key}
			title={isInRow ? choice.reach : undefined}
			aria-disabled={!canAnswer}
			onClick={() => onAnswer(choice.answer)}
		>
			<kbd aria-hidden="true">{choice.key}</kbd>
			<span class="choice">
				{choice.label}
				{!isInRow && choice.reach !== undefined && <small>{choice.reach}</small>}
			</span>
		</button>
	);
	const withReason = (
		<button type="button" class="button secondary" onClick={onDenyWithReason}>
			{t('Deny with a reason…')}
		</button>
	);
	// In little room a text in the input is the way to deny with a reason, and says so.
	const hasMore = further.length > 0;
	const moreButton = hasMore && (
		<button
			key="more"
			ref={more}
			type="button"
			class="button secondary more"
			aria-expanded={isOpen}
			aria-controls={isOpen ? id : undefined}
			onClick={() => setIsOpen(!isOpen)}
		>
			<span class="more-line">
				<span>
					<Icon name={isOpen ? 'chevron-down' : 'chevron-up'} />
				</span>
				<span>{t('More')}</span>
			</span>
		</button>
	);
	// Where they need two rows, *More* does not stand alone in the second.
	const beside = inRow.find(({ isUsual }) => isUsual === true);
	return (
		<div
			class="dock-actions"
			onKeyDown={(event) => {
				// Folds what is open, before Escape means no.
				if (event.key === 'Escape' && isOpen) {
					event.preventDefault();
					event.stopPropagation();
					setIsOpen(false);
					more.current?.focus();
				}
			}}
		>
			<div class="button-row">
				{inRow.filter((choice) => choice !== beside).map((choice) => renderChoice(choice, true))}
				{!hasMore && hasRoom && withReason}
				{beside === undefined ? moreButton : <span class="joined">{[renderChoice(beside, true), moreButton]}</span>}
			</div>
			{isOpen && hasMore && (
				<div id={id} class="further" role="group" aria-label={t('More answers')}>
					{further.map((choice) => renderChoice(choice, false))}
					{withReason}
				</div>
			)}
		</div>
	);
}

/** True when "for this thread" fits into the row. */
function useRoom(): boolean {
	const [query] = useState(() => matchMedia('(min-width: 520px)'));
	const [hasRoom, setHasRoom] = useState(query.matches);
	useEffect(() => {
		const updateRoom = () => setHasRoom(query.matches);
		query.addEventListener('change', updateRoom);
		return () => query.removeEventListener('change', updateRoom);
	}, [query]);
	return hasRoom;
}
