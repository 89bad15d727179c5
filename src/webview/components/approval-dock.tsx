/**
 * The question whether something may happen, with the exact bytes of it. Keys work only while the dock has the focus, and
 * not in the first moment of a new question: a key meant for the last one must not answer this one.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Approval, ApprovalAnswer } from '../../protocol/approvals.ts';
import { useView } from '../view-context.ts';
import { ApprovalDetailView } from './approval-detail.tsx';
import { Icon } from './icon.tsx';

const SETTLE_MS = 250;

export function ApprovalDock({ approvals }: { approvals: readonly Approval[] }) {
	const { t, desk, dispatch } = useView();
	const dock = useRef<HTMLElement>(null);
	const hadFocus = useRef(false);
	const [isDenying, setIsDenying] = useState(false);
	const approval = approvals[0];
	const isSettled = useSettled(approval?.id);
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
		}
	};
	const choices = choicesOf(approval, t);
	const onKeyDown = (event: KeyboardEvent) => {
		if (isDenying || event.ctrlKey || event.metaKey || event.altKey) {
			return;
		}
		const choice = event.key === 'Escape' ? choices.at(-1) : choices.find(({ key }) => key === event.key);
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
				<h2 id="approval-title">{approval.title}</h2>
				<span class={`risk ${approval.risk.toLowerCase()}`} title={t('Risk level')}>
					{approval.risk}
				</span>
				{approvals.length > 1 && <span class="queue-count">{t('1 of {n}', { n: approvals.length })}</span>}
			</div>
			<p class="dock-reason">{approval.reason}</p>
			<ApprovalDetailView detail={approval.detail} />
			{isDenying ? (
				<DenyReason onDeny={(reason) => answer({ kind: 'deny', reason })} onCancel={() => setIsDenying(false)} />
			) : (
				<div class="button-row">
					{choices.map(({ key, label, answer: given }) => (
						<button
							key={key}
							type="button"
							class={given === choices[0]?.answer ? 'button' : 'button secondary'}
							aria-keyshortcuts={key}
							title={given.kind === 'thread' ? (approval.threadScope ?? undefined) : undefined}
							aria-disabled={!canAnswer}
							onClick={() => answer(given)}
						>
							<kbd aria-hidden="true">{key}</kbd>
							{label}
						</button>
					))}
					<button type="button" class="button secondary" onClick={() => setIsDenying(true)}>
						{t('Deny with a reason…')}
					</button>
				</div>
			)}
		</section>
	);
}

interface Choice {
	readonly key: string;
	readonly label: string;
	readonly answer: ApprovalAnswer;
}

/** The last one is the no. Its key is 4 whatever else is offered, so that a key always means the same. */
function choicesOf(
	{ isOnceOffered, threadScope, pattern }: Approval,
	t: (text: string, args?: Record<string, string>) => string,
): readonly Choice[] {
	const choices: (Choice | false)[] = [
		isOnceOffered && { key: '1', label: t('Allow once'), answer: { kind: 'once' } },
		threadScope !== null && { key: '2', label: t('Allow for this thread'), answer: { kind: 'thread' } },
		pattern !== null && { key: '3', label: t('Always allow {pattern}', { pattern }), answer: { kind: 'always' } },
		{ key: '4', label: t('Deny'), answer: { kind: 'deny' } },
	];
	return choices.filter((choice) => choice !== false);
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
				aria-label={t('Reason, told to the agent')}
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

/** False in the first moment after `id` became another one. */
function useSettled(id: string | undefined): boolean {
	const [settled, setSettled] = useState<string | undefined>(undefined);
	useEffect(() => {
		const timer = setTimeout(() => setSettled(id), SETTLE_MS);
		return () => clearTimeout(timer);
	}, [id]);
	return settled === id;
}
