/** What exactly will happen, whole: an argument vector one per line, a full diff, a path, a text. */
import { Fragment } from 'preact';
import { assertNever } from '../../base/assert-never.ts';
import type { ApprovalDetail } from '../../protocol/approvals.ts';
import { useView } from '../view-context.ts';
import { DiffLines } from './diff-lines.tsx';
import { DiffCount } from './tool-card.tsx';

export function ApprovalDetailView({ detail }: { detail: ApprovalDetail }) {
	const { t } = useView();
	switch (detail.kind) {
		case 'command':
			return (
				<div class="dock-detail">
					<ArgumentVector argv={detail.argv} />
					{detail.chain?.map(({ join, argv }, index) => (
						<Fragment key={index}>
							<p class="join">
								<code>{join}</code> {join === '|' ? t('its output is read by') : t('and if that succeeds')}
							</p>
							<ArgumentVector argv={argv} />
						</Fragment>
					))}
					<p class="cwd">
						{t('in')} <code>{detail.cwd}</code>
					</p>
				</div>
			);
		case 'diff':
			return (
				<div class="dock-detail">
					<p class="detail-path">
						<code>{detail.diff.path}</code> {detail.diff.created && t('(new file)')}{' '}
						<DiffCount added={detail.diff.added} removed={detail.diff.removed} />
					</p>
					<DiffLines patch={detail.diff.patch} label={t('Changes of {path}', { path: detail.diff.path })} />
				</div>
			);
		case 'path':
			return (
				<div class="dock-detail">
					<code class="detail-path">{detail.path}</code>
				</div>
			);
		case 'text':
			return (
				<div class="dock-detail">
					<pre tabIndex={0} aria-label={t('What will happen')}>
						{detail.text}
					</pre>
				</div>
			);
		default:
			return assertNever(detail);
	}
}

function ArgumentVector({ argv }: { argv: readonly string[] }) {
	const { t } = useView();
	return (
		<ol class="argv" aria-label={t('Program and arguments')} tabIndex={0}>
			{argv.map((argument, index) => (
				<li key={index}>
					<code>{argument === '' ? '""' : argument}</code>
				</li>
			))}
		</ol>
	);
}
