export interface SideQuestion {
	readonly question: string;
	/** Words of the thread, oldest first; empty where there is none. */
	readonly conversation: string;
}
