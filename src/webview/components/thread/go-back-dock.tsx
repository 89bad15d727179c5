/** The way back to a message: which one, what will change, and whether files, conversation or both go back. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RestoreFile } from '../../../protocol/thread/restores.ts';
import type { ThreadId, TurnId } from '../../../protocol/rpc/ids.ts';
import type { UserItem } from '../../../protocol/thread/items.ts';
import type { ThreadSnapshot } from '../../../protocol/thread/thread.ts';
import type { Translate } from '../../parts/translate.ts';
import { useView } from '../../actions/view-context.ts';
import { Icon } from '../../parts/icon.tsx';
import { DiffCount } from '../transcript/tools/tool-card.tsx';

interface GoBackDockProps {
	readonly snapshot: ThreadSnapshot;
	/** Turn of the message to go back to; `choose`: one is to be chosen first. */
	readonly to: TurnId | 'choose';
}

export function GoBackDock({ snapshot, to }: GoBackDockProps) {
	const { t, dispatch } = useView();
	const dock = useRef<HTMLElement>(null);
	useLayoutEffect(() => dock.current?.focus(), [to]);
	const begun = snapshot.items.flatMap((item) => (item.kind === 'user' && item.isSteering !== true ? [item] : []));
	const chosen = begun.find(({ turnId }) => turnId === to);
	return (
		<section
			ref={dock}
			class="dock go-back"
			aria-label={t('Go back')}
			tabIndex={-1}
			onKeyDown={(event) => {
				if (event.key === 'Escape') {
					event.preventDefault();
					dispatch({ type: 'goBack', to: null });
				}
			}}
		>
			{chosen === undefined ? (
				<MessageChoice messages={begun} />
			) : (
				<WayBack key={to} threadId={snapshot.info.id} message={chosen} later={begun.length - begun.indexOf(chosen)} />
			)}
		</section>
	);
}

function MessageChoice({ messages }: { readonly messages: readonly UserItem[] }) {
	const { t, dispatch } = useView();
	return (
		<>
			<p class="dock-title">{t('Go back to before which message?')}</p>
			<ul class="go-back-list">
				{messages.toReversed().map(({ id, turnId, text }) => (
					<li key={id}>
						<button type="button" class="link-button" onClick={() => dispatch({ type: 'goBack', to: turnId })}>
							{shortenFirstLine(text)}
						</button>
					</li>
				))}
			</ul>
			<Cancel />
		</>
	);
}

interface WayBackProps {
	readonly threadId: ThreadId;
	readonly message: UserItem;
	/** Number of messages that would leave the conversation. */
	readonly later: number;
}

function WayBack({ threadId, message, later }: WayBackProps) {
	const { t, restores, dispatch } = useView();
	const [files, setFiles] = useState<readonly RestoreFile[] | undefined>(undefined);
	const [force, setForce] = useState(false);
	const [isBusy, setIsBusy] = useState(false);
	const { turnId } = message;
	useEffect(() => {
		void restores.preview(threadId, turnId).then((found) => setFiles(found ?? []));
	}, [threadId, turnId]);
	const startGoingBack = async (wish: { readonly files: boolean; readonly conversation: boolean }) => {
		setIsBusy(true);
		const left = await restores.goBack({ threadId, turnId, force, ...wish });
		setIsBusy(false);
		if (left !== undefined) {
			dispatch({ type: 'goBack', to: null });
		}
	};
	const some = (files ?? []).some((file) => !isLeft(file, force));
	return (
		<>
			<div class="dock-scroll">
				<p class="dock-title">{t('Go back to before “{text}”?', { text: shortenFirstLine(message.text) })}</p>
				<p class="hint">
					{later === 1
						? t('1 message leaves the conversation. It stands in the input again.')
						: t('{n} messages leave the conversation. The first stands in the input again.', { n: later })}
				</p>
				{files === undefined && <p class="hint">{t('Comparing files…')}</p>}
				{files?.length === 0 && <p class="hint">{t('No files have changed since.')}</p>}
				{files !== undefined && files.length > 0 && (
					<ul class="go-back-list" aria-label={t('Files that change')}>
						{files.map((file) => (
							<li key={file.path}>
								<Icon name={isLeft(file, force) ? 'warning' : RESTORE_ICONS[file.kind]} />
								<span class="path">{file.path}</span>
								<span class="touched">{describeFileFate(file, force, t)}</span>
								{file.entry === undefined && <DiffCount added={file.added} removed={file.removed} />}
							</li>
						))}
					</ul>
				)}
				{(files ?? []).some(({ hindrance }) => hindrance === 'changed') && (
					<label class="go-back-force">
						<input type="checkbox" checked={force} onChange={(event) => setForce(event.currentTarget.checked)} />
						{t('Also files that were changed since. Those changes are lost.')}
					</label>
				)}
			</div>
			<div class="dock-actions">
				<div class="button-row">
					<button
						type="button"
						class="button"
						disabled={isBusy || files === undefined}
						onClick={() => void startGoingBack({ files: true, conversation: true })}
					>
						{t('Files and conversation')}
					</button>
					<button
						type="button"
						class="button secondary"
						disabled={isBusy || !some}
						onClick={() => void startGoingBack({ files: true, conversation: false })}
					>
						{t('Only files')}
					</button>
					<button
						type="button"
						class="button secondary"
						disabled={isBusy}
						onClick={() => void startGoingBack({ files: false, conversation: true })}
					>
						{t('Only conversation')}
					</button>
					<Cancel />
				</div>
			</div>
		</>
	);
}

function Cancel() {
	const { t, dispatch } = useView();
	return (
		<button type="button" class="button secondary" onClick={() => dispatch({ type: 'goBack', to: null })}>
			{t('Cancel')}
		</button>
	);
}

const RESTORE_ICONS = { changes: 'diff-modified', returns: 'diff-added', goes: 'diff-removed' } as const;

function isLeft({ hindrance }: RestoreFile, force: boolean): boolean {
	return hindrance !== undefined && !(hindrance === 'changed' && force);
}

function describeFileFate(file: RestoreFile, force: boolean, t: Translate): string {
	if (isLeft(file, force)) {
		switch (file.hindrance) {
			case 'changed':
				return t('stays: changed since by somebody else');
			case 'lost':
				return t('stays: what it held is no longer kept');
			default:
				return t('stays: it cannot be read, or has unsaved changes');
		}
	}
	if (file.entry !== undefined) {
		const isLink = file.entry === 'link';
		if (file.kind === 'goes') return isLink ? t('link is deleted') : t('folder is deleted');
		return isLink ? t('link is restored') : t('folder is restored');
	}
	switch (file.kind) {
		case 'changes':
			return t('earlier content is restored');
		case 'returns':
			return t('file is restored');
		case 'goes':
			return t('file is deleted');
	}
}

function shortenFirstLine(text: string): string {
	const [line = ''] = text.trim().split('\n', 1);
	return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
