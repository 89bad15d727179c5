/** A code block: copy and insert, chunks that are drawn once, colours when the code is finished and the page is idle. */
import type { ComponentChild } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import { memo } from '../memo.ts';
import type { Fence } from './fence.ts';
import { type HighlightNode, highlight } from './highlight.ts';
import { useText } from './text-actions.ts';

export function CodeBlock({ fence, isOpen }: { fence: Fence; isOpen: boolean }) {
	const { t, copy, insertAtCursor } = useText();
	const colours = useColours(fence, isOpen);
	const textOf = () => fence.chunks.join('') + fence.rest;
	const name = fence.language === '' ? t('Code') : fence.language;
	return (
		<figure class="code-block">
			<figcaption>
				<span class="code-language">{name}</span>
				<span class="code-actions">
					<button
						type="button"
						class="icon-button"
						title={t('Copy')}
						aria-label={t('Copy code')}
						onClick={() => copy(textOf())}
					>
						<Icon name="copy" />
					</button>
					{insertAtCursor !== undefined && (
						<button
							type="button"
							class="icon-button"
							title={t('Insert at cursor')}
							aria-label={t('Insert code at cursor')}
							onClick={() => insertAtCursor(textOf())}
						>
							<Icon name="insert" />
						</button>
					)}
				</span>
			</figcaption>
			<pre tabIndex={0} aria-label={t('{language} code', { language: name })}>
				<code>
					{colours === undefined ? (
						<>
							{fence.chunks.map((chunk, index) => (
								<Chunk key={index} text={chunk} />
							))}
							<Chunk text={fence.rest} />
						</>
					) : (
						colours.map(drawColoured)
					)}
				</code>
			</pre>
		</figure>
	);
}

const Chunk = memo(({ text }: { text: string }) => <div class="code-chunk">{text}</div>);

/** Undefined until the code is finished and was coloured. */
function useColours(fence: Fence, isOpen: boolean): readonly HighlightNode[] | undefined {
	const [coloured, setColoured] = useState<{ fence: Fence; nodes: readonly HighlightNode[] } | undefined>(undefined);
	useEffect(() => {
		if (isOpen || fence.language === '') {
			return undefined;
		}
		const idle = requestIdleCallback(() => {
			const nodes = highlight(fence.chunks.join('') + fence.rest, fence.language);
			if (nodes !== undefined) {
				setColoured({ fence, nodes });
			}
		});
		return () => cancelIdleCallback(idle);
	}, [fence, isOpen]);
	return coloured?.fence === fence ? coloured.nodes : undefined;
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
