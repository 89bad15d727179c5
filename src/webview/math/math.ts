/** The bundle that reads TeX. The chat loads it with the first formula that is shown. */
import { mathTree } from './math-tree.ts';
import { MATH } from './load-math.ts';

Object.defineProperty(globalThis, MATH, { value: mathTree });
