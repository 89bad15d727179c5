/** A unified diff, line by line. The sign stays in the text: colour is never the only way to tell. */
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { memo } from '../../parts/memo.ts';

const DIFF_LINES_PER_CHUNK = 100;

export const DiffLines = memo(({ patch, label }: { patch: string; label: string }) => {
	const chunks = useMemo(() => splitDiffChunks(patch), [patch]);
	const box = useRef<HTMLPreElement>(null);
	// Scrolls the first change into view, where there is no room for the lines before it too.
	useLayoutEffect(() => {
		const pre = box.current;
		const change = pre?.querySelector('.added, .removed') ?? null;
		if (pre !== null && change !== null) {
			// A list of several is read from its beginning.
			const around = pre.closest('.act-list') === null ? pre.closest('.dock-scroll') : null;
			for (const scroller of [pre, around].filter((each) => each !== null)) {
				const below = change.getBoundingClientRect().bottom - scroller.getBoundingClientRect().bottom;
				scroller.scrollTop += Math.max(0, below + scroller.clientHeight / 2);
			}
		}
	}, [patch]);
	return (
		<pre ref={box} class="diff" tabIndex={0} aria-label={label}>
			{chunks.map((lines, index) => (
				<div key={index} class="diff-chunk">
					{lines.map((line, row) => (
						<div key={row} class={`diff-line ${lineKind(line)}`}>
							{line === '' ? ' ' : line}
						</div>
					))}
				</div>
			))}
		</pre>
	);
});

function splitDiffChunks(patch: string): string[][] {
	const whole = patch.replace(/\n$/, '').split('\n');
	// The lines before the first hunk name the file; who draws a diff has named it already.
	const firstHunk = whole.findIndex((line) => line.startsWith('@@'));
	const lines = whole.slice(Math.max(0, firstHunk));
	const count = Math.ceil(lines.length / DIFF_LINES_PER_CHUNK);
	return Array.from({ length: count }, (_, index) =>
		lines.slice(index * DIFF_LINES_PER_CHUNK, (index + 1) * DIFF_LINES_PER_CHUNK),
	);
}

function lineKind(line: string): string {
	if (line.startsWith('@@')) {
		return 'hunk';
	}
	if (
		line.startsWith('+++') ||
		line.startsWith('---') ||
		line.startsWith('diff ') ||
		line.startsWith('Index: ') ||
		line.startsWith('===')
	) {
		return 'head';
	}
	return line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same';
}
