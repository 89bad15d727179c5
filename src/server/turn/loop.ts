/** What a loop of requests and calls works on and with, and how it ends. A turn is one such loop, a sub-turn is another. */
import type { OpHost } from '../host/op-host.ts';
import type { LoopJournal } from './journal.ts';
import type { TurnPorts } from './turn.ts';

export interface Loop {
	/** What every request begins with. */
	readonly system: string;
	/** Requests to the model before it ends. */
	readonly maxIterations: number;
	readonly journal: LoopJournal;
}

export type LoopPorts = Pick<TurnPorts, 'settings' | 'wait'> & { readonly host: OpHost };

export type LoopEnd =
	| { readonly kind: 'done'; readonly requests: number }
	| { readonly kind: 'iterationLimit'; readonly requests: number }
	/** Several responses in a row with no call that could be run. */
	| { readonly kind: 'badCalls'; readonly requests: number }
	/** Still stopping at its token limit after every continuation. */
	| { readonly kind: 'tooLong'; readonly requests: number }
	| { readonly kind: 'empty'; readonly requests: number }
	/** The stream ended too early; what came is kept. */
	| { readonly kind: 'cut'; readonly requests: number; readonly error: unknown };
