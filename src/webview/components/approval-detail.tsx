/** What exactly will happen, whole: a command line, a full diff, a path, a text. */
import { assertNever } from '../../base/assert-never.ts';
import type { ApprovalDetail } from '../../protocol/approvals.ts';
import { useView } from '../view-context.ts';
import { CommandLine } from './command-line.tsx';
import { DiffLines } from './diff-lines.tsx';
import { DiffCount } from './tool-card.tsx';

export function ApprovalDetailView({ detail }: { detail: ApprovalDetail }) {
	return (
		<div class="dock-detail">
			<Shown detail={detail} />
		</div>
	);
}

function Shown({ detail }: { detail: ApprovalDetail }) {
	const { t } = useView();
	switch (detail.kind) {
		case 'command':
			return <CommandLine {...detail} />;
		case 'diff':
			return (
				<>
					<p class="detail-path">
						<code>{detail.diff.path}</code> {detail.diff.created && t('(new file)')}{' '}
						<DiffCount added={detail.diff.added} removed={detail.diff.removed} />
					</p>
					<DiffLines patch={detail.diff.patch} label={t('Changes of {path}', { path: detail.diff.path })} />
				</>
			);
		case 'path':
			return <code class="detail-path">{detail.path}</code>;
		case 'text':
			return (
				<pre tabIndex={0} aria-label={t('Details')}>
					{detail.text}
				</pre>
			);
		default:
			return assertNever(detail);
	}
}
