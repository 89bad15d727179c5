/** The whole view, top to bottom. */
import { useMemo, useState } from 'preact/hooks';
import { titleInWords } from '../../protocol/text/text.ts';
import { textForUser } from '../../protocol/errors/error-text.ts';
import type { ApprovalId } from '../../protocol/rpc/ids.ts';
import type { ThreadSnapshot } from '../../protocol/thread/thread.ts';
import { readThreadDraft } from '../state/drafts.ts';
import { readThreadQueue } from '../state/queue.ts';
import { isUnused } from '../state/thread-list.ts';
import {
	currentEffort,
	currentModelId,
	isOpenTurnRunning,
	openSnapshot,
	openThreadId,
	type ViewState,
} from '../state/view-state.ts';
import { useView } from '../actions/view-context.ts';
import { Icon } from '../parts/icon.tsx';
import { ConnectedProvider } from './thread/notice.tsx';
import { AgentsProvider } from './transcript/tools/agent-card.tsx';
import { FollowedAgent, HandOffButtons, ParentLink } from './thread/agent-thread.tsx';
import { ApprovalDock, isOutside } from './approvals/approval-dock.tsx';
import { Boundary } from './boundary.tsx';
import { Banners, NewThreadButton, ProblemBar } from './thread/banners.tsx';
import { ChangeBar } from './transcript/change-bar.tsx';
import { Composer } from './composer/composer.tsx';
import { EmptyState } from './thread/empty-state.tsx';
import { HeldElsewhere } from './thread/held-elsewhere.tsx';
import { AsideDock } from './composer/aside-dock.tsx';
import { HeldMessageDock } from './composer/held-message.tsx';
import { LiveRegion } from './live-region.tsx';
import { QuestionDock } from './approvals/question-dock.tsx';
import { QueuedMessages } from './composer/queued-messages.tsx';
import { ThreadsPanel } from './thread/threads-panel.tsx';
import { TitleRow } from './thread/title-row.tsx';
import type { LastRestore } from '../../protocol/thread/restores.ts';
import { GoBackDock } from './thread/go-back-dock.tsx';
import { SetAsideStrip, WentBackStrip } from './transcript/taken-back-strips.tsx';
import { planInSight, TodoStrip } from './transcript/todo-strip.tsx';
import { type ScrollMemory, Transcript } from './transcript/transcript.tsx';

interface AppProps {
	readonly state: ViewState;
	readonly scrolls: ScrollMemory;
}

/** The last resort: with it, another thread can be shown where one cannot be drawn. */
export function ChatApp(props: AppProps) {
	return (
		<Boundary fallback={(retry) => <Broken retry={retry} />}>
			<ChatMain {...props} />
		</Boundary>
	);
}

function Broken({ retry }: { retry(): void }) {
	const { t } = useView();
	return (
		<main class="app">
			<div class="banner error" role="alert">
				<span>{t('The chat could not be drawn.')}</span>
				<span class="banner-actions">
					<button type="button" class="button" onClick={retry}>
						{t('Try again')}
					</button>
					<NewThreadButton onShown={retry} />
				</span>
			</div>
		</main>
	);
}

function ChatMain({ state, scrolls }: AppProps) {
	const { start, t } = useView();
	if (state.phase.kind === 'failed') {
		return (
			<main class="app">
				<div class="banner error" role="alert">
					<span>{t('Could not load the view: {reason}', { reason: textForUser(state.phase.error, t) })}</span>
					<button type="button" class="button" onClick={() => void start()}>
						{t('Try again')}
					</button>
				</div>
			</main>
		);
	}
	const snapshot = openSnapshot(state.open);
	return (
		<main class="app" aria-busy={state.phase.kind === 'starting'}>
			<TitleRow
				info={snapshot?.info ?? null}
				level={state.level?.level ?? null}
				isListOpen={state.panel === 'threads'}
				folders={state.workspace.folders}
			/>
			<Banners server={state.server} workspace={state.workspace} />
			{snapshot?.info.parent !== undefined && <ParentLink parent={snapshot.info.parent} />}
			{snapshot?.info.agent !== undefined && <FollowedAgent name={snapshot.info.agent} />}
			{state.panel === 'threads' ? (
				<ThreadsPanel list={state.threads} shownId={openThreadId(state.open)} folders={state.workspace.folders} />
			) : (
				<AgentsProvider value={state.agents}>
					<ConnectedProvider value={state.models?.models.some(({ source }) => source !== 'scripted')}>
						<Chat state={state} snapshot={snapshot} scrolls={scrolls} />
					</ConnectedProvider>
				</AgentsProvider>
			)}
			<LiveRegion state={state} />
		</main>
	);
}

interface ChatProps {
	readonly state: ViewState;
	readonly snapshot: ThreadSnapshot | null;
	readonly scrolls: ScrollMemory;
}

function Chat({ state, snapshot, scrolls }: ChatProps) {
	const { drafts } = useView();
	const threadId = openThreadId(state.open);
	const history = useMemo(() => userTexts(snapshot), [snapshot?.items]);
	const isAskedHere = (asked: { threadId: string | null }) => asked.threadId === threadId || asked.threadId === null;
	// A message typed in a thread answers no question that belongs to none.
	const isOfThread = (asked: { threadId: string | null }) => threadId !== null && asked.threadId === threadId;
	const approvals = state.desk.approvals.filter(isAskedHere);
	const questions = state.desk.questions.filter(isAskedHere);
	// With the next message the thread goes on from there.
	const isPast = (last: LastRestore) =>
		snapshot?.items.some(({ kind, at }) => kind === 'user' && at > last.at) === true;
	const lastRestore = state.lastRestore === null || isPast(state.lastRestore) ? null : state.lastRestore;
	const [openedId, setOpenedId] = useState<ApprovalId | undefined>(undefined);
	const opened = approvals.filter(({ id }) => id === openedId);
	// A question of no thread is a card of its own, never one of a list of this thread.
	const outside = approvals.filter(isOutside).slice(0, 1);
	const shown = opened.length > 0 ? opened : outside.length > 0 ? outside : approvals;
	return (
		<>
			<Body state={state} snapshot={snapshot} scrolls={scrolls} />
			<div class="bottom">
				<WaitingElsewhere state={state} />
				{snapshot !== null && <TodoStrip todos={planInSight(snapshot)} />}
				{threadId !== null && (
					<ChangeBar
						key={threadId}
						threadId={threadId}
						changes={state.changes}
						undone={state.undone}
						threads={state.threads}
					/>
				)}
				{snapshot !== null && lastRestore?.conversation !== true && <SetAsideStrip info={snapshot.info} />}
				{snapshot !== null && lastRestore !== null && <WentBackStrip info={snapshot.info} last={lastRestore} />}
				{snapshot !== null && state.goingBack !== null && !snapshot.info.running && (
					<GoBackDock snapshot={snapshot} to={state.goingBack} />
				)}
				{state.problem !== null && <ProblemBar error={state.problem} />}
				{approvals.length > 0 && (
					<ApprovalDock
						approvals={approvals}
						shown={shown}
						isAnswering={shown.some(({ id }) => state.answering.includes(id))}
						onOpen={setOpenedId}
					/>
				)}
				{questions.length > 0 && <QuestionDock questions={questions} answering={state.answering} />}
				{snapshot?.info.agent !== undefined && !snapshot.info.running && snapshot.items.length > 0 && (
					<HandOffButtons threadId={snapshot.info.id} />
				)}
				{snapshot !== null && <HeldElsewhere snapshot={snapshot} />}
				{state.aside !== null && <AsideDock aside={state.aside} />}
				{state.held !== null && <HeldMessageDock held={state.held} />}
				{threadId !== null && (
					<QueuedMessages
						threadId={threadId}
						queue={readThreadQueue(state.queues, threadId)}
						isHeld={!isOpenTurnRunning(state)}
						onEdit={(message) => drafts.insert(threadId, message, 'above')}
					/>
				)}
				<Composer
					threadId={threadId}
					approvals={shown.filter(isOfThread)}
					question={questions.find(isOfThread)}
					isAskedOutside={[...shown, ...questions].some((asked) => !isOfThread(asked))}
					draft={readThreadDraft(state.drafts, threadId)}
					sendWith={state.settings.sendWith}
					history={history}
					focusRequests={state.focusRequests}
					activeFile={state.activeFile}
					tellsActiveFile={state.settings.tellsActiveFile}
					mode={snapshot?.info.mode ?? state.fresh.mode}
					level={state.level}
					models={state.models}
					modelId={currentModelId(state)}
					effort={currentEffort(state)}
					usage={snapshot?.usage ?? null}
					isRunning={isOpenTurnRunning(state)}
					isSending={state.isSending}
				/>
			</div>
		</>
	);
}

function Body({ state, snapshot, scrolls }: ChatProps) {
	const { t, threads } = useView();
	const { open } = state;
	if (open.kind === 'failed') {
		return (
			<div class="body-message" role="alert">
				<p>{t('Could not open the thread: {reason}', { reason: textForUser(open.error, t) })}</p>
				<button type="button" class="button" onClick={() => void threads.show(open.threadId)}>
					{t('Try again')}
				</button>
			</div>
		);
	}
	if (snapshot !== null && (snapshot.items.length > 0 || snapshot.info.running)) {
		return <Transcript key={snapshot.info.id} snapshot={snapshot} memory={scrolls} />;
	}
	return open.kind === 'loading' || state.phase.kind === 'starting' ? (
		<div class="body-message" role="status">
			<span class="sr-only">{t('Loading…')}</span>
		</div>
	) : (
		<EmptyState
			workspace={state.workspace}
			recent={state.threads.filter(
				(info) => info.id !== snapshot?.info.id && info.shelf !== 'archived' && !isUnused(info),
			)}
			models={state.models}
		/>
	);
}

/** A question in a thread that is not shown must not be overlooked. */
function WaitingElsewhere({ state }: { state: ViewState }) {
	const { t, threads } = useView();
	const shown = openThreadId(state.open);
	const waiting = [...state.desk.approvals, ...state.desk.questions];
	const asked = waiting.find(({ threadId }) => threadId !== null && threadId !== shown);
	const { threadId = null } = asked ?? {};
	return asked === undefined || threadId === null ? null : (
		<button type="button" class="link-button elsewhere" onClick={() => void threads.show(threadId)}>
			<Icon name="shield" />{' '}
			{t('Needs your answer elsewhere: {title}', {
				title: 'question' in asked ? asked.question : titleInWords(asked, t),
			})}
		</button>
	);
}

function userTexts(snapshot: ThreadSnapshot | null): readonly string[] {
	return (snapshot?.items ?? [])
		.flatMap((item) => (item.kind === 'user' && item.from === undefined ? [item.text] : []))
		.toReversed();
}
