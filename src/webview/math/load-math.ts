/** Loads the reader of formulas with the first one: it is half as large as all the rest of the view, and most threads have none. */
import type { MathElement } from './math-tree.ts';

type ReadMath = (tex: string, isDisplay: boolean) => MathElement | undefined;

/** Where the bundle puts its one function. */
export const MATH = Symbol.for('prowess.math');

/** The script of the page: what it loads comes from beside it, under its nonce. */
const ownScript = typeof document === 'undefined' ? null : document.currentScript;
let mathLoading: Promise<ReadMath | undefined> | undefined;

/** Undefined when the file cannot be loaded: formulas stay TeX then. */
export function loadMath(): Promise<ReadMath | undefined> {
	mathLoading ??= new Promise((resolve) => {
		if (!(ownScript instanceof HTMLScriptElement)) {
			resolve(undefined);
			return;
		}
		const script = document.createElement('script');
		// Sets the nonce as an attribute, so that the page can tell which scripts are ours.
		script.setAttribute('nonce', ownScript.nonce);
		script.src = new URL('webview-math.js', ownScript.src).href;
		script.onload = () => resolve((globalThis as { [MATH]?: ReadMath })[MATH]);
		script.onerror = () => resolve(undefined);
		document.head.append(script);
	});
	return mathLoading;
}
