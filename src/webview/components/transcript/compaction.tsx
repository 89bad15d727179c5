/** Cuts of the thread for the model: closed, what went; open, what the model is told in its place, or what is short now. */
import { escapeInvisible } from '../../../base/text/escape-invisible.ts';
import type { Shortened, ShortenedPart } from '../../../protocol/thread/shortened.ts';
import type { ThreadItem } from '../../../protocol/thread/items.ts';
import { Markdown } from '../../markdown/markdown.tsx';
import type { Translate } from '../../parts/translate.ts';
import { useView } from '../../actions/view-context.ts';
import { FoldedItem } from './folded-item.tsx';
import { useReveal } from './reveal.ts';
import { pageLanguage } from '../../parts/times.ts';

type ShownCompaction = Extract<ThreadItem, { kind: 'compaction' }>;

/** Older messages that the model is not shown any more. */
export function Compaction({ item: { messages, text, model } }: { item: ShownCompaction }) {
	const { t } = useView();
	return (
		<FoldedItem
			class="item compaction"
			icon="fold"
			title={t('{count} older messages were summarized for the model', { count: messages })}
		>
			{() => (
				<>
					<p class="detail-note">
						{model === undefined
							? t('The model reads this list of what was done. You can still read the messages above.')
							: t('The model reads this summary by {model}. You can still read the messages above.', { model })}
					</p>
					<Markdown text={text} isDone />
				</>
			)}
		</FoldedItem>
	);
}

/** Results, inputs and more that the model is shown the beginning and the end of. `text`: the notice that it is. */
export function Shortening({ text, shortened }: { text: string; shortened: Shortened }) {
	const { t } = useView();
	const { parts, counts, before, after } = shortened;
	const kinds = (['result', 'input', 'answer', 'attachment'] as const).filter((kind) => counts[kind] > 0);
	const all = kinds.reduce((sum, kind) => sum + counts[kind], 0);
	const what = kinds.map((kind) => `${counts[kind].toLocaleString(pageLanguage())} × ${kindWord(kind, t)}`).join(', ');
	return (
		<FoldedItem
			class="item compaction"
			icon="fold"
			title={t('Shortened for the model: {what} ({sizes})', { what, sizes: describeSizes(before, after, t) })}
		>
			{() => (
				<>
					<p class="detail-note">{t(text)}</p>
					<ul class="told-files">
						{parts.map((part, index) => (
							<ShortenedPartRow key={index} part={part} />
						))}
						{all > parts.length && <li class="detail-note">{t('And {n} more.', { n: all - parts.length })}</li>}
					</ul>
				</>
			)}
		</FoldedItem>
	);
}

function ShortenedPartRow({ part: { kind, title, itemId, before, after } }: { part: ShortenedPart }) {
	const { t } = useView();
	const reveal = useReveal();
	const name = escapeInvisible(title, 'line');
	return (
		<li>
			{itemId === undefined ? (
				name
			) : (
				<button type="button" class="link-button" onClick={() => reveal(itemId)}>
					{name}
				</button>
			)}
			<span class="detail-note">
				{' '}
				{kindWord(kind, t)}, {describeSizes(before, after, t)}
			</span>
		</li>
	);
}

function describeSizes(before: number, after: number, t: Translate): string {
	return t('{before} → {after} characters', {
		before: before.toLocaleString(pageLanguage()),
		after: after.toLocaleString(pageLanguage()),
	});
}

function kindWord(kind: ShortenedPart['kind'], t: Translate): string {
	switch (kind) {
		case 'result':
			return t('result');
		case 'input':
			return t('input');
		case 'answer':
			return t('answer');
		case 'attachment':
			return t('attachment');
	}
}
