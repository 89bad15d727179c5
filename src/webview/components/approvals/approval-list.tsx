/**
 * List of several acts that wait for an answer, each shown completely, with why it asks, and answerable by itself. A
 * dangerous act, or a capability, must be opened before it can get a yes.
 */
import {
	type Approval,
	type ApprovalAnswer,
	isOffered,
	isOfferedForAll,
} from '../../../protocol/approvals/approvals.ts';
import type { ApprovalId } from '../../../protocol/rpc/ids.ts';
import { describeActKind } from '../../../protocol/ops/act-kind.ts';
import { titleInWords, translateText } from '../../../protocol/text/text.ts';
import { useView } from '../../actions/view-context.ts';
import { ApprovalDetailView } from './approval-detail.tsx';
import { Icon } from '../../parts/icon.tsx';
import { ApprovalReason } from './risks.tsx';
import { DockExpiry } from './dock-expiry.tsx';

interface ApprovalListProps {
	readonly approvals: readonly Approval[];
	readonly canAnswer: boolean;
	onAnswer(approval: Approval, answer: ApprovalAnswer): void;
	/** Shows one alone, with all its answers. */
	onOpen(id: ApprovalId): void;
}

const ONCE = { kind: 'once' } as const;

export function ApprovalList({ approvals, ...answering }: ApprovalListProps) {
	const { t } = useView();
	const isYesOffered = approvals.some((each) => isOfferedForAll(each, ONCE));
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
						<ApprovalListItem
							key={approval.id}
							approval={approval}
							isLeftOut={isYesOffered && !isOfferedForAll(approval, ONCE)}
							{...answering}
						/>
					))}
				</ol>
				{soonest !== undefined && <DockExpiry at={soonest} />}
			</div>
		</>
	);
}

function ApprovalListItem({
	approval,
	isLeftOut,
	canAnswer,
	onAnswer,
	onOpen,
}: Omit<ApprovalListProps, 'approvals'> & { readonly approval: Approval; readonly isLeftOut: boolean }) {
	const { t } = useView();
	const { id, act, warning, detail } = approval;
	const title = titleInWords(approval, t);
	const isDangerous = warning?.isDangerous === true;
	const canBeAllowed = isOffered(approval, ONCE) && !isDangerous && detail.kind !== 'consent';
	const renderButton = (label: string, name: string, onClick: () => void) => (
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
		<li class={`act ${isDangerous ? 'dangerous' : isLeftOut ? 'left-out' : ''}`} aria-label={title}>
			<span class={`risk ${isDangerous ? 'dangerous' : act}`}>
				{detail.kind === 'plan' ? t('Plan') : translateText(describeActKind(act, isDangerous), t)}
			</span>
			<ApprovalDetailView approval={approval} />
			<ApprovalReason approval={approval} />
			{isLeftOut && <p class="detail-note">{t('Needs an answer of its own.')}</p>}
			<div class="button-row">
				{canBeAllowed && renderButton(t('Allow once'), title, () => onAnswer(approval, ONCE))}
				{renderButton(t('Deny'), title, () => onAnswer(approval, { kind: 'deny' }))}
				{renderButton(t('More…'), title, () => onOpen(id))}
			</div>
		</li>
	);
}
