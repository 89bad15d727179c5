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
