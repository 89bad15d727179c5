/**
 * The question whether something may happen, with the exact bytes of it, or a list of several that one answer may settle. Keys work while the dock has the focus, or the
 * empty composer, and not in the first moment of a new question: a key meant for the last one must not answer this one.
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Approval, ApprovalAnswer } from '../../../protocol/approvals/approvals.ts';
import type { Translate } from '../../parts/translate.ts';
import { describeActKind } from '../../../protocol/ops/act-kind.ts';
import { titleInWords, translateText } from '../../../protocol/text/text.ts';
import { useView } from '../../actions/view-context.ts';
import type { ApprovalId } from '../../../protocol/rpc/ids.ts';
import { ChoiceButtons, findChoice, choicesOfShown } from './approval-choices.tsx';
import { ApprovalList } from './approval-list.tsx';
import { ApprovalDetailView } from './approval-detail.tsx';
import { Icon } from '../../parts/icon.tsx';
import { ApprovalReason, RISKS_ID } from './risks.tsx';
import { ApprovalTrial, TryFirst } from './trial.tsx';
import { DockExpiry } from './dock-expiry.tsx';
import { useSettled } from '../use-settled.ts';

interface ApprovalDockProps {
	/** Everything that waits here. */
	readonly approvals: readonly Approval[];
	/** Approvals that an answer is for: the one that the person has opened, or all. */
	readonly shown: readonly Approval[];
	/** An answer to one that is shown is on its way, from here or from the input. */
	readonly isAnswering: boolean;
	/** Undefined: the list. */
	onOpen(id: ApprovalId | undefined): void;
}

export function ApprovalDock({ approvals, shown, isAnswering, onOpen }: ApprovalDockProps) {
	const { t, desk, dispatch } = useView();
	const dock = useRef<HTMLElement>(null);
	const hadFocus = useRef(false);
	const [isDenying, setIsDenying] = useState(false);
	const shownIds = shown.map(({ id }) => id).join(' ');
	const { isSettled, disturb } = useSettled(shownIds);

	useLayoutEffect(() => {
		setIsDenying(false);
		if (hadFocus.current) {
			dock.current?.focus({ preventScroll: true });
		}
	}, [shownIds]);
	useLayoutEffect(
		() => () => {
			if (hadFocus.current) {
				dispatch({ type: 'focusInput' });
			}
		},
		[],
	);

	const [first] = shown;
	if (first === undefined) {
		return null;
	}
	const one = shown.length === 1 ? first : undefined;
	const isDangerous = one?.warning?.isDangerous === true;
	const canAnswer = isSettled && !isAnswering;
	const whenSettled = (act: () => void) => () => (canAnswer ? act() : isSettled || disturb());
	const answerTo = (these: readonly Approval[], given: ApprovalAnswer) =>
		whenSettled(() => void desk.answerShown(these, given))();
	const giveAnswer = (given: ApprovalAnswer) => answerTo(shown, given);
	const choices = choicesOfShown(shown, t);
	const onKeyDown = (event: KeyboardEvent) => {
		if (isDenying || event.ctrlKey || event.metaKey || event.altKey) {
			return;
		}
		// On a button Enter presses that button.
		const choice = event.key === 'Enter' && event.target !== dock.current ? undefined : findChoice(choices, event);
		if (choice !== undefined) {
			event.preventDefault();
			event.stopPropagation();
			giveAnswer(choice.answer);
		}
	};
	return (
		<section
			ref={dock}
			class={`dock approval ${isDangerous ? 'dangerous' : ''}`}
			role="group"
			aria-label={one === undefined ? t('Approvals') : t('Approval')}
			aria-describedby={(one?.warning ?? null) !== null ? `approval-title ${RISKS_ID}` : 'approval-title'}
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
			{one === undefined ? (
				<ApprovalList
					approvals={shown}
					canAnswer={canAnswer}
					onAnswer={(approval, given) => answerTo([approval], given)}
					onOpen={(id) => whenSettled(() => onOpen(id))()}
				/>
			) : (
				<OneApproval
					approval={one}
					waiting={approvals.length}
					canAnswer={canAnswer}
					onKeep={() => giveAnswer({ kind: 'tried' })}
					onBack={() => onOpen(undefined)}
				/>
			)}
			{isDenying ? (
				<DenyReason onDeny={(reason) => giveAnswer({ kind: 'deny', reason })} onCancel={() => setIsDenying(false)} />
			) : (
				<ChoiceButtons
					key={shownIds}
					choices={choices}
					canAnswer={canAnswer}
					onAnswer={giveAnswer}
					onDenyWithReason={() => setIsDenying(true)}
				/>
			)}
		</section>
	);
}

/** Question of somebody else's host, or of no thread: consent to a capability that the user starts by itself, or a step of a script. */
export function isOutside({ threadId, askedBy }: Approval): boolean {
	return askedBy !== undefined || threadId === null;
}

interface OneApprovalProps {
	readonly approval: Approval;
	/** Number of approvals that wait, including this one. */
	readonly waiting: number;
	readonly canAnswer: boolean;
	onKeep(): void;
	onBack(): void;
}

function OneApproval({ approval, waiting, canAnswer, onKeep, onBack }: OneApprovalProps) {
	const { t, editor } = useView();
	const isDangerous = approval.warning?.isDangerous === true;
	return (
		<>
			<div class="dock-head">
				<Icon name={isDangerous ? 'warning' : 'shield'} />
				<h2 id="approval-title" title={titleInWords(approval, t)}>
					{describeApprovalTitle(approval, t)}
				</h2>
				<span class={`risk ${isDangerous ? 'dangerous' : approval.act}`} title={t('Kind of action')}>
					{approval.detail.kind === 'plan' ? t('Plan') : translateText(describeActKind(approval.act, isDangerous), t)}
				</span>
				{waiting > 1 && (
					<button type="button" class="link-button queue-count" onClick={onBack}>
						{t('All {n}', { n: waiting })}
					</button>
				)}
			</div>
			<div class="dock-scroll">
				{isOutside(approval) && (
					<p class="detail-note">
						{approval.askedBy === undefined ? t('Not part of any thread.') : translateText(approval.askedBy, t)}
					</p>
				)}
				{approval.isReasonUsual !== true && <ApprovalReason approval={approval} />}
				<ApprovalDetailView
					key={approval.id}
					approval={approval}
					risksId={RISKS_ID}
					beside={
						<>
							<TryFirst approval={approval} />
							{approval.askedBy === undefined && (
								<button
									type="button"
									class="link-button of-editor"
									aria-label={t('Why am I asked?')}
									title={t('Why am I asked?')}
									onClick={() => void editor.showWhy(approval.id)}
								>
									{t('Why')}
								</button>
							)}
							<DockExpiry at={approval.expiresAt} />
						</>
					}
				/>
				<ApprovalTrial approval={approval} canAnswer={canAnswer} onKeep={onKeep} />
			</div>
		</>
	);
}

/** The command itself stands below, once. */
function describeApprovalTitle(approval: Approval, t: Translate): string {
	const { detail } = approval;
	if (detail.kind !== 'command') {
		return titleInWords(approval, t);
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
