/** A formula: its TeX until the reader is there and the page is idle, and for good when it cannot be read. */
import { type ComponentChild, createElement } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { memo } from '../parts/memo.ts';
import { loadMath } from './load-math.ts';
import type { MathElement, MathNode } from './math-tree.ts';

interface FormulaProps {
	readonly tex: string;
	readonly isDisplay: boolean;
}

export const Formula = memo(({ tex, isDisplay }: FormulaProps) => {
	const drawn = useDrawn(tex, isDisplay);
	const content = drawn === undefined ? <code>{tex}</code> : renderMathNode(drawn, 0);
	return isDisplay ? (
		<span class="math display" tabIndex={0} role="group" aria-label={tex}>
			{content}
		</span>
	) : (
		<span class="math">{content}</span>
	);
});

function useDrawn(tex: string, isDisplay: boolean): MathElement | undefined {
	const [drawn, setDrawn] = useState<{ tex: string; tree: MathElement | undefined } | undefined>(undefined);
	useEffect(() => {
		let idle = 0;
		let isWanted = true;
		void loadMath().then((read) => {
			if (isWanted && read !== undefined) {
				idle = requestIdleCallback(() => setDrawn({ tex, tree: read(tex, isDisplay) }));
			}
		});
		return () => {
			isWanted = false;
			cancelIdleCallback(idle);
		};
	}, [tex, isDisplay]);
	return drawn?.tex === tex ? drawn.tree : undefined;
}

function renderMathNode(node: MathNode, key: number): ComponentChild {
	return typeof node === 'string'
		? node
		: createElement(node.tag, { ...node.attributes, key }, node.children.map(renderMathNode));
}
