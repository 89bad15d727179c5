/**
 * The items of a thread. Only the newest are drawn; older ones come in pages, so a long thread opens as fast as a short one.
 * Stays at the bottom while text grows, unless the user has scrolled up.
 */
import { Fragment } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { TurnId } from '../../../protocol/rpc/ids.ts';
import type { ThreadSnapshot } from '../../../protocol/thread/thread.ts';
import { memo } from '../../parts/memo.ts';
import { useView } from '../../actions/view-context.ts';
import { Icon } from '../../parts/icon.tsx';
import { FindBar } from './find-bar.tsx';
import { ItemView } from './item-view.tsx';
import { CallGroup } from './tools/call-group.tsx';
import { RevealProvider, useRevealing } from './reveal.ts';
import { type TranscriptRow, toTranscriptRows } from './rows.ts';
import { lastTestRun, recordedOps, TurnRecord } from './turn-record.tsx';

const NEWEST = 60;
const ITEMS_PER_PAGE = 100;
/** Closer to the end than this counts as being there. */
const BOTTOM_PX = 32;

export interface ScrollMemory {
	read(threadId: string): number | undefined;
	/** Undefined: at the bottom. */
	write(threadId: string, top: number | undefined): void;
}

interface TranscriptProps {
	readonly snapshot: ThreadSnapshot;
	readonly memory: ScrollMemory;
	/** Most items drawn at first. */
	readonly newest?: number;
}

export const Transcript = memo(({ snapshot, memory, newest = NEWEST }: TranscriptProps) => {
	const { t, threads } = useView();
	const threadId = snapshot.info.id;
	const scroller = useRef<HTMLDivElement>(null);
	const content = useRef<HTMLDivElement>(null);
	const [limit, setLimit] = useState(newest);
	const shown = snapshot.items.slice(-limit);
	const { isAtBottom, toBottom, leaveBottom, keepPlace } = useStickyBottom(
		scroller,
		content,
		memory,
		threadId,
		shown[0]?.id,
	);
	const hidden = snapshot.items.length - shown.length + snapshot.earlier;

	const reveal = useRevealing(snapshot, { content, limit, draw: setLimit, leaveBottom });

	async function showEarlier(): Promise<void> {
		keepPlace();
		const oldest = snapshot.items[0];
		if (shown.length === snapshot.items.length && oldest !== undefined) {
			await threads.earlier(threadId, oldest.id);
		}
		setLimit((current) => current + ITEMS_PER_PAGE);
	}

	async function showFirst(): Promise<void> {
		const first = await threads.loadWhole(threadId);
		if (first !== undefined) {
			reveal(first);
			// The button goes once nothing earlier is left.
			scroller.current?.focus({ preventScroll: true });
		}
	}

	const [isFinding, setIsFinding] = useState(false);
	useEffect(() => {
		const onKey = (event: KeyboardEvent) => {
			if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'f') {
				event.preventDefault();
				setIsFinding(true);
			}
		};
		document.addEventListener('keydown', onKey);
		return () => document.removeEventListener('keydown', onKey);
	}, []);

	const last = snapshot.items.at(-1);
	const isWaiting = last?.kind === 'tool' && last.status === 'waiting';
	const rows = toTranscriptRows(shown);
	const isElsewhere = snapshot.info.heldBy !== undefined;
	// The message of a long turn may be among the earlier items.
	const lastTurn = (snapshot.items.findLast((item) => item.kind === 'user') ?? last)?.turnId;
	return (
		<div class="transcript-frame">
			{isFinding && (
				<FindBar
					snapshot={snapshot}
					content={content}
					reveal={reveal}
					onClose={() => {
						setIsFinding(false);
						scroller.current?.focus({ preventScroll: true });
					}}
				/>
			)}
			<div ref={scroller} class="transcript" role="log" aria-live="off" aria-label={t('Conversation')} tabIndex={0}>
				<div ref={content} class="transcript-content">
					{hidden > 0 && (
						<p class="earlier-row">
							<button type="button" class="link-button show-earlier" onClick={() => void showEarlier()}>
								{t('Show earlier ({n})', { n: hidden })}
							</button>{' '}
							<button type="button" class="link-button" onClick={() => void showFirst()}>
								{t('First message')}
							</button>{' '}
							<button type="button" class="link-button" title="Ctrl+F" onClick={() => setIsFinding(true)}>
								{t('Find…')}
							</button>
						</p>
					)}
					<RevealProvider value={reveal}>
						{rows.map((row, index) => {
							const { id, turnId } = row.kind === 'item' ? row.item : row.items[0];
							return (
								<Fragment key={id}>
									{row.kind === 'item' ? (
										<ItemView
											item={row.item}
											isRunning={snapshot.info.running}
											isLastTurn={turnId === lastTurn}
											isElsewhere={isElsewhere}
										/>
									) : (
										<CallGroup kind={row.kind} items={row.items} isElsewhere={isElsewhere} />
									)}
									{isTurnEnd(rows, index, snapshot) && (
										<TurnRecord
											turnId={turnId}
											opIds={recordedOps(snapshot.items, turnId)}
											tests={lastTestRun(snapshot.items, turnId)}
										/>
									)}
								</Fragment>
							);
						})}
					</RevealProvider>
					{snapshot.info.running && !isWaiting && <WorkingNote />}
				</div>
			</div>
			{!isAtBottom && (
				<button
					type="button"
					class="jump-button"
					onClick={toBottom}
					aria-label={t('Jump to newest')}
					title={t('Jump to newest')}
				>
					<Icon name="arrow-down" />
				</button>
			)}
		</div>
	);
});

/** True when the turn of this row has ended and this is its last row. */
function isTurnEnd(rows: readonly TranscriptRow[], index: number, { turnId: running }: ThreadSnapshot): boolean {
	const turnId = findRowTurn(rows[index]);
	return turnId !== running && turnId !== findRowTurn(rows[index + 1]);
}

function findRowTurn(row: TranscriptRow | undefined): TurnId | undefined {
	return row?.kind === 'item' ? row.item.turnId : row?.items[0].turnId;
}

function WorkingNote() {
	const { t } = useView();
	return (
		<p class="working">
			<Icon name="loading" spin={true} /> {t('Working…')}
		</p>
	);
}

type Ref<T> = { current: T | null };

/** `firstId` names what is drawn first: when it is another one, items came in above. */
function useStickyBottom(
	scroller: Ref<HTMLDivElement>,
	content: Ref<HTMLDivElement>,
	memory: ScrollMemory,
	threadId: string,
	firstId: string | undefined,
) {
	const [isAtBottom, setIsAtBottom] = useState(true);
	const stick = useRef(true);
	const kept = useRef<number | undefined>(undefined);

	useLayoutEffect(() => {
		const box = scroller.current;
		const saved = memory.read(threadId);
		if (box !== null) {
			box.scrollTop = saved ?? box.scrollHeight;
			stick.current = saved === undefined;
			setIsAtBottom(stick.current);
		}
	}, [threadId]);

	// After older items came in above, what was in sight stays where it was.
	useLayoutEffect(() => {
		const box = scroller.current;
		if (box !== null && kept.current !== undefined) {
			box.scrollTop = box.scrollHeight - kept.current;
			kept.current = undefined;
		}
	}, [firstId]);

	useEffect(() => {
		const box = scroller.current;
		const inner = content.current;
		if (box === null || inner === null) {
			return undefined;
		}
		const onScroll = () => {
			stick.current = box.scrollHeight - box.scrollTop - box.clientHeight < BOTTOM_PX;
			setIsAtBottom(stick.current);
			memory.write(threadId, stick.current ? undefined : box.scrollTop);
		};
		const grown = new ResizeObserver(() => {
			if (stick.current) {
				box.scrollTop = box.scrollHeight;
			}
		});
		box.addEventListener('scroll', onScroll, { passive: true });
		grown.observe(inner);
		grown.observe(box);
		return () => {
			box.removeEventListener('scroll', onScroll);
			grown.disconnect();
		};
	}, [threadId]);

	return {
		isAtBottom,
		toBottom() {
			const box = scroller.current;
			if (box !== null) {
				stick.current = true;
				box.scrollTop = box.scrollHeight;
				box.focus({ preventScroll: true });
			}
		},
		leaveBottom() {
			stick.current = false;
		},
		keepPlace() {
			const box = scroller.current;
			if (box !== null) {
				kept.current = box.scrollHeight - box.scrollTop;
			}
		},
	};
}
