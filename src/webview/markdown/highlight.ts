/** Colours for finished code, in idle time. The languages are few: each one is bytes that every opening of the view reads. */
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';

interface HighlightText {
	readonly type: 'text';
	readonly value: string;
}
interface HighlightSpan {
	readonly type: 'element';
	readonly className: string;
	readonly children: readonly HighlightNode[];
}
export type HighlightNode = HighlightText | HighlightSpan;

/** Longer code stays plain: one call blocks the page. */
const MAX_HIGHLIGHTED_LENGTH = 40_000;

const lowlight = createLowlight({
	bash,
	c,
	cpp,
	csharp,
	css,
	diff,
	go,
	ini,
	java,
	javascript,
	json,
	markdown,
	python,
	ruby,
	rust,
	sql,
	typescript,
	xml,
	yaml,
});

/** Nothing when the language is not known or the code is too long. */
export function highlight(code: string, language: string): readonly HighlightNode[] | undefined {
	const name = language.toLowerCase();
	if (code.length > MAX_HIGHLIGHTED_LENGTH || !lowlight.registered(name)) {
		return undefined;
	}
	return lowlight.highlight(name, code).children.flatMap(ownNode);
}

interface HastNode {
	readonly type: string;
	readonly value?: string;
	readonly properties?: { readonly className?: unknown };
	readonly children?: readonly HastNode[];
}

/** Only texts and class names come through, whatever the library makes. */
function ownNode(node: HastNode): HighlightNode[] {
	if (node.type === 'text') {
		return [{ type: 'text', value: node.value ?? '' }];
	}
	const names = node.properties?.className;
	const className = Array.isArray(names) ? names.filter((n) => typeof n === 'string').join(' ') : '';
	return [{ type: 'element', className, children: (node.children ?? []).flatMap(ownNode) }];
}
