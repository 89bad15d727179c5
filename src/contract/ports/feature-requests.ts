/** Requests to a model by features beside the conversation: titles, side questions, commit messages and edits of a selection. */

export interface SideQuestion {
	readonly question: string;
	/** Words of the thread, oldest first; empty where there is none. */
	readonly conversation: string;
}

export interface FirstWords {
	/** First message of the user. */
	readonly message: string;
	/** First answer of the agent. */
	readonly answer: string;
}

export interface CommitMessageRequest {
	/** Folder of one repository; absent: all folders of the workspace that are in one. */
	readonly path?: string;
	/** Newest first. */
	readonly recentTitles?: readonly string[];
	/** Text that the user has typed so far. */
	readonly begun?: string;
}

export interface SelectionEditRequest {
	/** Path of the file in the workspace. */
	readonly path: string;
	/** Wish of the user, in their words. */
	readonly instruction: string;
	/** Whole lines that are to be replaced. */
	readonly selected: string;
	/** Text around them. */
	readonly before: string;
	readonly after: string;
}

export interface AcceptedEdit {
	readonly path: string;
	/** Text of the whole file when the change was proposed. */
	readonly expected: string;
	readonly text: string;
}
