/** Messages that a retry of an older one, or a way back to one, has removed from the thread, and the way to have them again. */
import type { ThreadInfo } from '../../../../protocol/thread/thread.ts';
import { useView } from '../../../actions/view-context.ts';
import { TakenBackStrip } from './taken-back-strip.tsx';

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
