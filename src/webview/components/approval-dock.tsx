/**
 * The question whether something may happen, with the exact bytes of it. Keys work while the dock has the focus, or the
 * empty composer, and not in the first moment of a new question: a key meant for the last one must not answer this one.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Approval, ApprovalAnswer } from '../../protocol/approvals.ts';
import type { Translate } from '../translate.ts';
import { actInWords } from '../../protocol/ops/act-kind.ts';
import { type Text, wordsOf } from '../../protocol/text.ts';
import { useView } from '../view-context.ts';
import { ChoiceButtons, choiceOf, choicesOf } from './approval-choices.tsx';
import { ApprovalDetailView } from './approval-detail.tsx';
import { Icon } from './icon.tsx';
import { RISKS_ID } from './risks.tsx';
import { clockTime } from './times.ts';
import { useSettled } from './use-settled.ts';

export function ApprovalDock({ approvals }: { approvals: readonly Approval[] }) {
	const { t, desk, editor, dispatch } = useView();
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

	const isDangerous = approval.warning?.isDangerous === true;
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
		// On a button Enter presses that button.
		const choice = event.key === 'Enter' && event.target !== dock.current ? undefined : choiceOf(choices, event);
		if (choice !== undefined) {
			event.preventDefault();
			event.stopPropagation();
			answer(choice.answer);
		}
	};
	return (
		<section
			ref={dock}
			class={`dock approval ${isDangerous ? 'dangerous' : ''}`}
			role="group"
			aria-label={t('Approval')}
			aria-describedby={approval.warning === null ? 'approval-title' : `approval-title ${RISKS_ID}`}
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
				<Icon name={isDangerous ? 'warning' : 'shield'} />
				<h2 id="approval-title" title={approval.title}>
					{titleOf(approval, t)}
				</h2>
				<span class={`risk ${isDangerous ? 'dangerous' : approval.act}`} title={t('Kind of action')}>
					{wordsOf(actInWords(approval.act, isDangerous), t)}
				</span>
				{approvals.length > 1 && <span class="queue-count">{t('1 of {n}', { n: approvals.length })}</span>}
			</div>
			<div class="dock-scroll">
				<ApprovalDetailView key={approval.id} approval={approval} />
				<Reason approval={approval} />
				<p class="dock-expiry">
					{t('Denied if you do not answer by {time}.', { time: clockTime(approval.expiresAt) })}{' '}
					<button type="button" class="link-button" onClick={() => void editor.showWhy(approval.id)}>
						{t('Why am I asked?')}
					</button>
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

/** Why it asks, where that is no risk that stands above. */
function Reason({ approval: { warning, reason } }: { approval: Approval }) {
	const { t } = useView();
	const isSaid = warning?.reasons.some((risk) => isSame(risk, reason)) === true;
	return isSaid ? null : <p class="dock-reason">{wordsOf(reason, t)}</p>;
}

function isSame(one: Text, other: Text): boolean {
	return JSON.stringify(one) === JSON.stringify(other);
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
