/** Results file that the runner in the extension host writes after every test. */
export interface HostResults {
	/** True when the run came to its end; the results count only then. */
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
	/** Error that the spec threw; present only when it failed. */
	readonly error?: string;
}
