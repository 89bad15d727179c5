/** The thread's title, editable, with the way to the other threads and to a new one. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PermissionLevel } from '../../../protocol/permission-level.ts';
import type { ThreadInfo } from '../../../protocol/thread/thread.ts';
import { useView } from '../../view-context.ts';
import { Icon } from '../../icon.tsx';
import { LevelBadge } from '../approvals/level-mark.tsx';
import { ThreadFolder } from './thread-folder.tsx';

interface TitleRowProps {
	/** Null: of a thread that is yet to begin. */
	readonly info: ThreadInfo | null;
	/** Null: not known yet. */
	readonly level: PermissionLevel | null;
	readonly isListOpen: boolean;
	readonly folders: readonly string[];
}

export function TitleRow({ info, level, isListOpen, folders }: TitleRowProps) {
	const { t, threads, dispatch } = useView();
	return (
		<header class="title-row">
			{info === null ? <h1 class="title">{t('New thread')}</h1> : <Title key={info.id} info={info} />}
			{info !== null && <ThreadFolder info={info} folders={folders} />}
			{level !== null && <LevelBadge level={level} />}
			<button
				type="button"
				class="icon-button"
				title={t('Threads')}
				aria-label={t('Threads')}
				aria-expanded={isListOpen}
				onClick={() => dispatch({ type: 'panel', panel: isListOpen ? 'chat' : 'threads' })}
			>
				<Icon name="history" />
			</button>
			<button
				type="button"
				class="icon-button"
				title={t('New thread')}
				aria-label={t('New thread')}
				onClick={() => {
					void threads.show(null);
					dispatch({ type: 'focusInput' });
				}}
			>
				<Icon name="add" />
			</button>
		</header>
	);
}

function Title({ info }: { info: ThreadInfo }) {
	const { t } = useView();
	const [isEditing, setIsEditing] = useState(false);
	const shown = info.title === '' ? t('New thread') : info.title;
	return isEditing ? (
		<TitleField info={info} onEnd={() => setIsEditing(false)} />
	) : (
		<h1 class="title">
			<button
				type="button"
				class="title-button"
				title={t('Rename: {title}', { title: shown })}
				onClick={() => setIsEditing(true)}
			>
				{shown}
			</button>
		</h1>
	);
}

/** Enter and leaving the field rename; Escape does not. */
export function TitleField({ info, onEnd }: { info: ThreadInfo; onEnd(): void }) {
	const { t, threads } = useView();
	const field = useRef<HTMLInputElement>(null);
	const isOver = useRef(false);
	useLayoutEffect(() => field.current?.select(), []);
	const endEditing = (title: string | undefined) => {
		if (isOver.current) {
			return;
		}
		isOver.current = true;
		if (title !== undefined && title !== info.title) {
			void threads.rename(info.id, title);
		}
		onEnd();
	};
	return (
		<input
			ref={field}
			class="title-field"
			aria-label={t('Title of the thread')}
			maxLength={200}
			defaultValue={info.title}
			onBlur={(event) => endEditing(event.currentTarget.value)}
			onKeyDown={(event) => {
				if (event.key === 'Enter' || event.key === 'Escape') {
					event.preventDefault();
					event.stopPropagation();
					endEditing(event.key === 'Enter' ? event.currentTarget.value : undefined);
				}
			}}
		/>
	);
}
