/** List of texts or numbers as rows, each with its own problem. Enter adds a row, Backspace in an empty one removes it. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { parseJsonOrUndefined } from '../../base/text/lenient.ts';
import { isComposingKey } from '../parts/composing-key.ts';
import { Icon, IconButton } from '../parts/icon.tsx';
import { useText } from '../parts/text-actions.ts';

/** Longer lists are typed as lines: nobody goes through so many rows. */
export const MAX_LIST_ROWS = 100;

interface ListFieldProps {
	readonly name: string;
	/** Entries as the field sends them: one a line, or JSON where an entry is no line. */
	readonly value: string;
	readonly isNumbers: boolean;
	readonly labelledBy: string;
	readonly describedBy: string | undefined;
	readonly isInvalid: boolean;
	readonly isRequired: boolean;
	type(value: string): void;
}

export function ListField(props: ListFieldProps) {
	const { name, value, isNumbers, labelledBy, describedBy, isInvalid, isRequired, type } = props;
	const { t } = useText();
	const [entries, setEntries] = useState(() => readListEntries(value));
	const root = useRef<HTMLUListElement>(null);
	/** Row that the keyboard goes to once it is drawn. */
	const next = useRef<number | undefined>(undefined);
	useLayoutEffect(() => {
		if (writeEntries(entries, isNumbers) !== value) setEntries(readListEntries(value));
	}, [value]);
	// With the row, or the next letters would go into the one before.
	useLayoutEffect(() => {
		if (next.current !== undefined) root.current?.querySelectorAll('input')[next.current]?.focus();
		next.current = undefined;
	}, [entries]);
	const changeEntries = (changed: readonly string[], focus?: number) => {
		next.current = focus;
		setEntries(changed.length === 0 ? [''] : [...changed]);
		type(writeEntries(changed, isNumbers));
	};
	const removeEntry = (at: number) => changeEntries(entries.toSpliced(at, 1), Math.max(0, at - 1));
	return (
		<div role="group" aria-labelledby={labelledBy} aria-describedby={describedBy}>
			<ul class="form-rows" ref={root}>
				{entries.map((entry, at) => {
					const isWrong = isNumbers && entry.trim() !== '' && !isNumberText(entry);
					const wrongId = `${labelledBy}-${at}`;
					return (
						<li key={at}>
							<div class="form-row">
								<input
									class="form-control form-lines"
									name={name}
									value={entry}
									inputMode={isNumbers ? 'decimal' : undefined}
									spellcheck={false}
									aria-label={t('Entry {n}', { n: at + 1 })}
									aria-required={isRequired}
									aria-invalid={isWrong || (isInvalid && (!isNumbers || entry.trim() === '')) ? true : undefined}
									aria-describedby={isWrong ? wrongId : describedBy}
									onInput={(event) => changeEntries(entries.with(at, event.currentTarget.value))}
									onPaste={(event) => {
										const lines = (event.clipboardData?.getData('text/plain') ?? '').split(/\r?\n/);
										const given = lines.filter((line) => line.trim() !== '');
										if (lines.length > 1) {
											event.preventDefault();
											changeEntries(entries.toSpliced(at, entry === '' ? 1 : 0, ...given), at);
										}
									}}
									onKeyDown={(event) => {
										const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !isComposingKey(event);
										if (event.key === 'Enter' && isPlain) {
											event.preventDefault();
											changeEntries(entries.toSpliced(at + 1, 0, ''), at + 1);
										} else if (event.key === 'Backspace' && isPlain && entry === '' && entries.length > 1) {
											event.preventDefault();
											removeEntry(at);
										}
									}}
								/>
								{(entries.length > 1 || entry !== '') && (
									<IconButton
										icon="close"
										title={t('Remove')}
										label={t('Remove entry {n}', { n: at + 1 })}
										onClick={() => removeEntry(at)}
									/>
								)}
							</div>
							{isWrong && (
								<p id={wrongId} class="form-problem">
									{t('Enter a number, for example 12 or 0.5.')}
								</p>
							)}
						</li>
					);
				})}
			</ul>
			<button type="button" class="link-button" onClick={() => changeEntries([...entries, ''], entries.length)}>
				<Icon name="add" /> {t('Add an entry')}
			</button>
		</div>
	);
}

/** Reads the value of the field; the last row may be empty. */
export function readListEntries(value: string): string[] {
	const written = value.trimStart().startsWith('[') ? parseJsonOrUndefined(value) : undefined;
	return Array.isArray(written) ? (written.length === 0 ? [''] : written.map(String)) : value.split('\n');
}

function writeEntries(entries: readonly string[], isNumbers: boolean): string {
	const isLine = (entry: string) => entry.trim() === entry && !entry.startsWith('[');
	return isNumbers || entries.every(isLine)
		? entries.join('\n')
		: JSON.stringify(entries.filter((entry) => entry !== ''));
}

function isNumberText(text: string): boolean {
	return /^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text.trim()) && Number.isFinite(Number(text));
}
