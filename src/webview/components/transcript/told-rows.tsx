/** Rows that say what the model was told besides the messages: instructions and memories. */
import { escapeInvisible } from '../../../base/text/escape-invisible.ts';
import type { ThreadItem } from '../../../protocol/thread/items.ts';
import type { Translate } from '../../parts/translate.ts';
import { useView } from '../../actions/view-context.ts';
import { FoldedItem } from './folded-item.tsx';

type ShownInstructions = Extract<ThreadItem, { kind: 'instructions' }>;

/** Files of the workspace that were told to the model: closed, with their number; each opens in the editor. */
export function ToldInstructionsRow({ item }: { item: ShownInstructions }) {
	const { t, editor } = useView();
	const { files, left } = item;
	const [first] = files;
	const label =
		first === undefined
			? t('Instructions were left out')
			: files.length === 1
				? t('Instructions: {path}', { path: escapeInvisible(first.path, 'line') })
				: t('Instructions: {path} and {count} more', {
						path: escapeInvisible(first.path, 'line'),
						count: files.length - 1,
					});
	return (
		<FoldedItem class="item instructions" icon="book" title={label}>
			{() => (
				<ul class="told-files">
					{files.map(({ path, omitted }) => (
						<li key={path}>
							<button type="button" class="link-button" onClick={() => void editor.openFile(path)}>
								{escapeInvisible(path, 'line')}
							</button>
							{omitted > 0 && (
								<span class="detail-note"> {t('without its last {count} characters', { count: omitted })}</span>
							)}
						</li>
					))}
					{left.map(({ path, reason }) => (
						<li key={path} class="detail-note">
							{t('{path} was left out: {reason}', {
								path: escapeInvisible(path, 'line'),
								reason: reasonWord(reason, t),
							})}
						</li>
					))}
				</ul>
			)}
		</FoldedItem>
	);
}

function reasonWord(reason: ShownInstructions['left'][number]['reason'], t: Translate): string {
	switch (reason) {
		case 'outside':
			return t('it lies outside of the workspace');
		case 'secret':
			return t('it usually holds secrets');
		case 'unreadable':
			return t('it cannot be read as text');
		case 'missing':
			return t('it does not exist');
		case 'tooMany':
			return t('there are too many instructions');
		case 'planted':
			return t('it appeared while a command ran in the background; save it yourself if it is to be followed');
	}
}

/** Memories that were told to the model with a message: closed, with their number. The view Memory changes them. */
export function ToldMemoriesRow({ item: { memories, isLocal } }: { item: Extract<ThreadItem, { kind: 'memories' }> }) {
	const { t } = useView();
	const label =
		memories.length === 1 ? t('Recalled 1 memory') : t('Recalled {count} memories', { count: memories.length });
	return (
		<FoldedItem class="item instructions" icon="lightbulb" title={label}>
			{() => (
				<ul class="told-files">
					{memories.map(({ id, text }) => (
						<li key={id}>{escapeInvisible(text, 'line')}</li>
					))}
					{isLocal === true && <li>{t('The embedding model did not answer; they were found on this machine.')}</li>}
				</ul>
			)}
		</FoldedItem>
	);
}
