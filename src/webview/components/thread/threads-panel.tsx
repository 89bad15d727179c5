/** All threads: search, open, rename, export, delete. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Shelf, ThreadInfo } from '../../../protocol/thread/thread.ts';
import { useView } from '../../actions/view-context.ts';
import { ConfirmButton } from '../confirm-button.tsx';
import { Disclosure } from '../../parts/disclosure.tsx';
import { Icon, IconButton } from '../../parts/icon.tsx';
import { ThreadFolder, TitleField } from './title-row.tsx';
import { isUnused } from '../../state/thread-list.ts';
import { formatAgo } from '../../parts/times.ts';

const THREAD_SEARCH_PAUSE_MS = 200;

interface ThreadsPanelProps {
	readonly list: readonly ThreadInfo[];
	readonly shownId: string | null;
	/** Folders of the workspace. */
	readonly folders: readonly string[];
}

export function ThreadsPanel({ list, shownId, folders }: ThreadsPanelProps) {
	const { t, threads, dispatch } = useView();
	const [query, setQuery] = useState('');
	const search = useRef<HTMLInputElement>(null);
	// Before anybody sees it, or the first letters would go astray.
	useLayoutEffect(() => {
		search.current?.focus();
		return () => void threads.list('');
	}, []);
	useEffect(() => {
		const timer = setTimeout(() => void threads.list(query), THREAD_SEARCH_PAUSE_MS);
		return () => clearTimeout(timer);
	}, [query]);
	const begun = list.filter((info) => !isUnused(info));
	// Results of a search are shown in one list, archived ones included.
	const archived = query === '' ? begun.filter(({ shelf }) => shelf === 'archived') : [];
	const shown = begun.filter((info) => !archived.includes(info));
	return (
		<section
			class="threads-panel"
			aria-label={t('Threads')}
			onKeyDown={(event) => {
				if (event.key === 'Escape') {
					dispatch({ type: 'focusInput' });
				}
			}}
		>
			<div class="search-row">
				<Icon name="search" />
				<input
					ref={search}
					type="search"
					placeholder={t('Search threads')}
					aria-label={t('Search threads')}
					value={query}
					onInput={(event) => setQuery(event.currentTarget.value)}
				/>
			</div>
			{begun.length === 0 ? (
				<p class="empty-list" role="status">
					{query === '' ? t('No threads yet') : t('No thread matches')}
				</p>
			) : (
				<div class="thread-list">
					<ul>
						{shown.map((info) => (
							<ThreadListRow key={info.id} info={info} isShown={info.id === shownId} folders={folders} />
						))}
					</ul>
					{archived.length > 0 && (
						<Disclosure class="archived-threads" summary={t('Archived ({n})', { n: archived.length })}>
							{() => (
								<ul>
									{archived.map((info) => (
										<ThreadListRow key={info.id} info={info} isShown={info.id === shownId} folders={folders} />
									))}
								</ul>
							)}
						</Disclosure>
					)}
				</div>
			)}
		</section>
	);
}

interface ThreadRowProps {
	readonly info: ThreadInfo;
	readonly isShown: boolean;
	readonly folders: readonly string[];
}

function ThreadListRow({ info, isShown, folders }: ThreadRowProps) {
	const { t, threads, editor, dispatch } = useView();
	const [isEditing, setIsEditing] = useState(false);
	const title = info.title === '' ? t('New thread') : info.title;
	return (
		<li class={isShown ? 'thread-row shown' : 'thread-row'}>
			{isEditing ? (
				<TitleField info={info} onEnd={() => setIsEditing(false)} />
			) : (
				<button
					type="button"
					class="thread-open"
					aria-current={isShown}
					onClick={() => {
						void threads.show(info.id);
						dispatch({ type: 'focusInput' });
					}}
				>
					<Icon name={info.running ? 'loading' : chooseThreadIcon(info)} spin={info.running} />
					{info.shelf !== undefined && (
						<span class="sr-only">{info.shelf === 'pinned' ? t('Pinned') : t('Archived')}</span>
					)}
					<span class="thread-title">{title}</span>
					<ThreadFolder info={info} folders={folders} />
					<span class="thread-when">{info.running ? t('running') : formatAgo(info.updatedAt, t)}</span>
				</button>
			)}
			<span class="row-actions">
				<ShelfButton info={info} shelf="pinned" icon={info.shelf === 'pinned' ? 'pinned' : 'pin'} title={title} />
				<ShelfButton info={info} shelf="archived" icon="archive" title={title} />
				<IconButton
					icon="edit"
					title={t('Rename')}
					label={t('Rename {title}', { title })}
					onClick={() => setIsEditing(true)}
				/>
				<IconButton
					icon="export"
					title={t('Export')}
					label={t('Export {title}', { title })}
					onClick={() => void editor.exportThread(info.id)}
				/>
				<ConfirmButton
					class="icon-button"
					label={t('Delete {title}', { title })}
					question={t('Delete this thread?')}
					act={t('Delete')}
					onConfirm={() => void threads.delete(info.id)}
				>
					<Icon name="trash" />
				</ConfirmButton>
			</span>
		</li>
	);
}

interface ShelfButtonProps {
	readonly info: ThreadInfo;
	readonly shelf: Shelf;
	readonly icon: string;
	readonly title: string;
}

/** Puts the thread there, or back into the list. */
function ShelfButton({ info, shelf, icon, title }: ShelfButtonProps) {
	const { t, threads } = useView();
	const isThere = info.shelf === shelf;
	const words =
		shelf === 'pinned'
			? {
					put: t('Pin'),
					putThis: t('Pin {title}', { title }),
					back: t('Unpin'),
					backThis: t('Unpin {title}', { title }),
				}
			: {
					put: t('Archive'),
					putThis: t('Archive {title}', { title }),
					back: t('Unarchive'),
					backThis: t('Unarchive {title}', { title }),
				};
	return (
		<IconButton
			icon={icon}
			title={isThere ? words.back : words.put}
			label={isThere ? words.backThis : words.putThis}
			onClick={() => void threads.shelve(info.id, isThere ? null : shelf)}
		/>
	);
}

function chooseThreadIcon({ shelf }: ThreadInfo): string {
	return shelf === 'pinned' ? 'pinned' : shelf === 'archived' ? 'archive' : 'comment-discussion';
}
