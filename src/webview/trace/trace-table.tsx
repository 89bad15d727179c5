/** A timeline as a table, which a screen reader reads row by row: the bars only draw what the columns say. A row opens what else is known. */
import { useState } from 'preact/hooks';
import { escapeInvisible } from '../../base/text/escape-invisible.ts';
import { drawnFailover, TracedFailovers } from '../../protocol/pages/drawn-failover.ts';
import type { OpId } from '../../protocol/rpc/ids.ts';
import { Icon } from '../parts/icon.tsx';
import { formatDuration } from '../parts/times.ts';
import { useText } from '../parts/text-actions.ts';
import { ExpandableTable, ExpandingCell, type RowExpansion } from '../parts/expandable-table.tsx';
import { FactList } from '../parts/fact-list.tsx';
import { computeBar, type Timeline, type TimelineRow } from './timeline.ts';
import { type RowEnd, rowEnd, rowFacts, rowTitle, statusWord } from './trace-words.ts';

interface TraceTableProps {
	readonly timeline: Timeline;
	onRecorded(opId: OpId): void;
}

export function TraceTable({ timeline, onRecorded }: TraceTableProps) {
	const { t } = useText();
	const [openKey, setOpenKey] = useState<string | null>(null);
	return (
		<ExpandableTable
			class="ledger-table trace-table"
			label={t('Timeline')}
			heads={[t('Step'), t('When'), t('Took'), t('Result')]}
			rows={timeline.rows}
			openKey={openKey}
			keyOf={({ key }) => key}
			drawRow={(row, expansion) => <TraceTableRow row={row} spanMs={timeline.spanMs} expansion={expansion} />}
			drawDetail={(row) => <TraceRowDetail row={row} onRecorded={onRecorded} />}
			onOpen={setOpenKey}
		/>
	);
}

interface TraceTableRowProps {
	readonly row: TimelineRow;
	readonly spanMs: number;
	readonly expansion: RowExpansion;
}

function TraceTableRow({ row, spanMs, expansion }: TraceTableRowProps) {
	const { t } = useText();
	const { end, code } = rowEnd(row);
	const status = row.kind === 'stage' ? row.stage.outcome : row.item.status;
	return (
		<tr role="row" class={`trace-${row.kind}${expansion.isOpen ? ' open' : ''}`}>
			<ExpandingCell {...expansion} title={rowTitle(row, t)} />
			<td role="cell" class="trace-when">
				<span class="sr-only">{t('after {time}', { time: formatDuration(row.startMs, t) })}</span>
				<Bar row={row} spanMs={spanMs} end={end} />
			</td>
			<td role="cell" class="ledger-time">
				{row.durationMs === undefined ? '' : formatDuration(row.durationMs, t)}
				{row.waitedMs > 0 && (
					<span class="trace-waited">{t('waited for you: {time}', { time: formatDuration(row.waitedMs, t) })}</span>
				)}
			</td>
			<td role="cell" class={`trace-result ${end}`}>
				{status !== undefined && (
					<>
						<Icon name={traceEndIcons[end]} /> {statusWord(status, t)}
						{code !== undefined && status !== 'denied' && <code>{code}</code>}
					</>
				)}
			</td>
		</tr>
	);
}

const BAR_WIDTH = 1_000;

function Bar({ row, spanMs, end }: { readonly row: TimelineRow; readonly spanMs: number; readonly end: RowEnd }) {
	const { startMs, waitedMs, durationMs } = row;
	const { x, width } = computeBar({ startMs: startMs + waitedMs, durationMs }, spanMs, BAR_WIDTH);
	const wait = computeBar({ startMs, durationMs: waitedMs }, spanMs, BAR_WIDTH);
	return (
		<svg
			class={`trace-bar ${end}`}
			viewBox={`0 0 ${BAR_WIDTH} 10`}
			preserveAspectRatio="none"
			aria-hidden="true"
			focusable="false"
		>
			<rect class="trace-track" x="0" y="4" width={BAR_WIDTH} height="2" />
			{waitedMs > 0 && <rect class="trace-wait" x={wait.x} y="3" width={wait.width} height="4" />}
			<rect
				class="trace-span"
				x={x}
				y={row.kind === 'stage' ? 1 : 2}
				width={width}
				height={row.kind === 'stage' ? 8 : 6}
			/>
		</svg>
	);
}

const traceEndIcons: { readonly [E in RowEnd]: string } = {
	good: 'check',
	bad: 'error',
	open: 'loading',
	none: 'note',
};

function TraceRowDetail({
	row,
	onRecorded,
}: {
	readonly row: TimelineRow;
	readonly onRecorded: TraceTableProps['onRecorded'];
}) {
	const { t } = useText();
	const opId = row.kind === 'item' ? row.item.opId : undefined;
	const failovers =
		TracedFailovers.safeParse(row.kind === 'stage' ? row.stage.facts['failovers'] : undefined).data ?? [];
	return (
		<div class="ledger-entry">
			<FactList facts={rowFacts(row, t)} />
			{failovers.map((steps, index) => (
				<section key={index} aria-label={t('Attempts of request {n}', { n: index + 1 })}>
					<h2>{t('A request that took {n} steps', { n: steps.length })}</h2>
					<ol class="trace-attempts">
						{drawnFailover(steps).map((step, at) => (
							<li key={at}>
								<bdi>{escapeInvisible(step.replaceAll(/ {2,}/g, ' · '), 'line')}</bdi>
							</li>
						))}
					</ol>
				</section>
			))}
			{opId !== undefined && (
				<button type="button" class="button secondary ledger-older" onClick={() => onRecorded(opId)}>
					{t('Show in Ledger')}
				</button>
			)}
		</div>
	);
}
