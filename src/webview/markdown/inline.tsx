/** Inline Markdown as elements. Only the token types named here make an element; HTML and anything unknown is shown as text. */
import type { Token, Tokens } from 'marked';
import { type ComponentChild, Fragment } from 'preact';
import { useMemo } from 'preact/hooks';
import { memo } from '../parts/memo.ts';
import { decodeEntities } from './entities.ts';
import { CodeWithFile, TextWithFiles } from './text/file-links.tsx';
import { Formula } from '../math/formula.tsx';
import type { MathToken } from '../math/math-syntax.ts';
import { MarkdownLink } from './link.tsx';
import { notesIn } from './text/footnotes.ts';

/** Emphasis in emphasis and so on; deeper is shown as it was written. */
const MAX_INLINE_DEPTH = 32;

interface InlineProps {
	readonly tokens: readonly Token[] | undefined;
	/** Number of inline elements around. */
	readonly depth?: number;
}

export function Inline({ tokens, depth = 0 }: InlineProps) {
	return <>{(tokens ?? []).map((token, key) => drawInline(token, key, depth))}</>;
}

function drawInline(token: Token, key: number, depth: number): ComponentChild {
	if (depth >= MAX_INLINE_DEPTH) {
		return token.raw;
	}
	switch (token.type) {
		case 'text':
			return 'tokens' in token && token.tokens !== undefined ? (
				<Inline key={key} tokens={token.tokens} depth={depth + 1} />
			) : (
				<TextWithNotes key={key} text={decodeEntities((token as Tokens.Text).text)} />
			);
		case 'escape':
			return (token as Tokens.Escape).text;
		case 'strong':
			return (
				<strong key={key}>
					<Inline tokens={token.tokens} depth={depth + 1} />
				</strong>
			);
		case 'em':
			return (
				<em key={key}>
					<Inline tokens={token.tokens} depth={depth + 1} />
				</em>
			);
		case 'del':
			return (
				<del key={key}>
					<Inline tokens={token.tokens} depth={depth + 1} />
				</del>
			);
		case 'codespan':
			return <CodeWithFile key={key} code={(token as Tokens.Codespan).text} />;
		case 'br':
			return <br key={key} />;
		case 'link':
			return (
				<MarkdownLink key={key} href={(token as Tokens.Link).href}>
					<Inline tokens={token.tokens} depth={depth + 1} />
				</MarkdownLink>
			);
		case 'image':
			// Never requested: an address can carry what the model has read.
			return (
				<MarkdownLink key={key} href={(token as Tokens.Image).href}>
					<span class="codicon codicon-file-media" aria-hidden="true" />{' '}
					{decodeEntities((token as Tokens.Image).text) || 'image'}
				</MarkdownLink>
			);
		case 'math':
			return <Formula key={key} tex={(token as MathToken).text} isDisplay={(token as MathToken).isDisplay} />;
		case 'checkbox':
			return null;
		default:
			return token.raw;
	}
}

/**
 * Text with marked footnotes: their numbers are raised, and each note is a line of its own. The number and the note are
 * not linked, because a text that grows may not have both yet.
 */
const TextWithNotes = memo(({ text }: { text: string }) => {
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
