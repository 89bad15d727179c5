/** Question to the connected model for the user, as the user's own act: it passes the gate and is recorded. */
interface UserQuestion {
	/** Name of the op in the ledger, and what it says there. */
	readonly op: string;
	readonly title: string;
	readonly system: string;
	/** Without secrets. */
	readonly prompt: string;
	readonly maxTokens: number;
	readonly maxChars: number;
	/** Takes the answer out of what wraps it, and secrets out of the answer. */
	clean(answer: string): string;
}

/** Rejects with NO_MODEL, as the provider, or with PROVIDER_ERROR for an answer without a word. */
export type AskForUser = (question: UserQuestion, signal: AbortSignal) => Promise<string>;
