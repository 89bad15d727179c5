export interface FirstWords {
	/** First message of the user. */
	readonly message: string;
	/** First answer of the agent. */
	readonly answer: string;
}
