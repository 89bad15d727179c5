/** Text of the model, drawn while it grows. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { memo } from '../parts/memo.ts';
import { BlockToken, Finished } from './block.tsx';
import { type MarkdownBlock, type BlockGroup, BlockStream } from './block-stream.ts';
import { CodeBlock } from './code-block.tsx';

/**
 * Time, in ms, in which one task of the page may read and draw text, whatever asks for it. The rest waits for the next
 * task, so that a click is always answered in between.
 */
const TEXT_SLICE_MS = 8;
/** Drawing takes longer than reading, most of all where each line is an element of its own. */
const SLICE_LENGTH = 10_000;

let endMs = 0;
let lengthLeft = 0;

/** Takes `length` characters of the slice; false when the slice is used up after them. */
function takeSlice(length: number): boolean {
	if (endMs === 0) {
		endMs = performance.now() + TEXT_SLICE_MS;
		lengthLeft = SLICE_LENGTH;
		setTimeout(() => {
			endMs = 0;
		});
	}
	lengthLeft -= length;
	return lengthLeft > 0 && performance.now() < endMs;
}

export const Markdown = memo(({ text, isDone }: { text: string; isDone: boolean }) => {
	const stream = useMemo(() => new BlockStream(), []);
	const [, setRound] = useState(0);
	const { groups, tail, isWhole } = stream.read(text, isDone, takeSlice);
	useEffect(() => {
		const next = isWhole ? undefined : setTimeout(() => setRound((round) => round + 1));
		return () => clearTimeout(next);
	});
	const full = groups.slice(0, -1);
	// The last group shares its place with the tail, so that a block that freezes keeps its element.
	const frozen = groups.at(-1) ?? [];
	return (
		<div class="markdown">
			{full.map((group, index) => (
				<FrozenGroup key={`g${index}`} group={group} />
			))}
			{[...frozen, ...tail].map((block, index) => (
				<BlockView key={block.key} block={block} isFinished={isDone || index < frozen.length} />
			))}
		</div>
	);
});

const FrozenGroup = memo(({ group }: { group: BlockGroup }) => (
	<div class="markdown-group">
		{group.map((block) => (
			<BlockView key={block.key} block={block} isFinished={true} />
		))}
	</div>
));

const BlockView = memo(({ block, isFinished }: { block: MarkdownBlock; isFinished: boolean }) => (
	<Finished.Provider value={isFinished}>
		{block.kind === 'fence' ? (
			<CodeBlock fence={block.fence} isOpen={block.isOpen} />
		) : (
			<BlockToken token={block.token} />
		)}
	</Finished.Provider>
));
