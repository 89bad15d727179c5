/**
 * A result as its manifest's view draws it. Others wrote every text of it, so all of them are text and nothing else; Markdown
 * is drawn by our own elements.
 */
import { useMemo, useState } from 'preact/hooks';
import { escapeInvisible } from '../../base/text/escape-invisible.ts';
import { placeInText } from '../../protocol/text/drawn-text.ts';
import type { DrawnResult, ResultPlace } from '../../protocol/text/output-view.ts';
import { translateText } from '../../protocol/text/text.ts';
import { Icon } from '../parts/icon.tsx';
import { useText } from '../parts/text-actions.ts';
import { CodeBlock } from './code-block.tsx';
import { FileLink } from './link.tsx';
import { Markdown } from './markdown.tsx';

/** Rows that a card shows before anybody asks for more. */
const FIRST_ROWS = 8;
/** Characters of a text that are drawn before anybody asks for more. */
const FIRST_CHARS = 1_500;

interface DrawnResultViewProps {
	readonly drawn: DrawnResult;
	readonly label: string;
	/** The page of the run shows all that it was sent at once. */
	readonly isWhole?: boolean;
}

export function DrawnResultView({ drawn, label, isWhole = false }: DrawnResultViewProps) {
	const { t } = useText();
	const [isAll, setIsAll] = useState(isWhole);
	const count = 'rows' in drawn ? drawn.rows.length : 0;
	const texts = 'text' in drawn ? [drawn.text] : drawn.view === 'diff' ? drawn.rows.map(({ patch }) => patch) : [];
	const canGrow = !isAll && (count > FIRST_ROWS || texts.some(({ length }) => length > FIRST_CHARS));
	return (
		<div class="drawn" role="group" aria-label={label}>
			{'facts' in drawn && drawn.facts !== undefined && (
				<dl class="drawn-facts">
					{drawn.facts.map(({ name, text }, at) => (
						<div key={at}>
							<dt>{escapeInvisible(name, 'line')}</dt>
							<dd>
								<bdi>{escapeInvisible(text, 'line')}</bdi>
							</dd>
						</div>
					))}
				</dl>
			)}
			{'why' in drawn && drawn.why !== undefined && <p class="detail-note">{translateText(drawn.why, t)}</p>}
			<DrawnBody drawn={drawn} label={label} isAll={isAll} />
			{canGrow && (
				<button type="button" class="link-button" onClick={() => setIsAll(true)}>
					<Icon name="unfold" /> {count > FIRST_ROWS ? t('Show all {n} rows', { n: count }) : t('Show more')}
				</button>
			)}
			{!canGrow && 'rows' in drawn && drawn.total > count && (
				<p class="detail-note">{t('{n} of {total} rows are shown.', { n: count, total: drawn.total })}</p>
			)}
			{!canGrow && 'isCut' in drawn && drawn.isCut && <p class="detail-note">{t('Shortened.')}</p>}
		</div>
	);
}

function DrawnBody({ drawn, label, isAll }: { drawn: DrawnResult; label: string; isAll: boolean }) {
	const { t } = useText();
	const most = isAll ? Infinity : FIRST_ROWS;
	if ('rows' in drawn && drawn.rows.length === 0) return <p class="detail-note">{t('Nothing.')}</p>;
	switch (drawn.view) {
		case 'table':
			return (
				<div class="markdown table-scroll" tabIndex={0} role="group" aria-label={label}>
					<table>
						<thead>
							<tr>
								{drawn.columns.map((name, at) => (
									<th key={at} scope="col">
										{escapeInvisible(name, 'line')}
									</th>
								))}
							</tr>
						</thead>
						<tbody>
							{drawn.rows.slice(0, most).map((row, at) => (
								<tr key={at}>
									{row.map(({ text, place }, column) => (
										<td key={column}>
											{place === undefined ? <bdi>{escapeInvisible(text, 'lines')}</bdi> : <PlaceLink place={place} />}
										</td>
									))}
								</tr>
							))}
						</tbody>
					</table>
				</div>
			);
		case 'places':
			return (
				<ul class="drawn-rows">
					{drawn.rows.slice(0, most).map(({ place, text }, at) => (
						<li key={at}>
							{place !== undefined && <PlaceLink place={place} />} <bdi>{escapeInvisible(text, 'line')}</bdi>
						</li>
					))}
				</ul>
			);
		case 'checklist':
			return (
				<ul class="drawn-rows">
					{drawn.rows.slice(0, most).map(({ isDone, text, place }, at) => (
						<li key={at} class={isDone ? 'is-done' : ''}>
							<Icon name={isDone ? 'check' : 'circle-large-outline'} />
							<span class="sr-only">{isDone ? t('done') : t('not done')}: </span>
							<bdi>{escapeInvisible(text, 'line')}</bdi> {place !== undefined && <PlaceLink place={place} />}
						</li>
					))}
				</ul>
			);
		case 'diff':
			return (
				<>
					{drawn.rows.slice(0, most).map(({ place, patch, isCut }, at) => (
						<div key={at}>
							{place !== undefined && <PlaceLink place={place} />}
							<CodeText text={isAll ? patch : patch.slice(0, FIRST_CHARS)} language="diff" />
							{isAll && isCut && <p class="detail-note">{t('Shortened.')}</p>}
						</div>
					))}
				</>
			);
		case 'markdown':
			return (
				<Markdown
					text={escapeInvisible(isAll ? drawn.text : drawn.text.slice(0, FIRST_CHARS), 'lines')}
					isDone={true}
				/>
			);
		case 'text':
		case 'json':
			return (
				<CodeText
					text={isAll ? drawn.text : drawn.text.slice(0, FIRST_CHARS)}
					language={drawn.view === 'json' ? 'json' : ''}
				/>
			);
	}
}

/** Where the page opens files of the workspace; elsewhere the words. */
function PlaceLink({ place }: { readonly place: ResultPlace }) {
	const { opensWorkspaceFiles } = useText();
	const text = escapeInvisible(placeInText(place), 'line');
	return opensWorkspaceFiles === true && text === placeInText(place) ? (
		<FileLink mention={{ text, path: place.path, ...(place.line === undefined ? {} : { line: place.line }) }} />
	) : (
		<code>{text}</code>
	);
}

function CodeText({ text, language }: { readonly text: string; readonly language: string }) {
	const fence = useMemo(() => ({ language, chunks: [], rest: escapeInvisible(text, 'lines') }), [text, language]);
	return <CodeBlock fence={fence} isOpen={false} />;
}
