/** Finds words in the thread on the screen, also in what is not loaded yet, and leads from one place to the next. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ItemId } from '../../../protocol/rpc/ids.ts';
import type { ThreadItem } from '../../../protocol/thread/items.ts';
import type { ThreadSnapshot } from '../../../protocol/thread/thread.ts';
import { useView } from '../../actions/view-context.ts';
import { IconButton } from '../../parts/icon.tsx';
import { toPlainItemText } from './item-view.tsx';
import { unmarkFound } from './reveal.ts';

interface FindBarProps {
	readonly snapshot: ThreadSnapshot;
	readonly content: { readonly current: HTMLElement | null };
	reveal(itemId: ItemId, keepsFocus: boolean): void;
	onClose(): void;
}

/** Kinds whose rows can be brought into sight by their id. */
const FOUND_KINDS: ReadonlySet<ThreadItem['kind']> = new Set(['user', 'text', 'tool']);

export function FindBar({ snapshot, content, reveal, onClose }: FindBarProps) {
	const { t, threads } = useView();
	const [query, setQuery] = useState('');
	/** Id of the item that is shown; undefined: none is yet. */
	const [at, setAt] = useState<ItemId>();
	const field = useRef<HTMLInputElement>(null);
	const wanted = query.trim().toLowerCase();
	const found =
		wanted === ''
			? []
			: snapshot.items.filter(
					(item) => FOUND_KINDS.has(item.kind) && toPlainItemText(item, t).toLowerCase().includes(wanted),
				);
	const place = found.findIndex(({ id }) => id === at);

	// Before anybody sees it, or the first letters would go astray.
	useLayoutEffect(() => field.current?.focus(), []);
	// Loads the rest: only then can it be found.
	useEffect(() => {
		void threads.loadWhole(snapshot.info.id);
	}, []);
	useEffect(() => () => unmarkFound(content.current), [query]);

	/** `step`: -1 is the one before; without a place, it begins at the newest. */
	const goTo = (step: -1 | 1) => {
		const next = place === -1 ? found.at(-1) : found[(place + step + found.length) % found.length];
		if (next !== undefined) {
			setAt(next.id as ItemId);
			reveal(next.id as ItemId, true);
		}
	};
	const onKeyDown = (event: KeyboardEvent) => {
		if (event.key === 'Enter') {
			event.preventDefault();
			goTo(event.shiftKey ? 1 : -1);
		} else if (event.key === 'Escape') {
			event.preventDefault();
			event.stopPropagation();
			onClose();
		}
	};
	return (
		<div class="find-bar" role="search" aria-label={t('Find in this thread')} onKeyDown={onKeyDown}>
			<input
				ref={field}
				class="text-field"
				type="search"
				placeholder={t('Find in this thread')}
				aria-label={t('Find in this thread')}
				value={query}
				onInput={(event) => {
					setQuery(event.currentTarget.value);
					setAt(undefined);
				}}
			/>
			<span role="status">
				{wanted === ''
					? ''
					: found.length === 0
						? t('Nothing found')
						: place === -1
							? t('{n} found', { n: found.length })
							: t('{n} of {count}', { n: place + 1, count: found.length })}
			</span>
			<IconButton icon="arrow-up" title={t('The one before (Enter)')} onClick={() => goTo(-1)} />
			<IconButton icon="arrow-down" title={t('The next one (Shift+Enter)')} onClick={() => goTo(1)} />
			<IconButton icon="close" title={t('Close')} onClick={onClose} />
		</div>
	);
}
