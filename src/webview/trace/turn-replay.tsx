/** *Replay This Turn*: runs a recorded turn again and says whether it came to the same, or how to record the next one. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { tracePageRequests } from '../../protocol/pages/trace-page.ts';
import type { Peer } from '../../protocol/rpc/peer.ts';
import type { TurnTrace } from '../../protocol/thread/turn-trace.ts';
import type { ReplayedTurn } from '../../protocol/turn/replayed-turn.ts';
import { escapeInvisible } from '../../base/text/escape-invisible.ts';
import { FactList } from '../parts/fact-list.tsx';
import { PageFailure } from '../parts/page-frame.tsx';
import { useText } from '../parts/text-actions.ts';
import { useTried } from '../parts/tried-calls.ts';

interface TurnReplayProps {
	readonly peer: Peer;
	readonly signal: AbortSignal;
	/** A turn that has ended. */
	readonly trace: Pick<TurnTrace, 'threadId' | 'turnId'>;
}

export function TurnReplay({ peer, signal, trace }: TurnReplayProps) {
	const { t } = useText();
	const { threadId, turnId } = trace;
	const [isRecorded, setRecorded] = useState<boolean | undefined>(undefined);
	const [replayed, setReplayed] = useState<ReplayedTurn | undefined>(undefined);
	const [isNextRecorded, setNextRecorded] = useState(false);
	const [isRunning, setRunning] = useState(false);
	const running = useRef<AbortController | null>(null);
	const { failure, tried } = useTried(signal);

	useEffect(() => {
		void tried(peer.call(tracePageRequests.findRecording, { turnId }, signal)).then((found) =>
			setRecorded(found?.isRecorded),
		);
	}, [trace]);
	useEffect(() => () => running.current?.abort(), []);

	async function replayTurn(): Promise<void> {
		const stop = (running.current = new AbortController());
		const endWithPage = () => stop.abort();
		signal.addEventListener('abort', endWithPage, { once: true });
		setRunning(true);
		setReplayed(undefined);
		const { signal: own } = stop;
		setReplayed(await tried(peer.call(tracePageRequests.replay, { threadId, turnId }, own), own));
		setRunning(false);
		signal.removeEventListener('abort', endWithPage);
	}

	async function recordNext(): Promise<void> {
		const begun = await tried(peer.call(tracePageRequests.recordNext, { threadId }, signal));
		setNextRecorded(begun !== undefined);
	}

	return (
		<section aria-label={t('Replay')} class="trace-replay">
			{isRecorded === false && (
				<>
					<p class="page-note">
						{isNextRecorded
							? t('The next turn of this thread is recorded: send your message in the chat.')
							: t('This turn is not recorded.')}
					</p>
					{!isNextRecorded && (
						<div class="ledger-filters">
							<button type="button" class="button secondary" onClick={() => void recordNext()}>
								{t('Record the Next Turn')}
							</button>
						</div>
					)}
				</>
			)}
			{isRecorded === true && (
				<div class="ledger-filters">
					<button
						type="button"
						class="button secondary"
						onClick={() => (isRunning ? running.current?.abort() : void replayTurn())}
					>
						{isRunning ? t('Stop Replay') : t('Replay This Turn')}
					</button>
				</div>
			)}
			<PageFailure failure={failure} />
			<div role="status">
				{isRunning && <p class="page-note">{t('Runs the turn again, without a network and without effects…')}</p>}
				{replayed !== undefined && <ReplayResult {...replayed} />}
			</div>
		</section>
	);
}

function ReplayResult({ end, difference, requests, ops, chain }: ReplayedTurn) {
	const { t } = useText();
	const counts = { requests, ops };
	if (difference !== undefined) {
		const { step, what, path, lines } = difference;
		return (
			<>
				<p class="page-note">
					{t('Before the first difference, {requests} requests to models and {ops} ops were the same.', counts)}
				</p>
				<FactList
					facts={[
						{
							label: t('First difference'),
							text: t('Step {step}: {what}', { step, what: escapeInvisible(what, 'line') }),
						},
						...(path === '' ? [] : [{ label: t('At'), text: escapeInvisible(path, 'line') }]),
					]}
				/>
				<pre class="diff" tabIndex={0} aria-label={t('Recorded, and replayed')}>
					{lines.map((line, index) => (
						<div key={index} class={`diff-line ${signClass(line)}`}>
							{escapeInvisible(line, 'line')}
						</div>
					))}
				</pre>
			</>
		);
	}
	return (
		<>
			<p class="page-note">
				{end === 'whole'
					? t('Same to the end: {requests} requests to models and {ops} ops were the same.', counts)
					: t('Same as far as the recording goes: {requests} requests to models and {ops} ops.', counts)}
			</p>
			{chain !== undefined && <FactList canCopy facts={[{ label: t('Ledger of the replay'), text: chain }]} />}
		</>
	);
}

/** The sign stays in the text: color is never the only way to tell. */
function signClass(line: string): string {
	return line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : '';
}
