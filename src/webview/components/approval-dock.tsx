/**
 * The question whether something may happen, with the exact bytes of it. Keys work only while the dock has the focus, and
 * not in the first moment of a new question: a key meant for the last one must not answer this one.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Approval, ApprovalAnswer } from '../../protocol/approvals.ts';
import type { Translate } from '../translate.ts';
import { wordsOf } from '../../protocol/text.ts';
import { useView } from '../view-context.ts';
import { ChoiceButtons, choicesOf } from './approval-choices.tsx';
import { ApprovalDetailView } from './approval-detail.tsx';
import { Icon } from './icon.tsx';
import { clockTime } from './times.ts';
import { useSettled } from './use-settled.ts';

export function ApprovalDock({ approvals }: { approvals: readonly Approval[] }) {
	const { t, desk, dispatch } = useView();
	const dock = useRef<HTMLElement>(null);
	const hadFocus = useRef(false);
	const [isDenying, setIsDenying] = useState(false);
	const approval = approvals[0];
	const { isSettled, disturb } = useSettled(approval?.id);
	const [answered, setAnswered] = useState<string | undefined>(undefined);

	useLayoutEffect(() => {
		setIsDenying(false);
		if (hadFocus.current) {
			dock.current?.focus({ preventScroll: true });
		}
	}, [approval?.id]);
	useEffect(
		() => () => {
			if (hadFocus.current) {
				dispatch({ type: 'focusInput' });
			}
		},
		[],
	);
	if (approval === undefined) {
		return null;
	}

	const canAnswer = isSettled && answered !== approval.id;
	const answer = (given: ApprovalAnswer) => {
		if (canAnswer) {
			setAnswered(approval.id);
			void desk.approve(approval.id, given).finally(() => setAnswered(undefined));
		} else if (!isSettled) {
			disturb();
		}
	};
	const choices = choicesOf(approval, t);
	const onKeyDown = (event: KeyboardEvent) => {
		if (isDenying || event.ctrlKey || event.metaKey || event.altKey) {
			return;
		}
		const choice = choices.find(({ key, answer: given }) =>
			event.key === 'Escape' ? given.kind === 'deny' : key === event.key,
		);
		if (choice !== undefined) {
			event.preventDefault();
			event.stopPropagation();
			answer(choice.answer);
		}
	};
	return (
		<section
			ref={dock}
			class="dock approval"
			role="group"
			aria-label={t('Approval')}
			aria-describedby="approval-title"
			tabIndex={-1}
			data-settled={canAnswer}
			onKeyDown={onKeyDown}
			onFocusCapture={() => {
				hadFocus.current = true;
			}}
			onBlurCapture={(event) => {
				hadFocus.current = event.relatedTarget === null || dock.current?.contains(event.relatedTarget as Node) === true;
			}}
		>
			<div class="dock-head">
				<Icon name="shield" />
				<h2 id="approval-title" title={approval.title}>
					{titleOf(approval, t)}
				</h2>
				<span class={`risk ${approval.risk.toLowerCase()}`} title={t('Risk level')}>
					{approval.risk}
				</span>
				{approvals.length > 1 && <span class="queue-count">{t('1 of {n}', { n: approvals.length })}</span>}
			</div>
			<div class="dock-scroll">
				<ApprovalDetailView detail={approval.detail} />
				<p class="dock-reason">{wordsOf(approval.reason, t)}</p>
				<p class="dock-expiry">
					{t('Denied if you do not answer by {time}.', { time: clockTime(approval.expiresAt) })}
				</p>
			</div>
			{isDenying ? (
				<DenyReason onDeny={(reason) => answer({ kind: 'deny', reason })} onCancel={() => setIsDenying(false)} />
			) : (
				<ChoiceButtons
					key={approval.id}
					choices={choices}
					canAnswer={canAnswer}
					onAnswer={answer}
					onDenyWithReason={() => setIsDenying(true)}
				/>
			)}
		</section>
	);
}

/** The command itself stands below, once. */
function titleOf({ detail, title }: Approval, t: Translate): string {
	if (detail.kind !== 'command') {
		return title;
	}
	return detail.chain === undefined ? t('Run this command?') : t('Run these commands?');
}

function DenyReason({ onDeny, onCancel }: { onDeny(reason: string): void; onCancel(): void }) {
	const { t } = useView();
	const [reason, setReason] = useState('');
	const field = useRef<HTMLInputElement>(null);
	useLayoutEffect(() => field.current?.focus(), []);
	return (
		<form
			class="deny-form"
			onSubmit={(event) => {
				event.preventDefault();
				onDeny(reason.trim());
			}}
			onKeyDown={(event) => {
				if (event.key === 'Escape') {
					event.preventDefault();
					event.stopPropagation();
					onCancel();
				}
			}}
		>
			<input
				ref={field}
				class="text-field"
				maxLength={4000}
				aria-label={t('Reason (the agent reads it)')}
				placeholder={t('What should the agent do instead?')}
				value={reason}
				onInput={(event) => setReason(event.currentTarget.value)}
			/>
			<div class="button-row">
				<button type="submit" class="button">
					{t('Deny')}
				</button>
				<button type="button" class="button secondary" onClick={onCancel}>
					{t('Cancel')}
				</button>
			</div>
		</form>
	);
}
