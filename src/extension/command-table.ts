/**
 * Every command, once. `commands.ts` does not compile without a handler for each; a test compares the table with
 * package.json both ways. Nothing here knows vscode.
 */
export const commandIds = [
	// For people, in the palette
	'prowess.newThread',
	'prowess.focusChat',
	'prowess.addSelection',
	'prowess.explain',
	'prowess.fix',
	'prowess.connectModel',
	'prowess.disconnectModel',
	'prowess.switchModel',
	'prowess.stop',
	'prowess.showChanges',
	'prowess.keepChanges',
	'prowess.undoChanges',
	'prowess.exportThread',
	'prowess.showLedger',
	'prowess.testRule',
	'prowess.previewRedaction',
	'prowess.showLogs',
	'prowess.doctor',
	'prowess.restartServer',
	'prowess.openSettings',
	'prowess.openWalkthrough',
	// For menus and trees, hidden from the palette
	'prowess.refreshDocument',
	'prowess.refreshOverview',
	'prowess.openThread',
	'prowess.showChange',
	'prowess.keepChange',
	'prowess.undoChange',
] as const;

export type CommandId = (typeof commandIds)[number];

export const CHAT_VIEW = 'prowess.chat';
export const OVERVIEW_VIEW = 'prowess.overview';
export const WALKTHROUGH = 'prowess.start';
export const BEFORE_SCHEME = 'prowess-before';
export const DOCUMENT_SCHEME = 'prowess-document';
