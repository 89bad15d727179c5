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
