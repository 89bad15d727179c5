/** The thread's title, editable, with the way to the other threads and to a new one. */
import { useState } from 'preact/hooks';
import type { PermissionLevel } from '../../../protocol/ops/permission-level.ts';
import type { ThreadInfo } from '../../../protocol/thread/thread.ts';
import { useView } from '../../actions/view-context.ts';
import { IconButton } from '../../parts/icon-button.tsx';
import { LevelBadge } from '../approvals/level-mark.tsx';
import { EditInPlace } from '../edit-in-place.tsx';
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
			<IconButton
				icon="history"
				title={t('Threads')}
				isExpanded={isListOpen}
				onClick={() => dispatch({ type: 'panel', panel: isListOpen ? 'chat' : 'threads' })}
			/>
			<IconButton
				icon="add"
				title={t('New thread')}
				onClick={() => {
					void threads.show(null);
					dispatch({ type: 'focusInput' });
				}}
			/>
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

export function TitleField({ info, onEnd }: { info: ThreadInfo; onEnd(): void }) {
	const { t, threads } = useView();
	return (
		<EditInPlace
			class="title-field"
			label={t('Title of the thread')}
			text={info.title}
			size="line"
			maxLength={200}
			onSave={(title) => {
				if (title !== info.title) {
					void threads.rename(info.id, title);
				}
				onEnd();
			}}
			onCancel={onEnd}
		/>
	);
}
