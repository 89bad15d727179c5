/**
 * Text with marked footnotes: their numbers are raised, and each note is a line of its own. The number and the note are
 * not linked, because a text that grows may not have both yet.
 */
import { Fragment } from 'preact';
import { useMemo } from 'preact/hooks';
import { memo } from '../../parts/memo.ts';
import { TextWithFiles } from './file-links.tsx';
import { notesIn } from './footnotes.ts';

export const TextWithNotes = memo(({ text }: { text: string }) => {
	const pieces = useMemo(() => notesIn(text), [text]);
	return (
		<>
			{pieces.map((piece, key) =>
				typeof piece === 'string' ? (
					<TextWithFiles key={key} text={piece} />
				) : (
					<Fragment key={key}>
						{piece.isNote && key > 0 && <br />}
						<sup class="footnote">{piece.number}</sup>
					</Fragment>
				),
			)}
		</>
	);
});
