/** A plain text of any length: what is not in sight of a long one is not laid out, so that the page answers at once. */
import { useMemo } from 'preact/hooks';
import { memo } from '../../parts/memo.ts';
import { Pieces } from './file-links.tsx';
import { type FileMention, mentionsIn, MAX_MENTIONS } from './file-mentions.ts';
import { useText } from '../../parts/text-actions.ts';
import { textPieces } from './text-pieces.ts';

export const LongText = memo(({ text }: { text: string }) => {
	const pieces = textPieces(text);
	return pieces.length === 1 ? (
		<>{text}</>
	) : (
		<>
			{pieces.map((piece, index) => (
				<TextPiece key={index} of={piece} />
			))}
		</>
	);
});

/** Files that the text names are links, where the page can open files of the workspace. */
export const LongTextWithFiles = memo(({ text }: { text: string }) => {
	const { opensWorkspaceFiles } = useText();
	const pieces = useMemo(
		() => (opensWorkspaceFiles === true ? withMentions(textPieces(text)) : textPieces(text).map((piece) => [piece])),
		[text, opensWorkspaceFiles],
	);
	return pieces.length === 1 ? (
		<Pieces of={pieces[0] ?? []} />
	) : (
		<>
			{pieces.map((piece, index) => (
				<span key={index} class="text-piece">
					<Pieces of={piece} />
				</span>
			))}
		</>
	);
});

const TextPiece = memo(({ of }: { of: string }) => <span class="text-piece">{of}</span>);

/**
 * Finds the links to files in the pieces of a text: as many as the whole text may have, however many pieces there are.
 */
function withMentions(pieces: readonly string[]): (readonly (string | FileMention)[])[] {
	let left = MAX_MENTIONS;
	return pieces.map((piece) => {
		const found = left > 0 ? mentionsIn(piece, left) : [piece];
		left -= found.filter((each) => typeof each !== 'string').length;
		return found;
	});
}
