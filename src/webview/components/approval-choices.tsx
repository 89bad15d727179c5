/**
 * The answers to an approval. Yes once and no stand side by side and are always in sight; what reaches further is behind
 * *More* where there is little room. The rule that "always" would save stands on its button.
 */
import { useEffect, useId, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import type { Approval, ApprovalAnswer } from '../../protocol/approvals.ts';
import { wordsOf } from '../../protocol/text.ts';
import type { Translate } from '../translate.ts';
import { useView } from '../view-context.ts';
import { Icon } from './icon.tsx';

interface Choice {
	readonly key: string;
	readonly label: ComponentChildren;
	readonly title?: string | undefined;
	readonly answer: ApprovalAnswer;
}

/** The first is a yes, the second the no. A key always means the same, whatever else is offered. */
export function choicesOf(approval: Approval, t: Translate): readonly Choice[] {
	const { isOnceOffered, threadScope, pattern, isProjectOffered } = approval;
	const rule = pattern === null ? undefined : shownRule(approval, pattern);
	const always = (text: string) => <WithRule text={text} rule={rule ?? ''} />;
	const deny: Choice = { key: '4', label: t('Deny'), answer: { kind: 'deny' } };
	const yes: (Choice | false)[] = [
		isOnceOffered && { key: '1', label: t('Allow once'), answer: { kind: 'once' } },
		threadScope !== null && {
			key: '2',
			label: t('Allow for this thread'),
			title: wordsOf(threadScope, t),
			answer: { kind: 'thread' },
		},
		rule !== undefined &&
			isProjectOffered && {
				key: '3',
				label: always(t('Always allow {rule} in this project')),
				answer: { kind: 'project' },
			},
		rule !== undefined &&
			(isProjectOffered
				? { key: '5', label: always(t('Always allow {rule} in all projects')), answer: { kind: 'always' } }
				: { key: '3', label: always(t('Always allow {rule}')), answer: { kind: 'always' } }),
	];
	const [first, ...more] = yes.filter((choice) => choice !== false);
	return first === undefined ? [deny] : [first, deny, ...more];
}

/** Of a command its words alone: that it is run is clear. */
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
	readonly choices: readonly Choice[];
	readonly canAnswer: boolean;
	onAnswer(answer: ApprovalAnswer): void;
	onDenyWithReason(): void;
}

export function ChoiceButtons({ choices, canAnswer, onAnswer, onDenyWithReason }: ChoiceButtonsProps) {
	const { t } = useView();
	const hasRoom = useRoom();
	const [isOpen, setIsOpen] = useState(false);
	const id = useId();
	const isShown = hasRoom || isOpen;
	const button = (choice: Choice, index: number) => (
		<button
			key={choice.key}
			type="button"
			class={index === 0 && choice.answer.kind !== 'deny' ? 'button' : 'button secondary'}
			aria-keyshortcuts={choice.key}
			title={choice.title}
			aria-disabled={!canAnswer}
			onClick={() => onAnswer(choice.answer)}
		>
			<kbd aria-hidden="true">{choice.key}</kbd>
			{choice.label}
		</button>
	);
	return (
		<div class="dock-actions">
			<div class="button-row">
				{choices.slice(0, 2).map(button)}
				{!hasRoom && (
					<button
						type="button"
						class="button secondary more"
						aria-expanded={isOpen}
						aria-controls={isOpen ? id : undefined}
						onClick={() => setIsOpen(!isOpen)}
					>
						{t('More')} <Icon name={isOpen ? 'chevron-down' : 'chevron-up'} />
					</button>
				)}
			</div>
			{isShown && (
				<div id={id} class="button-row further">
					{choices.slice(2).map((choice, index) => button(choice, index + 2))}
					<button type="button" class="button secondary" onClick={onDenyWithReason}>
						{t('Deny with a reason…')}
					</button>
				</div>
			)}
		</div>
	);
}

/** Whether all answers fit without hiding what they are about. */
function useRoom(): boolean {
	const [query] = useState(() => matchMedia('(min-width: 360px) and (min-height: 560px)'));
	const [hasRoom, setHasRoom] = useState(query.matches);
	useEffect(() => {
		const follow = () => setHasRoom(query.matches);
		query.addEventListener('change', follow);
		return () => query.removeEventListener('change', follow);
	}, [query]);
	return hasRoom;
}
