const minute = 60_000;

/**
 * The longest that each step of the test run may take before it is stopped and counts as failed. They stop what hangs: a
 * machine on which much else runs is an ordinary one.
 */
export const limitsMs = {
	types: 15 * minute,
	lint: 15 * minute,
	format: 10 * minute,
	stale: 5 * minute,
	exports: 5 * minute,
	unit: 20 * minute,
	integration: 60 * minute,
	host: 10 * minute,
	desktop: 15 * minute,
	/** Limit for a desktop VS Code: without an answer for so long, it is given up. */
	download: 2 * minute,
	ui: 45 * minute,
	soak: 240 * minute,
} as const;

/** The longest for a single test, unless it sets its own. */
export const testLimitsMs = { unit: 30_000, integration: 60_000, ui: 120_000, soak: 60 * minute } as const;

/** The share of the specs that may need their second try in a run that is green: each is named, and two are always allowed. */
export const mostFlakyShare = 1 / 2000;

/** Most suites that are tried again: where more fail, it was no chance. */
export const mostRetriedSuites = 6;

/**
 * Most starts of VS Code by the tests in the workbench: one for each of three processes, and those of tests about a
 * start.
 */
export const mostVscodeStarts = 14;
