/** A code block: copy and insert, chunks that are drawn once, colours when the code is finished and the page is idle. */
import type { ComponentChild } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { IconButton } from '../parts/icon.tsx';
import { memo } from '../parts/memo.ts';
import type { Fence } from './fence.ts';
import { type HighlightNode, highlightPiece, splitCodePieces } from './highlight.ts';
import { useText } from '../parts/text-actions.ts';

/** Languages of blocks that are typed into a terminal. */
const COMMAND_LANGUAGES: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'fish', 'shell', 'console', 'powershell']);

export function CodeBlock({ fence, isOpen }: { fence: Fence; isOpen: boolean }) {
	const { t, copy, insertAtCursor, run, apply } = useText();
	const isCommand = COMMAND_LANGUAGES.has(fence.language.toLowerCase());
	const use = isCommand ? run : apply;
	const colours = useColours(fence, isOpen);
	const joinFenceText = () => fence.chunks.join('') + fence.rest;
	const name = fence.language === '' ? t('Code') : fence.language;
	return (
		<figure class="code-block">
			<figcaption>
				<span class="code-language">{name}</span>
				<span class="code-actions">
					<IconButton icon="copy" title={t('Copy')} label={t('Copy code')} onClick={() => copy(joinFenceText())} />
					{use !== undefined && !isOpen && fence.language !== '' && (
						<IconButton
							icon={isCommand ? 'play' : 'check-all'}
							title={
								isCommand
									? t('Have the agent run this. You are asked first.')
									: t('Apply this to the file, as a change to review')
							}
							label={isCommand ? t('Run code') : t('Apply code')}
							onClick={() => use(joinFenceText(), fence.language)}
						/>
					)}
					{insertAtCursor !== undefined && (
						<IconButton
							icon="insert"
							title={t('Insert at cursor')}
							label={t('Insert code at cursor')}
							onClick={() => insertAtCursor(joinFenceText())}
						/>
					)}
				</span>
			</figcaption>
			<pre tabIndex={0} aria-label={t('{language} code', { language: name })}>
				<code>
					{colours === undefined
						? [...fence.chunks, fence.rest].map((chunk, index) => <CodeBlockChunk key={index} text={chunk} />)
						: colours.map(({ text, nodes }, index) => <CodeBlockChunk key={index} text={text} nodes={nodes} />)}
				</code>
			</pre>
		</figure>
	);
}

interface CodePiece {
	readonly text: string;
	/** Undefined until it is coloured, or when it cannot be. */
	readonly nodes?: readonly HighlightNode[] | undefined;
}

const CodeBlockChunk = memo(({ text, nodes }: CodePiece) => (
	<div class="code-chunk">{nodes === undefined ? text : nodes.map(drawColoured)}</div>
));

/** Undefined until the code is finished; then its pieces, of which one more is coloured whenever the page is idle. */
function useColours(fence: Fence, isOpen: boolean): readonly CodePiece[] | undefined {
	const [coloured, setColoured] = useState<{ fence: Fence; pieces: readonly CodePiece[] } | undefined>(undefined);
	useEffect(() => {
		if (isOpen || fence.language === '') {
			return undefined;
		}
		const texts = splitCodePieces(fence.chunks.join('') + fence.rest, fence.language);
		let pieces: readonly CodePiece[] = texts.map((text) => ({ text }));
		let idle = 0;
		const colorPiece = (index: number) => {
			const text = texts[index];
			if (text !== undefined) {
				pieces = pieces.with(index, { text, nodes: highlightPiece(text, fence.language) });
				setColoured({ fence, pieces });
				idle = requestIdleCallback(() => colorPiece(index + 1));
			}
		};
		idle = requestIdleCallback(() => colorPiece(0));
		return () => cancelIdleCallback(idle);
	}, [fence, isOpen]);
	return coloured?.fence === fence ? coloured.pieces : undefined;
}

function drawColoured(node: HighlightNode, key: number): ComponentChild {
	return node.type === 'text' ? (
		node.value
	) : (
		<span key={key} class={node.className}>
			{node.children.map(drawColoured)}
		</span>
	);
}
