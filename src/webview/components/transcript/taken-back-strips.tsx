/** Strips that say what left the thread, each with the only way to have it again. */
import { useState } from 'preact/hooks';
import type { LastRestore } from '../../../protocol/thread/restores.ts';
import type { ThreadInfo } from '../../../protocol/thread/thread.ts';
import { useView } from '../../actions/view-context.ts';
import { IconButton } from '../../parts/icon.tsx';
import type { Translate } from '../../parts/translate.ts';

/** Messages that a retry of an older one, or a way back to one, has removed from the thread, and the way to have them again. */
export function SetAsideStrip({ info: { id, setAside = 0, running } }: { info: ThreadInfo }) {
	const { t, threads } = useView();
	return setAside === 0 ? null : (
		<TakenBackStrip
			label={t('Removed messages')}
			words={setAside === 1 ? t('1 message was removed') : t('{n} messages were removed', { n: setAside })}
			action={{
				label: t('Restore'),
				title: t('Puts them back in place of what has come since. Files stay as they are.'),
				act: () => void threads.restore(id),
			}}
			isRunning={running}
			news={`${id} ${setAside}`}
		/>
	);
}

/** The last way back of the thread, and the way to take it back. */
export function WentBackStrip({
	info: { id, running },
	last,
}: {
	readonly info: ThreadInfo;
	readonly last: LastRestore;
}) {
	const { t, restores } = useView();
	const [left, setLeft] = useState<readonly string[]>([]);
	return (
		<TakenBackStrip
			label={t('Went back')}
			words={left.length > 0 ? t('Left alone: {paths}', { paths: left.join(', ') }) : describeRestore(last, t)}
			action={{
				label: t('Redo'),
				title: t('Brings back files and messages as they were before you went back.'),
				act: () => void restores.redo(id).then(setLeft),
			}}
			isRunning={running}
			news={last}
		/>
	);
}

function describeRestore({ files, conversation }: LastRestore, t: Translate): string {
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

interface TakenBackStripProps {
	readonly label: string;
	readonly words: string;
	readonly action: { readonly label: string; readonly title: string; act(): void };
	/** A turn runs: then nothing can be taken back. */
	readonly isRunning: boolean;
	/** With another one a hidden strip is shown again. */
	readonly news: unknown;
}

/** When hidden, the strip comes back with the next news. */
function TakenBackStrip({ label, words, action, isRunning, news }: TakenBackStripProps) {
	const { t } = useView();
	const [hidden, setHidden] = useState<unknown>();
	return hidden === news || isRunning ? null : (
		<section class="strip set-aside" aria-label={label}>
			<span class="strip-title">{words}</span>
			<div class="strip-actions">
				<button type="button" class="link-button" title={action.title} onClick={() => action.act()}>
					{action.label}
				</button>
				<IconButton icon="close" title={t('Hide')} onClick={() => setHidden(news)} />
			</div>
		</section>
	);
}
