/** A question that was asked beside the thread, and its answer: neither is part of it. */
import { useId } from 'preact/hooks';
import { textForUser } from '../../../protocol/errors/error-text.ts';
import { Markdown } from '../../markdown/markdown.tsx';
import type { Aside } from '../../state/view-state.ts';
import { useView } from '../../actions/view-context.ts';
import { Icon, IconButton } from '../../parts/icon.tsx';

export function AsideDock({ aside: { question, answer, error } }: { aside: Aside }) {
	const { t, dispatch } = useView();
	const id = useId();
	return (
		<section class="dock aside" aria-labelledby={id} aria-busy={answer === null && error === null}>
			<div class="dock-head">
				<Icon name="comment-unresolved" />
				<h2 id={id} title={question}>
					{question}
				</h2>
				<IconButton
					icon="close"
					title={t('Close')}
					label={t('Close the answer')}
					onClick={() => {
						dispatch({ type: 'aside', aside: null });
						dispatch({ type: 'focusInput' });
					}}
				/>
			</div>
			<div class="aside-answer" role="status" tabIndex={0}>
				{answer !== null ? (
					<Markdown text={answer} isDone />
				) : error !== null ? (
					<p>{textForUser(error, t)}</p>
				) : (
					<p>{t('Asking…')}</p>
				)}
			</div>
			<p class="dock-reason">{t('Asked beside the thread: the agent does not read this.')}</p>
		</section>
	);
}
