/** What the runner in the extension host leaves in its results file, after every test. */
export interface HostResults {
	/** Whether it came to its end; without, nothing counts. */
	done: boolean;
	readonly passed: { readonly title: string; readonly ms: number }[];
	readonly failed: { readonly title: string; readonly error: string }[];
	readonly skipped: string[];
}
