/** Tool that a loop carries out by itself: it has no effect on anything, so no host is asked. */
import type { Text } from '../../protocol/text/text.ts';
import type { ReadOn, ToolDeclaration } from '../models/model-port.ts';

export interface OwnTool {
	readonly declaration: ToolDeclaration;
	/** For the card of a call. */
	title(input: unknown): Text;
	/** Never rejects for what a model wrote; it reads what is wrong with it. */
	run(input: unknown, signal: AbortSignal): Promise<OwnResult>;
}

export interface OwnResult {
	readonly text: string;
	readonly isError: boolean;
	readonly readOn?: ReadOn;
}

/** Bounds of the tools that a loop carries out by itself. */
export const ownToolLimits = {
	/** Characters of a result that are read on at once. */
	readOnChars: 20_000,
	/** Rare tools that one question finds. */
	foundTools: 4,
	/** Characters of a word that tells one tool from another. */
	leastWordChars: 3,
} as const;
