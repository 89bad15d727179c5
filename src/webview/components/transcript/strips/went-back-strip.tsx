/** The last way back of the thread, and the way to take it back. */
import { useState } from 'preact/hooks';
import type { LastRestore } from '../../../../protocol/thread/restores.ts';
import type { ThreadInfo } from '../../../../protocol/thread/thread.ts';
import type { Translate } from '../../../parts/translate.ts';
import { useView } from '../../../actions/view-context.ts';
import { TakenBackStrip } from './taken-back-strip.tsx';

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
