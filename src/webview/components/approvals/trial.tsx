/** A command that can be tried on a copy of the workspace before anybody says yes, and what came of it. */
import type { Approval, EndedTrial } from '../../../protocol/approvals/approvals.ts';
import { translateText } from '../../../protocol/text/text.ts';
import { LongText } from '../../markdown/text/long-text.tsx';
import { useView } from '../../actions/view-context.ts';
import { Icon } from '../../parts/icon.tsx';

interface TrialProps {
	readonly approval: Approval;
	readonly canAnswer: boolean;
	/** Does to the workspace what was done to the copy. */
	onKeep(): void;
}

/** Offers the trial, in the row of the facts. */
export function TryFirst({ approval: { id, trial } }: Pick<TrialProps, 'approval'>) {
	const { t, desk } = useView();
	return trial?.state !== 'offered' ? null : (
		<button
			type="button"
			class="link-button"
			title={t('Runs it on a copy of the workspace, without the network, and shows what it changes there.')}
			onClick={() => void desk.tryFirst(id)}
		>
			{t('Try first')}
		</button>
	);
}

/** Shows what came of the trial. */
export function ApprovalTrial({ approval: { trial }, canAnswer, onKeep }: TrialProps) {
	const { t } = useView();
	switch (trial?.state) {
		case undefined:
		case 'offered':
			return null;
		case 'running':
			return (
				<p class="trial" role="status">
					<Icon name="loading" /> {t('It runs on a copy of the workspace…')}
				</p>
			);
		case 'failed':
			return (
				<p class="trial" role="status">
					{t('It could not be tried.')} {translateText(trial.why, t)}
				</p>
			);
		case 'ended':
			return <Ended trial={trial} canAnswer={canAnswer} onKeep={onKeep} />;
	}
}

function Ended({ trial, canAnswer, onKeep }: { trial: EndedTrial } & Omit<TrialProps, 'approval'>) {
	const { t } = useView();
	const { exitCode, signal, overTime, output, changed, changedBeyond, lost } = trial;
	const end =
		overTime !== undefined
			? t('Tried on a copy: {program} reached the time limit of {seconds} s.', {
					program: overTime.program,
					seconds: overTime.limitMs / 1_000,
				})
			: signal !== null
				? t('Tried on a copy: it was ended by {signal}.', { signal })
				: t('Tried on a copy: it ended with exit code {code}.', { code: exitCode ?? 0 });
	const words = { created: t('created'), modified: t('modified'), deleted: t('deleted') };
	const icons = { created: 'diff-added', modified: 'diff-modified', deleted: 'diff-removed' } as const;
	return (
		<div class="trial" role="status">
			<p>{end}</p>
			{changed.length > 0 && (
				<ul class="change-list" aria-label={t('Changed on the copy')} tabIndex={0}>
					{changed.map(({ path, kind }) => (
						<li key={path}>
							<Icon name={icons[kind]} />
							<span class="sr-only">{words[kind]} </span>
							<code>{path}</code>
						</li>
					))}
					{changedBeyond > 0 && <li>{t('{n} more', { n: changedBeyond })}</li>}
				</ul>
			)}
			{output !== '' && (
				<pre tabIndex={0} aria-label={t('Output')}>
					<LongText text={output} />
				</pre>
			)}
			{lost === undefined ? (
				<button type="button" class="button secondary" aria-disabled={!canAnswer} onClick={onKeep}>
					{t('Keep these changes')}
				</button>
			) : (
				<p>{translateText(lost, t)}</p>
			)}
		</div>
	);
}
