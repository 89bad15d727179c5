/** Result of a run, drawn below its card, and what the user can do with it. */
import { escapeInvisible } from '../../../../base/text/escape-invisible.ts';
import { isObjectValue } from '../../../../base/text/lenient.ts';
import { opCard } from '../../../../protocol/op-table/cards.ts';
import { titleInWords } from '../../../../protocol/text/text.ts';
import { isOpenCall, type ToolItem } from '../../../../protocol/thread/items.ts';
import { useView } from '../../../actions/view-context.ts';
import { DrawnResultView } from '../../../markdown/drawn-result.tsx';
import { Icon } from '../../../parts/icon.tsx';

export function RunResult({ item }: { readonly item: ToolItem }) {
	const { t, editor } = useView();
	const { drawn, input } = item;
	const title = escapeInvisible(titleInWords(item, t), 'line');
	const isRun = opCard(item.tool).isRun === true;
	const given = isObjectValue(input) ? input : {};
	const hasTool = given['tool'] !== undefined;
	const acts = [
		{ act: 'open', icon: 'link-external', label: t('Open the run') },
		{ act: 'again', icon: 'debug-rerun', label: t('Run again') },
		{ act: 'ask', icon: 'edit', label: t('Change inputs') },
		...(hasTool ? [] : [{ act: 'script', icon: 'save', label: t('Keep as script') } as const]),
	] as const;
	if (isOpenCall(item.status) || (drawn === undefined && !isRun)) return null;
	return (
		<div class="card-below">
			{drawn !== undefined && <DrawnResultView drawn={drawn} label={t('Result of {title}', { title })} />}
			{isRun && item.inBackground !== true && item.status !== 'denied' && (
				<div class="run-actions" role="group" aria-label={t('Actions for {title}', { title })}>
					{acts.map(({ act, icon, label }) => (
						<button
							key={act}
							type="button"
							class="link-button of-editor"
							onClick={() => void editor.runAct(item.opId, act)}
						>
							<Icon name={icon} /> {label}
						</button>
					))}
				</div>
			)}
		</div>
	);
}
