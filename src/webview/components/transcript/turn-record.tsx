/** At the end of a turn, how many of its effects are recorded, and the way to its trace. A click verifies the ledger and says the result. */
import { useState } from 'preact/hooks';
import type { RecordedOps } from '../../../protocol/pages/chat-view.ts';
import { OpId, type TurnId } from '../../../protocol/rpc/ids.ts';
import { testCountsText } from '../../../protocol/pages/test-counts-text.ts';
import { translateText } from '../../../protocol/text/text.ts';
import type { ThreadItem, ToolItem } from '../../../protocol/thread/items.ts';
import { memo } from '../../parts/memo.ts';
import { costText } from '../../../protocol/pages/usage-text.ts';
import { formatDuration, pageLanguage } from '../../parts/times.ts';
import type { Translate } from '../../parts/translate.ts';
import type { TurnUse } from '../../actions/editor-actions.ts';
import { useView } from '../../actions/view-context.ts';
import { Icon } from '../../parts/icon.tsx';

/** Ids of the ops of a turn that the host has ended, one after the other: a text, so that the mark is drawn again only for others. */
export function recordedOps(items: readonly ThreadItem[], turnId: TurnId): string {
	return items
		.flatMap((item) =>
			item.kind === 'tool' && item.turnId === turnId && item.durationMs !== undefined ? item.opId : [],
		)
		.join(' ');
}

type RecordCheck = { readonly opIds: string; readonly found: RecordedOps | 'checking' };

/** Counts of the last test run of a turn, which its receipt has; undefined: none was seen. */
export function lastTestRun(items: readonly ThreadItem[], turnId: TurnId): ToolItem['tests'] {
	return items.findLast(
		(item): item is ToolItem => item.kind === 'tool' && item.turnId === turnId && item.tests !== undefined,
	)?.tests;
}

interface TurnRecordProps {
	readonly turnId: TurnId;
	/** Ids of the recorded ops, as `recordedOps` joins them. */
	readonly opIds: string;
	readonly tests: ToolItem['tests'];
}

export const TurnRecord = memo(({ turnId, opIds, tests }: TurnRecordProps) => {
	const { t, editor } = useView();
	const [check, setCheck] = useState<RecordCheck | undefined>(undefined);
	const [use, setUse] = useState<string | undefined>(undefined);
	const ids = opIds === '' ? [] : opIds.split(' ').map((id) => OpId.parse(id));
	const found = check?.opIds === opIds ? check.found : undefined;
	const verifyRecord = async () => {
		setCheck({ opIds, found: 'checking' });
		const verified = await editor.verifyRecorded(ids);
		setCheck(verified === undefined ? undefined : { opIds, found: verified });
	};
	/** Asked for once the row is looked at: most never are. */
	const readUse = async () => {
		if (use === undefined) {
			setUse('');
			const known = await editor.turnUse(turnId);
			setUse(known === undefined ? undefined : turnUseText(known, t));
		}
	};
	const isBroken = found !== undefined && found !== 'checking' && !isFullyRecorded(found, ids.length);
	return (
		<div
			class={`turn-record${isBroken ? ' broken' : ''}`}
			onMouseEnter={() => void readUse()}
			onFocusIn={() => void readUse()}
		>
			{ids.length > 0 && (
				<button
					type="button"
					class="link-button of-editor"
					title={t('Verify what was recorded')}
					onClick={() => void verifyRecord()}
				>
					<Icon name="verified" /> {t('{n} recorded', { n: ids.length })}
				</button>
			)}
			<button
				type="button"
				class="link-button of-editor"
				title={t('Show how this turn went')}
				onClick={() => void editor.showTrace(turnId)}
			>
				<Icon name="pulse" /> {t('Trace')}
			</button>
			{tests !== undefined && (
				<span class="test-counts">
					{t('Last test run: {counts}', { counts: translateText(testCountsText(tests), t) })}
				</span>
			)}
			{use !== undefined && <span class="turn-time">{use}</span>}
			<span role="status">
				{found === 'checking' ? t('Verifying…') : found === undefined ? '' : resultText(found, ids.length, t)}
			</span>
			{isBroken && (
				<button type="button" class="link-button" onClick={() => void editor.command('showLedger')}>
					{t('Show ledger')}
				</button>
			)}
		</div>
	);
});

function turnUseText({ tookMs, tokens, cost }: TurnUse, t: Translate): string {
	return [
		...(tookMs === null ? [] : [formatDuration(tookMs, t)]),
		...(tokens === 0 ? [] : [t('{n} tokens', { n: tokens.toLocaleString(pageLanguage()) })]),
		...(cost === null ? [] : [translateText(costText(cost), t)]),
	].join(' · ');
}

function isFullyRecorded({ recorded, isIntact }: RecordedOps, ops: number): boolean {
	return isIntact && recorded === ops;
}

function resultText({ recorded, isIntact }: RecordedOps, ops: number, t: Translate): string {
	if (!isIntact) {
		return t('The ledger is damaged.');
	}
	return recorded === ops
		? t('Recorded: {n}, chain intact.', { n: recorded })
		: t('Recorded: {recorded} of {n}. The others are missing from the ledger.', { recorded, n: ops });
}
