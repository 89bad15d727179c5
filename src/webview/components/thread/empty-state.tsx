/** Content of a new thread: what Prowess is, what to try, the recent threads, and what is still missing. */
import { useEffect, useState } from 'preact/hooks';
import type { SuggestedTask } from '../../../protocol/pages/chat-view.ts';
import type { ThreadInfo } from '../../../protocol/thread/thread.ts';
import type { Models, ViewState } from '../../state/view-state.ts';
import { useView } from '../../actions/view-context.ts';
import { Icon } from '../../parts/icon.tsx';
import { formatAgo } from '../../parts/times.ts';
import { ThreadFolder } from './title-row.tsx';

const RECENT = 4;

interface EmptyStateProps {
	readonly workspace: ViewState['workspace'];
	readonly recent: readonly ThreadInfo[];
	readonly models: Models | null;
}

export function EmptyState({ workspace, recent, models }: EmptyStateProps) {
	const { t, threads, editor, dispatch } = useView();
	useEffect(() => {
		// Another window may have begun threads, or ended some.
		const listAgain = () => void threads.list('');
		window.addEventListener('focus', listAgain);
		return () => window.removeEventListener('focus', listAgain);
	}, []);
	const leaveToInput = (going: Promise<void>) => {
		void going;
		dispatch({ type: 'focusInput' });
	};
	const hasFolder = workspace.folders.length > 0;
	const needsModel = models !== null && models.models.every(({ source }) => source === 'scripted');
	// In the sample the tour comes first; its script answers nothing else.
	const isTourFirst = workspace.isSample && (models === null || needsModel);
	const { tasks, askAgain } = useSuggestedTasks(hasFolder && workspace.trusted && !isTourFirst);
	return (
		<div class="empty-state">
			<Mark />
			<h2>{t('Prowess')}</h2>
			<p class="pitch">{t('You approve what it changes and runs. Everything is recorded.')}</p>
			{/* Before the workspace is trusted a task would only be refused; the banner says so. */}
			{needsModel && workspace.trusted && (
				<p class="button-row first-steps">
					<button type="button" class="button of-editor" onClick={() => void editor.command('takeTour')}>
						<Icon name="play" /> {t('Take the tour (2 minutes, no model)')}
					</button>
					<button type="button" class="button secondary of-editor" onClick={() => void editor.command('connectModel')}>
						<Icon name="plug" /> {t('Connect a model')}
					</button>
				</p>
			)}
			{tasks.length > 0 && (
				<ul class="suggestions" aria-label={t('Suggested tasks')}>
					{tasks.map(({ icon, text, turnsOnCodeIndex }) => (
						<li key={text}>
							<button
								type="button"
								class="suggestion"
								onClick={() =>
									leaveToInput(
										turnsOnCodeIndex === true ? editor.turnOnCodeIndex().then(askAgain) : threads.send(text, []),
									)
								}
							>
								<Icon name={icon} />
								<span>{text}</span>
							</button>
						</li>
					))}
				</ul>
			)}
			{!hasFolder && (
				<p class="hint">
					<button type="button" class="button" onClick={() => void editor.command('openFolder')}>
						{t('Open a folder')}
					</button>
				</p>
			)}
			{recent.length > 0 && (
				<section class="recent" aria-label={t('Recent threads')}>
					<h3>{t('Recent')}</h3>
					<ul>
						{recent.slice(0, RECENT).map((info) => (
							<li key={info.id}>
								<button type="button" class="thread-open" onClick={() => leaveToInput(threads.show(info.id))}>
									<Icon name={info.running ? 'loading' : 'comment-discussion'} spin={info.running} />
									<span class="thread-title">{info.title === '' ? t('New thread') : info.title}</span>
									<ThreadFolder info={info} folders={workspace.folders} />
									<span class="thread-when">{formatAgo(info.updatedAt, t)}</span>
								</button>
							</li>
						))}
					</ul>
				</section>
			)}
		</div>
	);
}

/** Asks again when the page is seen again: what held before may be done by then. */
function useSuggestedTasks(isAsked: boolean) {
	const { t, editor } = useView();
	const [tasks, setTasks] = useState<readonly SuggestedTask[]>([
		{ icon: 'map', text: t('Explain how this project is structured') },
	]);
	const [asked, setAsked] = useState(0);
	const askAgain = () => setAsked((count) => count + 1);
	useEffect(() => {
		if (!isAsked) return undefined;
		const until = new AbortController();
		void editor.suggestTasks(until.signal).then((found) => {
			if (found !== undefined && !until.signal.aborted) setTasks(found);
		});
		window.addEventListener('focus', askAgain, { signal: until.signal });
		return () => until.abort();
	}, [isAsked, asked]);
	return { tasks: isAsked ? tasks : [], askAgain };
}

/** The product's mark: a rising stroke that turns, in the colour of the text around it. */
function Mark() {
	return (
		<svg class="mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
			<path
				d="M12 1.8 20.8 6.9v10.2L12 22.2 3.2 17.1V6.9z"
				fill="none"
				stroke="currentColor"
				stroke-width="1.5"
				stroke-linejoin="round"
			/>
			<path
				d="M9 17.4V7.2h3.9a3.1 3.1 0 0 1 0 6.2H9"
				fill="none"
				stroke="currentColor"
				stroke-width="2"
				stroke-linecap="round"
				stroke-linejoin="round"
			/>
		</svg>
	);
}
