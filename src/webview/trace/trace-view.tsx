/**
 * Trace of a turn: which turn, its outcome and usage, and its timeline. Read again when a turn begins or ends, and
 * while it runs.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { textForUser } from '../../protocol/errors/error-text.ts';
import type { TurnId } from '../../protocol/rpc/ids.ts';
import type { ResultOf } from '../../protocol/rpc/message.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import {
	type ShownTrace,
	type TraceChoice,
	tracePageNotifications,
	tracePageRequests,
} from '../../protocol/pages/trace-page.ts';
import type { TurnTrace } from '../../protocol/thread/turn-trace.ts';
import { drawStarted, type PageEnd } from '../parts/page-end.tsx';
import { formatDuration, formatLocalTime } from '../parts/times.ts';
import { useText } from '../parts/text-actions.ts';
import { FactList, type NamedFact } from '../parts/fact-list.tsx';
import { PageFrame, PageWaits } from '../parts/page-frame.tsx';
import { useTried } from '../parts/tried-calls.ts';
import { createTimeline, usedIn } from './timeline.ts';
import { TraceTable } from './trace-table.tsx';
import { TurnReplay } from './turn-replay.tsx';
import { statusWord, usedFacts } from './trace-words.ts';

interface TraceViewProps {
	readonly peer: Peer;
	readonly signal: AbortSignal;
	readonly shownAtFirst: ShownTrace;
	/** Keeps for the next page which turn is shown. */
	keep(shown: ShownTrace): void;
}

/** A turn that runs is read again after this long. */
const READ_AGAIN_MS = 1_000;

type TraceAnswer = ResultOf<typeof tracePageRequests.read>;

function TraceView({ peer, signal, shownAtFirst, keep }: TraceViewProps) {
	const { t } = useText();
	const [shown, setShown] = useState(shownAtFirst);
	const [found, setFound] = useState<TraceAnswer | null>(null);
	const { failure, tried } = useTried(signal);
	/** Turn that is shown at present, also for a timer that was set for the one before. */
	const latest = useRef(shown);
	latest.current = shown;
	/** Number of the newest request: what an older one brings is too late. */
	const asked = useRef(0);

	async function readTrace(): Promise<void> {
		const mine = ++asked.current;
		const answer = await tried(peer.call(tracePageRequests.read, latest.current, signal));
		if (answer !== undefined && mine === asked.current) {
			setFound(answer);
		}
	}

	// Before anybody sees it: a page may go in the next moment.
	useLayoutEffect(() => keep(shown), [shown]);
	useEffect(() => {
		void readTrace();
		const readAgain = () => void readTrace();
		// Another process may run a turn of the thread, of which nobody tells.
		window.addEventListener('focus', readAgain);
		const heard = peer.on(tracePageNotifications, { changed: readAgain, show: setShown });
		return () => {
			window.removeEventListener('focus', readAgain);
			heard.dispose();
		};
	}, [shown]);
	useEffect(() => {
		if (found?.trace?.status !== 'running') {
			return undefined;
		}
		const timer = setTimeout(() => void readTrace(), READ_AGAIN_MS);
		return () => clearTimeout(timer);
	}, [found]);

	return (
		<PageFrame
			class="page ledger trace"
			title={t('Trace')}
			summary={t('How a turn went: its stages, requests and calls, with times, tokens and cost.')}
			isReading={found === null}
			failure={failure}
		>
			{found === null ? (
				failure === null && <PageWaits />
			) : found.trace === null ? (
				<p class="page-note">{t('Nothing has been asked in this thread yet.')}</p>
			) : (
				<TraceContent
					peer={peer}
					signal={signal}
					turns={found.turns}
					trace={found.trace}
					onTurn={(turnId) => setShown({ ...shown, turnId })}
					onCopy={(turnId) => void tried(peer.call(tracePageRequests.copyText, { turnId }, signal))}
					onRecorded={(opId) => void tried(peer.call(tracePageRequests.showRecorded, { opId }, signal))}
				/>
			)}
		</PageFrame>
	);
}

interface ShownProps extends Pick<TraceViewProps, 'peer' | 'signal'> {
	readonly turns: readonly TraceChoice[];
	readonly trace: TurnTrace;
	onTurn(turnId: TurnId): void;
	onCopy(turnId: TurnId): void;
	readonly onRecorded: Parameters<typeof TraceTable>[0]['onRecorded'];
}

function TraceContent({ peer, signal, turns, trace, onTurn, onCopy, onRecorded }: ShownProps) {
	const { t } = useText();
	const timeline = createTimeline(trace);
	return (
		<>
			<div class="ledger-filters">
				<label class="ledger-choice trace-choice">
					<span>{t('Turn')}</span>
					<select
						value={trace.turnId}
						onChange={({ currentTarget }) => {
							const chosen = turns.find(({ turnId }) => turnId === currentTarget.value);
							if (chosen !== undefined) {
								onTurn(chosen.turnId);
							}
						}}
					>
						{turns.map((turn) => (
							<option key={turn.turnId} value={turn.turnId}>
								{`${formatLocalTime(turn.startedAt)} · ${statusWord(turn.status, t)}`}
							</option>
						))}
					</select>
				</label>
				<button type="button" class="button secondary" onClick={() => onCopy(trace.turnId)}>
					{t('Copy as Text')}
				</button>
			</div>
			<section aria-label={t('Outcome')} class="trace-outcome" role="status">
				<FactList facts={outcomeFacts(trace, t)} />
			</section>
			{trace.status !== 'running' && (
				<TurnReplay key={`replay ${trace.turnId}`} peer={peer} signal={signal} trace={trace} />
			)}
			{timeline.rows.length === 0 ? (
				<p class="page-note">{t('Nothing was kept of this turn before it ended.')}</p>
			) : (
				<TraceTable key={trace.turnId} timeline={timeline} onRecorded={onRecorded} />
			)}
		</>
	);
}

function outcomeFacts(trace: TurnTrace, t: ReturnType<typeof useText>['t']): readonly NamedFact[] {
	const { status, modelId, startedAt, endedAt, error } = trace;
	return [
		{ label: t('Outcome'), text: statusWord(status, t) },
		...(error === undefined ? [] : [{ label: t('Error'), text: `${textForUser(error, t)} (${error.code})` }]),
		{ label: t('Model'), text: modelId },
		{ label: t('Began'), text: formatLocalTime(startedAt) },
		...(endedAt === null
			? []
			: [{ label: t('Took'), text: formatDuration(Date.parse(endedAt) - Date.parse(startedAt), t) }]),
		...usedFacts(usedIn(trace), t),
	];
}

/** The page of traces: how a turn went, as the server kept it. */
export function openTrace(end: PageEnd): void {
	const { editor, peer, signal } = end;
	drawStarted(end, tracePageRequests.start, {
		copy: (text) => void peer.call(tracePageRequests.copy, { text }, signal),
		draw: ({ shown }) => (
			<TraceView peer={peer} signal={signal} shownAtFirst={shown} keep={(changed) => editor.setState(changed)} />
		),
	});
}
