/** The names that package.json and the code share. Nothing here knows vscode. */

const capabilityCommandIds = [
	'prowess.runCapability',
	'prowess.stopCapability',
	'prowess.stopAllCapabilities',
	'prowess.newCapability',
	'prowess.overrideCapability',
	'prowess.showCapability',
	'prowess.showOverrides',
	'prowess.refreshCapabilities',
	// For menus and trees, hidden from the palette
	'prowess.showExecution',
	'prowess.openManifest',
] as const;

/** Every command, once. `commands.ts` does not compile without a handler for each; a test compares it with package.json both ways. */
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
	...capabilityCommandIds,
] as const;

export type CapabilityCommandId = (typeof capabilityCommandIds)[number];
export type CommandId = (typeof commandIds)[number];

export const CHAT_VIEW = 'prowess.chat';
export const OVERVIEW_VIEW = 'prowess.overview';
export const INSTALLED_VIEW = 'prowess.installed';
export const EXECUTIONS_VIEW = 'prowess.executions';
export const WALKTHROUGH = 'prowess.start';
export const BEFORE_SCHEME = 'prowess-before';
export const DOCUMENT_SCHEME = 'prowess-document';
export const CAPABILITY_SCHEME = 'prowess-capability';
