export interface CommitMessageRequest {
	/** Folder of one repository; absent: all folders of the workspace that are in one. */
	readonly path?: string;
	/** Newest first. */
	readonly recentTitles?: readonly string[];
	/** Text that the user has typed so far. */
	readonly begun?: string;
}
