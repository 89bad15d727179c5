/**
 * Several acts that wait for an answer, each whole and each answerable by itself. What is dangerous, or a capability, is opened
 * before it can get a yes.
 */
import { type Approval, type ApprovalAnswer, isOfferedForAll } from '../../../protocol/approvals/approvals.ts';
import type { ApprovalId } from '../../../protocol/ids.ts';
import { actInWords } from '../../../protocol/ops/act-kind.ts';
import { titleInWords, wordsOf } from '../../../protocol/text/text.ts';
import { useView } from '../../view-context.ts';
import { ApprovalDetailView } from './approval-detail.tsx';
import { Icon } from '../icon.tsx';
import { clockTime } from '../transcript/times.ts';

interface ApprovalListProps {
	readonly approvals: readonly Approval[];
	readonly canAnswer: boolean;
	onAnswer(approval: Approval, answer: ApprovalAnswer): void;
	/** Shows one alone, with all its answers. */
	onOpen(id: ApprovalId): void;
}

export function ApprovalList({ approvals, ...answering }: ApprovalListProps) {
	const { t } = useView();
	const [soonest] = approvals.map(({ expiresAt }) => expiresAt).sort();
	return (
		<>
			<div class="dock-head">
				<Icon name="shield" />
				<h2 id="approval-title">{t('{n} actions wait for your answer', { n: approvals.length })}</h2>
			</div>
			<div class="dock-scroll">
				<ol class="act-list">
					{approvals.map((approval) => (
						<Act key={approval.id} approval={approval} {...answering} />
					))}
				</ol>
				{soonest !== undefined && (
					<p class="dock-expiry">{t('Denied if you do not answer by {time}.', { time: clockTime(soonest) })}</p>
				)}
			</div>
		</>
	);
}

function Act({
	approval,
	canAnswer,
	onAnswer,
	onOpen,
}: Omit<ApprovalListProps, 'approvals'> & { readonly approval: Approval }) {
	const { t } = useView();
	const { id, act, warning } = approval;
	const title = titleInWords(approval, t);
	const isDangerous = warning?.isDangerous === true;
	const button = (label: string, name: string, onClick: () => void) => (
		<button
			type="button"
			class="button secondary"
			aria-label={`${label}: ${name}`}
			aria-disabled={!canAnswer}
			onClick={onClick}
		>
			{label}
		</button>
	);
	return (
		<li class={isDangerous ? 'act dangerous' : 'act'} aria-label={title}>
			<span class={`risk ${isDangerous ? 'dangerous' : act}`}>{wordsOf(actInWords(act, isDangerous), t)}</span>
			<ApprovalDetailView approval={approval} />
			<div class="button-row">
				{isOfferedForAll(approval, { kind: 'once' }) &&
					button(t('Allow once'), title, () => onAnswer(approval, { kind: 'once' }))}
				{button(t('Deny'), title, () => onAnswer(approval, { kind: 'deny' }))}
				{button(t('More…'), title, () => onOpen(id))}
			</div>
		</li>
	);
}
