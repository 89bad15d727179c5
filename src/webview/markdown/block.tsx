/** Block Markdown as elements. HTML is shown as the text it is, and so is what is nested too deep. */
import type { Token, Tokens } from 'marked';
import { type ComponentChild, createContext } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import { memo } from '../parts/memo.ts';
import { CodeBlock } from './code-block.tsx';
import type { Fence } from './fence.ts';
import { Inline } from './inline.tsx';
import { spokenText } from './text/spoken-text.ts';

/** The page's own headings come first: a message begins at the third level, with `#` as with the more usual `##`. */
const HEADINGS = ['h3', 'h4', 'h5', 'h6'] as const;

/**
 * Number of lists and quotes around a block. Drawing each takes many levels of the stack, which a page can run out of.
 */
const Depth = createContext(0);
const MAX_BLOCK_DEPTH = 16;

export function BlockToken({ token }: { token: Token }): ComponentChild {
	const depth = useContext(Depth);
	const isNesting = token.type === 'list' || token.type === 'blockquote';
	if (isNesting && depth >= MAX_BLOCK_DEPTH) {
		return <p class="raw">{token.raw.trimEnd()}</p>;
	}
	return isNesting ? (
		<Depth.Provider value={depth + 1}>
			<BlockContent token={token} />
		</Depth.Provider>
	) : (
		<BlockContent token={token} />
	);
}

function BlockContent({ token }: { token: Token }): ComponentChild {
	switch (token.type) {
		case 'paragraph':
			return (
				<p>
					<Inline tokens={token.tokens} />
				</p>
			);
		case 'text':
			return <Inline tokens={token.tokens ?? [token]} />;
		case 'heading': {
			const Heading = HEADINGS[Math.max((token as Tokens.Heading).depth - 2, 0)] ?? 'h6';
			return (
				<Heading>
					<Inline tokens={token.tokens} />
				</Heading>
			);
		}
		case 'code':
			return <CodeToken text={(token as Tokens.Code).text} language={(token as Tokens.Code).lang ?? ''} />;
		case 'list':
			return <List list={token as Tokens.List} />;
		case 'blockquote':
			return <blockquote>{(token.tokens ?? []).map(drawBlock)}</blockquote>;
		case 'table':
			return <MarkdownTable table={token as Tokens.Table} />;
		case 'math':
			return (
				<p>
					<Inline tokens={[token]} />
				</p>
			);
		case 'hr':
			return <hr />;
		case 'space':
		case 'def':
		case 'checkbox':
			return null;
		default:
			return <p class="raw">{token.raw.trimEnd()}</p>;
	}
}

export function drawBlock(token: Token, key: number): ComponentChild {
	return <BlockToken key={key} token={token} />;
}

/** False while the block around can still change; code is coloured only when this is true. */
export const Finished = createContext(true);

/** A code token inside of another block, or one whose end has not come yet. */
function CodeToken({ text, language }: { text: string; language: string }) {
	const isFinished = useContext(Finished);
	const fence: Fence = useMemo(
		() => ({ language: language.split(/\s/)[0] ?? '', chunks: [], rest: text }),
		[text, language],
	);
	return <CodeBlock fence={fence} isOpen={!isFinished} />;
}

function List({ list }: { list: Tokens.List }) {
	const items = list.items.map((item, index) => <ListItem key={index} item={item} />);
	return list.ordered ? <ol start={list.start === '' ? 1 : list.start}>{items}</ol> : <ul>{items}</ul>;
}

/** While a long list grows it is lexed again; items whose text is the same are not drawn again. Contexts still reach them. */
const ListItem = memo(
	({ item }: { item: Tokens.ListItem }) => (
		<li class={item.task ? 'task' : undefined}>
			{item.task && (
				<span
					class={`codicon codicon-${item.checked === true ? 'pass-filled' : 'circle-large'}`}
					role="img"
					aria-label={item.checked === true ? '✓' : '○'}
				/>
			)}
			{item.tokens.map(drawBlock)}
		</li>
	),
	(a, b) => a.item.raw === b.item.raw && a.item.loose === b.item.loose,
);

/** The words of its head, so that whoever comes to it by Tab hears what it is about. */
function nameTable({ header }: Tokens.Table): string {
	return header.map(({ text }) => spokenText(text)).join(', ');
}

function MarkdownTable({ table }: { table: Tokens.Table }) {
	return (
		<div class="table-scroll" tabIndex={0} role="group" aria-label={nameTable(table)}>
			<table>
				<thead>
					<tr>
						{table.header.map((cell, index) => (
							<th key={index} scope="col" class={toAlignClass(cell)}>
								<Inline tokens={cell.tokens} />
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{table.rows.map((row, index) => (
						<tr key={index}>
							{row.map((cell, column) => (
								<td key={column} class={toAlignClass(cell)}>
									<Inline tokens={cell.tokens} />
								</td>
							))}
						</tr>
					))}
				</tbody>
			</table>
		</div>
	);
}

function toAlignClass(cell: Tokens.TableCell): string | undefined {
	return cell.align === null ? undefined : `align-${cell.align}`;
}
