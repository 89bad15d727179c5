/** Actions of the user on a running command, while its turn goes on. */
import { titleInWords } from '../../../../protocol/text/text.ts';
import type { ToolItem } from '../../../../protocol/thread/items.ts';
import { useView } from '../../../actions/view-context.ts';
import { Icon } from '../../../parts/icon.tsx';

/** `isWaitedFor`: the turn goes on when it ends. */
export function CommandActions({ item, isWaitedFor }: { readonly item: ToolItem; readonly isWaitedFor: boolean }) {
	const { t, editor } = useView();
	return (
		<>
			<button
				type="button"
				class="link-button"
				onClick={() => void editor.showInTerminal(item.opId, titleInWords(item, t))}
			>
				<Icon name="terminal" /> {t('Show in terminal')}
			</button>
			{isWaitedFor && (
				<button type="button" class="link-button" onClick={() => void editor.continueInBackground(item.opId)}>
					<Icon name="run-all" /> {t('Continue in background')}
				</button>
			)}
			<button type="button" class="link-button" onClick={() => void editor.stopCommand(item.opId)}>
				<Icon name="debug-stop" /> {t('Stop this command')}
			</button>
		</>
	);
}
