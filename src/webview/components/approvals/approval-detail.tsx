/** Shows completely what will happen: a command line, a full diff, a path, a text. */
import type { ComponentChildren } from 'preact';
import { assertNever } from '../../../base/assert-never.ts';
import type { Approval } from '../../../protocol/approvals/approvals.ts';
import type { FileDiff } from '../../../protocol/ops/definitions/files/files.ts';
import { Markdown } from '../../markdown/markdown.tsx';
import { LongText } from '../../markdown/text/long-text.tsx';
import { translateText } from '../../../protocol/text/text.ts';
import { useView } from '../../actions/view-context.ts';
import { formatDayAndTime } from '../../parts/times.ts';
import { ConsentCard } from './consent-card.tsx';
import { TypedCommandLine } from './command-line.tsx';
import { DiffLines } from './diff-lines.tsx';
import { Risks } from './risks.tsx';
import { DiffCount } from '../transcript/tools/tool-card.tsx';

interface ApprovalDetailProps {
	readonly approval: Approval;
	/**
	 * Id of the list of its risks, for the element that is described by it; absent in a list with several approvals.
	 */
	readonly risksId?: string;
	/** Stands in the row of its facts. */
	readonly beside?: ComponentChildren;
}

export function ApprovalDetailView({ approval, risksId, beside }: ApprovalDetailProps) {
	const isCommand = approval.detail.kind === 'command';
	return (
		<div class="dock-detail">
			<ApprovalDetailBody approval={approval} risksId={risksId} beside={beside} />
			{!isCommand && <Risks warning={approval.warning} id={risksId} />}
			{!isCommand && beside !== undefined && <div class="dock-facts">{beside}</div>}
		</div>
	);
}

function ApprovalDetailBody({
	approval: { id, detail, warning, askedBy },
	risksId,
	beside,
}: {
	approval: Approval;
	risksId: string | undefined;
	beside: ComponentChildren;
}) {
	const { t, desk } = useView();
	switch (detail.kind) {
		case 'command':
			return <TypedCommandLine command={detail} warning={warning} risksId={risksId} beside={beside} />;
		case 'diff':
			return (
				<ShownFileDiff diff={detail.diff}>
					{askedBy === undefined && (
						<button type="button" class="link-button of-editor" onClick={() => void desk.showDiff(id)}>
							{t('Open diff')}
						</button>
					)}
				</ShownFileDiff>
			);
		case 'diffs':
			return (
				<>
					{detail.diffs.map((diff) => (
						<ShownFileDiff key={diff.path} diff={diff} />
					))}
				</>
			);
		case 'plan':
			return (
				<>
					<div class="plan" tabIndex={0} role="group" aria-label={t('Proposed plan')}>
						<Markdown text={detail.text} isDone={true} />
					</div>
					<button type="button" class="link-button detail-path" onClick={() => void desk.showDiff(id)}>
						{t('Edit plan')}
					</button>
				</>
			);
		case 'path':
			return <code class="detail-path">{detail.path}</code>;
		case 'consent':
			return <ConsentCard detail={detail} />;
		case 'text':
			return (
				<>
					{detail.facts !== undefined && (
						<dl class="question-facts">
							{detail.facts.map(({ label, value }, index) => (
								<div key={index}>
									<dt>{translateText(label, t)}</dt>
									<dd>
										{'at' in value
											? t('{time} (your time)', { time: formatDayAndTime(value.at) })
											: translateText(value, t)}
									</dd>
								</div>
							))}
						</dl>
					)}
					<pre tabIndex={0} aria-label={t('Details')}>
						<LongText text={detail.text} />
					</pre>
				</>
			);
		default:
			return assertNever(detail);
	}
}

function ShownFileDiff({ diff, children }: { diff: FileDiff; children?: ComponentChildren }) {
	const { t } = useView();
	const { path, created, added, removed, patch } = diff;
	return (
		<>
			<p class="detail-path">
				<code>{path}</code> {created && t('(new file)')} <DiffCount added={added} removed={removed} /> {children}
			</p>
			<DiffLines patch={patch} label={t('Changes of {path}', { path })} />
		</>
	);
}
