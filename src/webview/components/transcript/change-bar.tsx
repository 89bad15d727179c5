/**
 * Bar of the files that a thread has changed: look at each, keep it or undo it. Undoing a change to a file that was
 * changed since takes a second question, and the last undo can be taken back.
 */
import { useState } from 'preact/hooks';
import { assertNever } from '../../../base/assert-never.ts';
import type { FileChange } from '../../../protocol/approvals/changes.ts';
import type { ThreadId } from '../../../protocol/rpc/ids.ts';
import type { ThreadInfo } from '../../../protocol/thread/thread.ts';
import { memo } from '../../parts/memo.ts';
import type { Translate } from '../../parts/translate.ts';
import { useView } from '../../actions/view-context.ts';
import { ConfirmButton } from '../confirm-button.tsx';
import { Disclosure } from '../../parts/disclosure.tsx';
import { Icon, IconButton } from '../../parts/icon.tsx';
import { DiffCount } from './tools/tool-card.tsx';

interface ChangeBarProps {
	readonly threadId: ThreadId;
	readonly changes: readonly FileChange[];
	/** Files whose last undo can be taken back. */
	readonly undone: readonly string[];
	readonly threads: readonly ThreadInfo[];
}

export const ChangeBar = memo(({ threadId, changes, undone, threads }: ChangeBarProps) => {
	const { t, desk } = useView();
	const [skipped, setSkipped] = useState<readonly string[]>([]);
	const redo = undone.length > 0 && (
		<button
			type="button"
			class="link-button"
			title={undone.join(', ')}
			onClick={() => void desk.redo(threadId).then(setSkipped)}
		>
			{t('Redo')}
		</button>
	);
	if (changes.length === 0) {
		return redo === false ? null : (
			<section class="strip set-aside" aria-label={t('Undone changes')}>
				<span class="strip-title">
					{undone.length === 1 ? t('Changes in 1 file undone') : t('Changes in {n} files undone', { n: undone.length })}
				</span>
				<div class="strip-actions">{redo}</div>
			</section>
		);
	}
	const undoChanges = async (paths?: readonly string[]) => setSkipped(await desk.undo(threadId, paths, false));
	const added = changes.reduce((sum, change) => sum + change.added, 0);
	const removed = changes.reduce((sum, change) => sum + change.removed, 0);
	return (
		<section class="strip changes" aria-label={t('Changed files')}>
			<Disclosure
				class="strip-body"
				summary={
					<>
						<span class="strip-title">
							{changes.length === 1 ? t('1 file changed') : t('{n} files changed', { n: changes.length })}
						</span>
						<DiffCount added={added} removed={removed} />
					</>
				}
			>
				{() => (
					<ul class="change-list">
						{changes.map((change) => (
							<FileChangeRow
								key={change.path}
								threadId={threadId}
								change={change}
								threads={threads}
								onUndo={() => void undoChanges([change.path])}
							/>
						))}
					</ul>
				)}
			</Disclosure>
			<div class="strip-actions">
				{redo}
				<button type="button" class="link-button" onClick={() => void desk.keep(threadId)}>
					{t('Keep all')}
				</button>
				<ConfirmButton
					class="link-button"
					label={t('Undo all')}
					question={t('Undo all changes of this thread?')}
					act={t('Undo all')}
					onConfirm={() => void undoChanges()}
				>
					{t('Undo all')}
				</ConfirmButton>
			</div>
			{skipped.length > 0 && (
				<div class="banner warning" role="alert">
					<Icon name="warning" />
					<span>
						{t('Changed by others, or perhaps by others, so not undone: {paths}', { paths: skipped.join(', ') })}
					</span>
					<span class="banner-actions">
						<button
							type="button"
							class="button danger"
							onClick={() => {
								void desk.undo(threadId, skipped, true);
								setSkipped([]);
							}}
						>
							{t('Undo anyway')}
						</button>
						<button type="button" class="button secondary" onClick={() => setSkipped([])}>
							{t('Keep as is')}
						</button>
					</span>
				</div>
			)}
		</section>
	);
});

interface ChangeRowProps {
	readonly threadId: ThreadId;
	readonly change: FileChange;
	readonly threads: readonly ThreadInfo[];
	onUndo(): void;
}

function FileChangeRow({ threadId, change, threads, onUndo }: ChangeRowProps) {
	const { t, desk } = useView();
	const { path, entry, kind, added, removed, touchedSince } = change;
	const icon = kind === 'created' ? 'diff-added' : kind === 'deleted' ? 'diff-removed' : 'diff-modified';
	const word = kind === 'created' ? t('created') : kind === 'deleted' ? t('deleted') : t('modified');
	return (
		<li class="change-row">
			<button
				type="button"
				class="change-path"
				title={t('Show the changes of {path}', { path })}
				onClick={() => void desk.showChange(threadId, path)}
			>
				<Icon name={icon} />
				<span class="sr-only">{word} </span>
				<span class="path">{path}</span>
				{touchedSince && <span class="touched">{sinceText(change, threads, t)}</span>}
				{entry === undefined ? (
					<DiffCount added={added} removed={removed} />
				) : (
					<span class="touched">{entry === 'link' ? t('link') : t('folder')}</span>
				)}
			</button>
			<span class="row-actions always">
				<IconButton
					icon="check"
					title={t('Keep')}
					label={t('Keep {path}', { path })}
					onClick={() => void desk.keep(threadId, [path])}
				/>
				<IconButton icon="discard" title={t('Undo')} label={t('Undo {path}', { path })} onClick={onUndo} />
			</span>
		</li>
	);
}

/** Names who changed it since, the threads by their titles. */
function sinceText({ since = [] }: FileChange, threads: readonly ThreadInfo[], t: Translate): string {
	if (since.some(({ kind }) => kind === 'unknown')) {
		return t('changed while a command ran, by it or by somebody else');
	}
	const names = since.map((by) => {
		switch (by.kind) {
			case 'thread': {
				const title = threads.find(({ id }) => id === by.threadId)?.title;
				return title === undefined ? t('another thread') : t('the thread “{title}”', { title });
			}
			case 'person':
				return t('you');
			case 'program':
			case 'unknown':
				return t('another program');
			default:
				return assertNever(by);
		}
	});
	return names.length === 0 ? t('changed since') : t('changed since by {names}', { names: names.join(', ') });
}
