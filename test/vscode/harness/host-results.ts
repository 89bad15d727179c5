/** What the runner in the extension host leaves in its results file, after every test. */
export interface HostResults {
	/** Whether it came to its end; without, nothing counts. */
	done: boolean;
	readonly specs: HostSpec[];
}

export interface HostSpec {
	/** The outermost `describe`. */
	readonly suite: string;
	/** With the titles of everything around it. */
	readonly title: string;
	readonly kind: 'spec' | 'hook';
	readonly state: 'passed' | 'failed' | 'skipped';
	readonly ms: number;
	/** What it threw, if it failed. */
	readonly error?: string;
}
