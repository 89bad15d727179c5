/** Things in groups, each with what it is, how it stands and what can be done with it; found by words where there are many. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PageAction, PageBlock, PageRow } from '../../protocol/pages/capability-page.ts';
import { Icon, IconButton } from '../parts/icon.tsx';
import { memo } from '../parts/memo.ts';
import { useText } from '../parts/text-actions.ts';
import { actionIcons } from './action-icons.ts';

interface RowsProps {
	readonly block: PageBlock & { readonly kind: 'rows' };
	act(action: PageAction, on: string): void;
}

/** Fewer are found by the eye. */
const LEAST_SEARCHED = 8;

export function RowsBlock({ block: { groups, none, search }, act }: RowsProps) {
	const { t } = useText();
	const [query, setQuery] = useState('');
	const root = useRef<HTMLDivElement>(null);
	const acted = useRef<{ readonly id: string; readonly index: number } | null>(null);
	const wanted = query.trim().toLowerCase();
	const found = groups
		.map(({ title, rows }) => ({ title, rows: rows.filter((row) => toRowText(title, row).includes(wanted)) }))
		.filter(({ rows }) => rows.length > 0);
	const count = groups.reduce((total, { rows }) => total + rows.length, 0);

	// The button that had the keyboard goes with its row: the row in its place gets it.
	useLayoutEffect(() => {
		const gone = acted.current;
		if (gone !== null && !groups.some(({ rows }) => rows.some(({ id }) => id === gone.id))) {
			acted.current = null;
			const rows = root.current?.querySelectorAll('.page-row') ?? [];
			const next = rows[Math.min(gone.index, rows.length - 1)]?.querySelector<HTMLElement>('button');
			(next ?? root.current)?.focus();
		}
	}, [groups]);

	// Is the same function at each drawing, and sees what was drawn last: rows that did not change are not drawn again.
	const drawn = useRef({ found, act });
	drawn.current = { found, act };
	const actOnRow = useRef((id: string, action: PageAction, on: string) => {
		const shown = drawn.current.found.flatMap(({ rows }) => rows);
		acted.current = { id, index: shown.findIndex((row) => row.id === id) };
		drawn.current.act(action, on);
	});
	return (
		<div class="page-rows" ref={root} tabIndex={-1}>
			{count === 0 && <p class="page-note">{none}</p>}
			{search !== undefined && count >= LEAST_SEARCHED && (
				<div class="search-row">
					<Icon name="search" />
					<input
						type="search"
						placeholder={search}
						aria-label={search}
						value={query}
						onInput={(event) => setQuery(event.currentTarget.value)}
					/>
				</div>
			)}
			{wanted !== '' && (
				<p class="page-note" role="status">
					{found.length === 0
						? t('Nothing matches')
						: t('{n} of {count}', { n: found.reduce((total, { rows }) => total + rows.length, 0), count })}
				</p>
			)}
			{found.map(({ title, rows }) => (
				<section class="page-section" key={title}>
					{title !== '' && (
						<h2>
							{title} <span class="row-count">{rows.length}</span>
						</h2>
					)}
					<ul>
						{rows.map((row) => (
							<PageRowLine key={row.id} row={row} act={actOnRow.current} />
						))}
					</ul>
				</section>
			))}
		</div>
	);
}

interface PageRowProps {
	readonly row: PageRow;
	act(id: string, action: PageAction, on: string): void;
}

/** A page is told whole, and most of a thousand rows say what they said before. */
const PageRowLine = memo<PageRowProps>(
	({ row: { id, icon, what, state, isBad, notes, actions }, act }) => (
		<li class={isBad ? 'page-row bad' : 'page-row'}>
			<Icon name={icon} />
			<div class="page-row-about">
				<p class="page-row-what">
					<bdi>{what}</bdi>
				</p>
				{state !== '' && <p class="page-row-state">{state}</p>}
				<p class="page-note">
					{notes.map((note, index) => (
						<span key={index}>
							{index > 0 && ' · '}
							<bdi>{note}</bdi>
						</span>
					))}
				</p>
			</div>
			<div class="button-row" role="group" aria-label={what}>
				{actions.map(({ action, label, on }, index) =>
					// The usual action has words, the others an icon.
					index === 0 ? (
						<button key={action} type="button" class="button secondary page-action" onClick={() => act(id, action, on)}>
							<Icon name={actionIcons[action]} /> {label}
						</button>
					) : (
						<IconButton key={action} icon={actionIcons[action]} title={label} onClick={() => act(id, action, on)} />
					),
				)}
			</div>
		</li>
	),
	(one, other) => one.act === other.act && JSON.stringify(one.row) === JSON.stringify(other.row),
);

function toRowText(title: string, { what, state, notes }: PageRow): string {
	return [title, what, state, ...notes].join('\n').toLowerCase();
}
