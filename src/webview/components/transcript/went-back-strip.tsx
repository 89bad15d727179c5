/** The last way back of the thread, and the way to take it back. */
import { useEffect, useState } from 'preact/hooks';
import type { LastRestore } from '../../../protocol/approvals/restores.ts';
import type { ThreadInfo } from '../../../protocol/thread/thread.ts';
import { useView } from '../../view-context.ts';
import { Icon } from '../icon.tsx';

export function WentBackStrip({ info, last }: { readonly info: ThreadInfo; readonly last: LastRestore }) {
	const { t, restores } = useView();
	const [isHidden, setIsHidden] = useState(false);
	const [left, setLeft] = useState<readonly string[]>([]);
	const { id, running } = info;
	useEffect(() => setIsHidden(false), [id, last]);
	if (isHidden || running) {
		return null;
	}
	return (
		<section class="strip set-aside" aria-label={t('Went back')}>
			<span class="strip-title">
				{left.length > 0 ? t('Left alone: {paths}', { paths: left.join(', ') }) : words(last)}
			</span>
			<div class="strip-actions">
				<button
					type="button"
					class="link-button"
					title={t('Brings back files and messages as they were before you went back.')}
					onClick={() => void restores.redo(id).then(setLeft)}
				>
					{t('Redo')}
				</button>
				<button
					type="button"
					class="icon-button"
					title={t('Hide')}
					aria-label={t('Hide')}
					onClick={() => setIsHidden(true)}
				>
					<Icon name="close" />
				</button>
			</div>
		</section>
	);

	function words({ files, conversation }: LastRestore): string {
		if (files === 0) {
			return t('The conversation went back');
		}
		if (conversation) {
			return files === 1
				? t('The conversation and 1 file went back')
				: t('The conversation and {n} files went back', { n: files });
		}
		return files === 1 ? t('1 file went back') : t('{n} files went back', { n: files });
	}
}
