/**
 * Draws the pieces of a page as elements. No part of them becomes HTML; only a README is read as Markdown, by our own
 * elements.
 */
import { Component, type ComponentChild, type ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { PageAction, PageBlock } from '../../protocol/pages/capability-page.ts';
import { Icon, IconButton } from '../parts/icon.tsx';
import { DrawnResultView } from '../markdown/drawn-result.tsx';
import { CodeBlock } from '../markdown/code-block.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { useText } from '../parts/text-actions.ts';
import { Approvals } from './approvals-block.tsx';
import { GoalsBlock } from './goals-block.tsx';
import { RowsBlock } from './rows-block.tsx';
import { FormBlock, type FormActions } from './form-block.tsx';

type BlockOf<K extends PageBlock['kind']> = PageBlock & { readonly kind: K };

export interface BlockProps {
	readonly block: PageBlock;
	/** On a row of the block. */
	act(action: PageAction, on: string): void;
	readonly form: FormActions;
}

export function PageBlockView({ block, act, form }: BlockProps): ComponentChild {
	switch (block.kind) {
		case 'note':
			return <p class="page-note">{block.text}</p>;
		case 'problem':
			return <Problem block={block} />;
		case 'facts':
			return <FactsBlock block={block} />;
		case 'terms':
			return <Terms block={block} />;
		case 'table':
			return <TableBlock block={block} />;
		case 'approvals':
			return <Approvals block={block} act={act} />;
		case 'goals':
			return <GoalsBlock block={block} act={act} />;
		case 'rows':
			return <RowsBlock block={block} act={act} />;
		case 'files':
			return <Files block={block} />;
		case 'form':
			return <FormBlock block={block} actions={form} />;
		case 'code':
			return (
				<Section title={block.title}>
					<Code text={block.text} language={block.language} />
				</Section>
			);
		case 'drawn':
			return (
				<Section title={block.title}>
					<DrawnResultView drawn={block.drawn} label={block.title} isWhole={true} />
				</Section>
			);
		case 'qr':
			return <ScannedCode block={block} />;
		case 'picture':
			return <img class="page-picture" src={`data:image/jpeg;base64,${block.jpeg}`} alt={block.label} />;
		case 'readme':
			return <Readme block={block} />;
		default:
			return block satisfies never;
	}
}

function Section({ title, children }: { title: string; children: ComponentChildren }) {
	return (
		<section class="page-section">
			<h2>{title}</h2>
			{children}
		</section>
	);
}

function CellValue({ text, isCode }: { text: string; isCode: boolean }) {
	return isCode ? <code>{text}</code> : <bdi>{text}</bdi>;
}

const MODULE_PX = 5;

/** Black on white in every theme: cameras expect it so. */
function ScannedCode({ block: { label, rows } }: { block: BlockOf<'qr'> }) {
	const size = rows.length;
	const dark = rows.flatMap((row, y) => [...row].flatMap((each, x) => (each === '1' ? [`M${x} ${y}h1v1h-1z`] : [])));
	const shown = { width: size * MODULE_PX, height: size * MODULE_PX, viewBox: `0 0 ${size} ${size}` };
	return (
		<svg class="page-qr" {...shown} role="img" aria-label={label} shape-rendering="crispEdges">
			<rect width={size} height={size} fill="#fff" />
			<path d={dark.join('')} fill="#000" />
		</svg>
	);
}

function Problem({ block: { severity, text, place } }: { block: BlockOf<'problem'> }) {
	const { openFile } = useText();
	return (
		<p class={`page-problem ${severity}`}>
			<Icon name={severity} />{' '}
			{place === undefined ? (
				text
			) : (
				<button type="button" class="link-button" onClick={() => openFile(place.path, place.line)}>
					{text}
				</button>
			)}
		</p>
	);
}

function FactsBlock({ block: { title, rows } }: { block: BlockOf<'facts'> }) {
	const { t, copy } = useText();
	const list = (
		<dl class="page-facts">
			{rows.map(({ label, value, canCopy }, index) => (
				<div key={index}>
					<dt>{label}</dt>
					<dd>
						<CellValue {...value} />
						{canCopy && (
							<IconButton
								icon="copy"
								title={t('Copy')}
								label={t('Copy {name}', { name: label })}
								onClick={() => copy(value.text)}
							/>
						)}
					</dd>
				</div>
			))}
		</dl>
	);
	return title === undefined ? list : <Section title={title}>{list}</Section>;
}

function Terms({ block: { title, rows, none } }: { block: BlockOf<'terms'> }) {
	return (
		<Section title={title}>
			{rows.length === 0 ? (
				<p class="page-note">{none}</p>
			) : (
				<ul class="page-terms">
					{rows.map(({ term, meaning, isRefused }, index) => (
						<li key={index} class={isRefused ? 'refused' : undefined}>
							<code>{term}</code> <span>{meaning}</span>
						</li>
					))}
				</ul>
			)}
		</Section>
	);
}

function TableBlock({ block: { title, head, rows } }: { block: BlockOf<'table'> }) {
	return (
		<Section title={title}>
			<div class="markdown table-scroll" tabIndex={0} role="group" aria-label={title}>
				<table>
					<thead>
						<tr>
							{head.map((cell, index) => (
								<th key={index} scope="col">
									{cell}
								</th>
							))}
						</tr>
					</thead>
					<tbody>
						{rows.map((row, index) => (
							<tr key={index}>
								{row.map((cell, column) => (
									<td key={column}>
										<CellValue {...cell} />
									</td>
								))}
							</tr>
						))}
					</tbody>
				</table>
			</div>
		</Section>
	);
}

function Files({ block: { title, rows, more } }: { block: BlockOf<'files'> }) {
	const { openFile } = useText();
	return (
		<Section title={title}>
			<ul class="page-files">
				{rows.map(({ path, size, canOpen }) => (
					<li key={path}>
						{canOpen ? (
							<button type="button" class="link-button" onClick={() => openFile(path)}>
								{path}
							</button>
						) : (
							<span class="page-file">{path}</span>
						)}
						<span class="page-size">{size}</span>
					</li>
				))}
			</ul>
			{more !== undefined && <p class="page-note">{more}</p>}
		</Section>
	);
}

function Code({ text, language }: { text: string; language: string }) {
	const fence = useMemo(() => ({ language, chunks: [], rest: text }), [text, language]);
	return <CodeBlock fence={fence} isOpen={false} />;
}

function Readme({ block: { title, markdown, more } }: { block: BlockOf<'readme'> }) {
	return (
		<Section title={title}>
			<AsText key={markdown} text={markdown}>
				<Markdown text={markdown} isDone={true} />
			</AsText>
			{more !== undefined && <p class="page-note">{more}</p>}
		</Section>
	);
}

/** Markdown that cannot be drawn, because it is nested too deep, is shown as it was written. */
class AsText extends Component<{ text: string; children: ComponentChildren }, { hasFailed: boolean }> {
	override state = { hasFailed: false };

	static override getDerivedStateFromError() {
		return { hasFailed: true };
	}

	override render(): ComponentChildren {
		return this.state.hasFailed ? <pre class="page-raw">{this.props.text}</pre> : this.props.children;
	}
}
