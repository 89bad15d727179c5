/** The thread's title, editable, with the way to the other threads and to a new one. */
import { useState } from 'preact/hooks';
import { LEVEL_ICONS, LEVEL_WORDS, type PermissionLevel } from '../../../protocol/ops/permission-level.ts';
import { translateText } from '../../../protocol/text/text.ts';
import { otherFolder, type ThreadInfo } from '../../../protocol/thread/thread.ts';
import { useView } from '../../actions/view-context.ts';
import { Icon, IconButton } from '../../parts/icon.tsx';
import { EditInPlace } from '../edit-in-place.tsx';

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
		<header class="title-row sr-only-in-little-room">
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

/** In the header of a thread that is at another permission level than Ask: which one. */
function LevelBadge({ level }: { level: PermissionLevel }) {
	const { t } = useView();
	if (level === 'ask') {
		return null;
	}
	const { name, sentence } = LEVEL_WORDS[level];
	const label = t('Permission level: {level}', { level: translateText(name, t) });
	return (
		<span
			class="level-mark"
			data-level={level}
			role="img"
			aria-label={label}
			title={`${label}. ${translateText(sentence, t)}`}
		>
			<Icon name={LEVEL_ICONS[level]} />
			<span class="level-name">{translateText(name, t)}</span>
		</span>
	);
}

/** Where a thread was begun, when that is not here: what it knows is of that place. */
export function ThreadFolder({ info, folders }: { info: ThreadInfo; folders: readonly string[] }) {
	const name = otherFolder(info, folders);
	return name === undefined ? null : (
		<span class="thread-folder" title={info.workspace ?? ''}>
			{name}
		</span>
	);
}
