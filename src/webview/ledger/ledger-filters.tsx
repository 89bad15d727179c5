/** Which rows are shown. A change counts at once; what is typed, when the typing pauses. */
import type { RefObject } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ActEnd } from '../../protocol/approvals/ledger.ts';
import { type LedgerPageFilter, type LedgerPageRow, NO_LEDGER_FILTER } from '../../protocol/pages/ledger-page.ts';
import { Icon } from '../parts/icon.tsx';
import { useText } from '../parts/text-actions.ts';

const TYPING_PAUSE_MS = 250;

export interface ThreadChoice {
	readonly id: string;
	readonly title: string;
}

interface LedgerFiltersProps {
	readonly search: RefObject<HTMLInputElement | null>;
	readonly filter: LedgerPageFilter;
	/** Why the typed line cannot be read. */
	readonly problem: string | null;
	readonly threads: readonly ThreadChoice[];
	/** Rows that are shown; they name the capabilities to choose from. */
	readonly rows: readonly LedgerPageRow[];
	/** `change` gets the latest filter: a click may come before what an earlier one did is drawn. */
	onChange(change: (before: LedgerPageFilter) => LedgerPageFilter): void;
}

export function LedgerFilters({ search, filter, problem, threads, rows, onChange }: LedgerFiltersProps) {
	const { t } = useText();
	const [line, setLine] = useState(filter.line);
	const typing = useRef<ReturnType<typeof setTimeout>>(undefined);
	const hint = useId();
	// At once, or it would take back what is typed next.
	useLayoutEffect(() => setLine(filter.line), [filter.line]);
	useEffect(() => () => clearTimeout(typing.current), []);
	/** Also takes what is typed, which a busy page may not have drawn yet. */
	const changeFilter = (part: Partial<LedgerPageFilter>) => {
		clearTimeout(typing.current);
		const typed = search.current?.value ?? '';
		onChange((before) => ({ ...before, line: typed, ...part }));
	};
	const typeLine = (typed: string) => {
		setLine(typed);
		clearTimeout(typing.current);
		typing.current = setTimeout(() => changeFilter({}), TYPING_PAUSE_MS);
	};
	const clearFilters = () => {
		setLine('');
		changeFilter(NO_LEDGER_FILTER);
	};
	const isFiltered = JSON.stringify(filter) !== JSON.stringify(NO_LEDGER_FILTER);
	return (
		<search class="ledger-filters">
			<div class="search-row">
				<Icon name="search" />
				<input
					ref={search}
					type="search"
					maxLength={500}
					aria-label={t('Search the ledger')}
					placeholder={t('Search the ledger')}
					aria-invalid={problem !== null}
					aria-describedby={hint}
					value={line}
					onInput={(event) => typeLine(event.currentTarget.value)}
				/>
			</div>
			<p id={hint} class={problem === null ? 'ledger-hint' : 'ledger-hint problem'} aria-live="polite">
				{problem ?? t('Words, or op: kind: thread: id: by: since: until: as in op:shell.run since:2026-11-20 git push')}
			</p>
			<FilterChoice
				label={t('Thread')}
				value={filter.threadId}
				options={withChosen(threads, filter.threadId).map(({ id, title }) => [id, title])}
				any={t('All threads')}
				onChange={(threadId) => changeFilter({ threadId })}
			/>
			<FilterChoice
				label={t('Done by')}
				value={filter.doer}
				options={[
					['agent', t('The agent')],
					['user', t('You')],
					['host', t('Prowess')],
					...listDoerCapabilities(rows, filter.doer).map((name) => [name, name] as const),
				]}
				any={t('Everybody')}
				onChange={(doer) => changeFilter({ doer })}
			/>
			<FilterChoice
				label={t('Result')}
				value={filter.end}
				options={[
					['failed', t('Failed')],
					['denied', t('Denied')],
					['open', t('No result recorded')],
				]}
				any={t('All results')}
				onChange={(end) => changeFilter({ end: ActEnd.safeParse(end).data ?? null })}
			/>
			<label class="ledger-toggle">
				<input
					type="checkbox"
					checked={filter.withHousekeeping}
					onChange={(event) => changeFilter({ withHousekeeping: event.currentTarget.checked })}
				/>
				{t('Show housekeeping')}
			</label>
			{isFiltered && (
				<button type="button" class="link-button" onClick={clearFilters}>
					{t('Clear filters')}
				</button>
			)}
		</search>
	);
}

interface ChoiceProps {
	readonly label: string;
	readonly value: string | null;
	readonly options: readonly (readonly [value: string, text: string])[];
	/** Text of the choice that filters nothing. */
	readonly any: string;
	onChange(value: string | null): void;
}

function FilterChoice({ label, value, options, any, onChange }: ChoiceProps) {
	return (
		<label class="ledger-choice">
			<span>{label}</span>
			<select value={value ?? ''} onChange={(event) => onChange(event.currentTarget.value || null)}>
				<option value="">{any}</option>
				{options.map(([id, text]) => (
					<option key={id} value={id}>
						{text}
					</option>
				))}
			</select>
		</label>
	);
}

/** A thread that is gone can be looked for all the same. */
function withChosen(threads: readonly ThreadChoice[], chosen: string | null): readonly ThreadChoice[] {
	return chosen === null || threads.some(({ id }) => id === chosen)
		? threads
		: [{ id: chosen, title: chosen }, ...threads];
}

function listDoerCapabilities(rows: readonly LedgerPageRow[], chosen: string | null): string[] {
	const named = new Set(rows.map(({ doer }) => doer).filter((doer) => doer.includes('/')));
	return [...(chosen?.includes('/') === true ? named.add(chosen) : named)].toSorted();
}
