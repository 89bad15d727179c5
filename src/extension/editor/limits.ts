/** Every wait and every bound of the extension, named. */
export const extensionLimits = {
	/** Time between two looks whether another process has changed the browsers or jobs of the home, while they are shown. */
	homeLookMs: 1_000,
	/** Then a page that follows what changes, and could not be made, is tried again. */
	failedPageMs: 3_000,
	/** Longest wait for a change of the browsers or jobs of the home, or for its background host to look for jobs. */
	changeHomeMs: 10_000,
	/** Characters of a prompt by which its job is called. */
	jobTitleChars: 100,
	/** Questions of jobs that are shown at once. */
	jobQuestions: 20,
	/** From spawn to the answer of `server/start`. */
	serverStartMs: 20_000,
	/** Longest wait for a schedule to be added: a condition is polled once before. */
	addScheduleMs: 90_000,
	/** For the server to end by itself; then it is killed. */
	serverStopMs: 1_200,
	/** Deaths of the server within this time count together. */
	restartWindowMs: 60_000,
	restartsInWindow: 5,
	/** Pause before the n-th restart within the window is n times this. */
	restartPauseMs: 150,
	/** Work that takes longer than this gets a notification that says it is under way. */
	progressShownMs: 300,
	/** Title of a thread by the model, which nobody waits for. */
	nameThreadMs: 60_000,
	/** `deactivate` in all; VS Code gives up after about 4 s. */
	deactivateMs: 2_000,
	/** Rest after a key before the programs of a capability are looked at. */
	programRestMs: 250,
	/** Suggestions after `@`. */
	completions: 50,
	/** Most files that are suggested; the rest is left out. */
	completionFiles: 100_000,
	completionFilesInTurn: 2_000,
	/** Then the files are listed anew; after this wait the list before that serves. */
	completionCacheMs: 10_000,
	completionPatienceMs: 100,
	/** Look for tasks that fit a project, and the files that it may read. */
	suggestTasksMs: 1_000,
	suggestTaskFiles: 300,
	suggestTaskFileBytes: 100_000,
	/** With so many files of code, a search by words alone no longer finds its way; then the code index is offered. */
	codeIndexPaysFiles: 1_000,
	/** Longest wait for MCP servers to list what they offer for a suggestion. */
	mcpOffersMs: 5_000,
	/** Language extensions that have not found a symbol by then have none to suggest. */
	completionSymbolsMs: 2_000,
	completionCommits: 100,
	completionThreads: 200,
	commitSubjectCharacters: 200,
	selectionCharacters: 200_000,
	/** After a change of the active editor or its selection the chat is told. */
	activeFileMs: 150,
	/** For the editor to end an earlier save of a document that is to be saved. */
	earlierSaveMs: 5_000,
	/** After a change, for a language server to begin to tell of problems; then for it to tell no more; and in all. */
	problemsBeginMs: 1_000,
	problemsQuietMs: 300,
	problemsMs: 3_000,
	newProblems: 20,
	diagnostics: 500,
	symbols: 200,
	references: 200,
	referenceLine: 300,
	/** Changes of one refactoring, and titles of fixes that an error names. */
	refactoredFiles: 200,
	refactoringEdits: 5_000,
	namedFixes: 30,
	/** For the editor's own Git extension to come up. */
	gitExtensionMs: 10_000,
	discoverModelsMs: 3_000,
	checkProviderMs: 30_000,
	/** A model server of this machine may have to load the model first. */
	tryModelMs: 120_000,
	listModelsMs: 15_000,
	doctorCheckMs: 5_000,
	traceMs: 5_000,
	readThreadMs: 5_000,
	/** Files that change within this time are looked at together. */
	changedFilesPauseMs: 300,
	/** For the file of a proposal to be compared with what was proposed. */
	readFileMs: 5_000,
	/** For an edit that was accepted to be written and saved, formatters of other extensions included. */
	writeEditMs: 30_000,
	/** For the server to change what a thread is set to. */
	changeThreadMs: 10_000,
	/** Threads whose titles are looked up at once. */
	titledThreads: 1_000,
	/** For what is allowed to be read or revoked, whichever process changes it at the same time. */
	changeApprovalsMs: 10_000,
	/** From *Stop* to the end of the turn; the server ends it within 3 s. */
	stopTurnMs: 10_000,
	/** Acts that the page of the ledger gets at once; threads to choose from; rows of one act. */
	ledgerRows: 100,
	ledgerThreads: 200,
	ledgerEntryRows: 100,
	/** Longest wait of its rows for the titles of threads. */
	ledgerTitlesPatienceMs: 300,
	/** Between something that is recorded and the page that shows it. */
	ledgerRefreshMs: 250,
	/** Check of all chains, and what it names at most of what is wrong. */
	ledgerCheckMs: 300_000,
	ledgerProblems: 20,
	overviewThreads: 15,
	overviewRefreshMs: 250,
	/** After a walkthrough was opened, when its taken steps are told again. */
	walkthroughTicksMs: [300, 1_500, 6_000],
	/** Between what waits in a hidden chat and the call to it. */
	attentionDelayMs: 1_200,
	/** Capabilities whose last params are kept. */
	keptParams: 50,
	/** On the page of a capability: its files, and how much of its README. */
	pageFiles: 200,
	readmeCharacters: 200_000,
	/** Capabilities that an agent is not told of, on the page about that; and how long it is waited for. */
	leftCapabilities: 200,
	offerMs: 30_000,
	/** Longest prompt that the page is asked with. */
	offerPromptCharacters: 8_000,
	/** Longest result that is shown in the message that an execution has ended. */
	resultCharacters: 200,
	/** Longest name, as an agent of the editor calls a capability, in the editor's question. */
	toolNameCharacters: 200,
	/** Longest result of a tool of the editor's own agents. */
	toolResultCharacters: 100_000,
	/** Interval at which a view updates the time of running executions. */
	executionTickMs: 1_000,
	/** Rows of a section of the view *Capabilities*; the search finds the others. */
	viewRows: 200,
	/** Between a change of capabilities or executions and the view that shows it. */
	capabilityRefreshMs: 150,
	/** Rows of the tab *Agents*, and the pause between what changes there and the tab that shows it. */
	agentRows: 1_000,
	agentRowsRefreshMs: 500,
	/** Files that may be scripts, that the page *Automation* looks into. */
	scriptFiles: 200,
	scriptFileBytes: 256_000,
} as const;
