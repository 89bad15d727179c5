/** Names that package.json and the code share. This file does not depend on vscode. */

const capabilityCommandIds = [
	'prowess.runCapability',
	'prowess.stopCapability',
	'prowess.stopAllCapabilities',
	'prowess.newCapability',
	'prowess.overrideCapability',
	'prowess.trustCapability',
	'prowess.untrustCapability',
	'prowess.enableCapability',
	'prowess.disableCapability',
	'prowess.showCapabilities',
	'prowess.showCapability',
	'prowess.showOverrides',
	'prowess.explainCapabilities',
	'prowess.refreshCapabilities',
	'prowess.showExecution',
	'prowess.openManifest',
] as const;

const marketplaceCommandIds = [
	'prowess.searchMarketplace',
	'prowess.refreshMarketplace',
	'prowess.addIndex',
	'prowess.installCapability',
	'prowess.updateCapability',
	'prowess.rollBackCapability',
	'prowess.choosePluginParts',
	'prowess.uninstallCapability',
	'prowess.showPackage',
] as const;

const mcpCommandIds = [
	'prowess.showMcpServers',
	'prowess.startMcpServer',
	'prowess.stopMcpServer',
	'prowess.restartMcpServer',
	'prowess.signOutOfMcpServer',
	'prowess.showMcpLog',
	'prowess.openMcpEntry',
] as const;

const automationCommandIds = ['prowess.showAutomation', 'prowess.runScript'] as const;

/** Commands that put their subject into the message of the chat. */
const messageCommandIds = [
	'prowess.addSelection',
	'prowess.addTerminal',
	'prowess.explain',
	'prowess.fix',
	'prowess.reviewChanges',
	'prowess.addProblem',
	'prowess.addTerminalSelection',
	'prowess.addTestFailure',
] as const;

/** Buttons of a comment on lines. */
const commentCommandIds = [
	'prowess.addComment',
	'prowess.sendComments',
	'prowess.removeComment',
	'prowess.fixComment',
] as const;

/**
 * Every command, once. `commands.ts` does not compile without a handler for each; a test compares it with package.json
 * both ways. The palette hides those that a row, a page or a title offers where they apply.
 */
export const commandIds = [
	'prowess.newThread',
	'prowess.focusChat',
	'prowess.openInEditor',
	'prowess.newThreadInEditor',
	'prowess.editSelection',
	'prowess.writeCommitMessage',
	'prowess.connectModel',
	'prowess.disconnectModel',
	'prowess.switchModel',
	'prowess.changeLevel',
	'prowess.chooseModelForCapabilities',
	'prowess.stop',
	'prowess.showChanges',
	'prowess.keepChanges',
	'prowess.undoChanges',
	'prowess.exportThread',
	'prowess.showLedger',
	'prowess.filterLedger',
	'prowess.acknowledgeLedgerDamage',
	'prowess.manageApprovals',
	'prowess.reviewHooks',
	'prowess.showAgents',
	'prowess.resetApprovals',
	'prowess.testRule',
	'prowess.previewRedaction',
	'prowess.storeSecret',
	'prowess.forgetSecret',
	'prowess.showLogs',
	'prowess.doctor',
	'prowess.showTrace',
	'prowess.restartServer',
	'prowess.openSettings',
	'prowess.openWalkthrough',
	'prowess.takeTour',
	'prowess.refreshDocument',
	'prowess.refreshOverview',
	'prowess.revokeApproval',
	'prowess.whyAsked',
	'prowess.openThread',
	'prowess.showChange',
	'prowess.keepChange',
	'prowess.undoChange',
	'prowess.keepHunk',
	'prowess.undoHunk',
	'prowess.acceptEdit',
	'prowess.refuseEdit',
	'prowess.acceptEdits',
	'prowess.refuseEdits',
	'prowess.allowProposal',
	'prowess.denyProposal',
	...capabilityCommandIds,
	...marketplaceCommandIds,
	...mcpCommandIds,
	...automationCommandIds,
	'prowess.showWorktrees',
	...commentCommandIds,
	...messageCommandIds,
] as const;

export type CapabilityCommandId = (typeof capabilityCommandIds)[number];
export type MarketplaceCommandId = (typeof marketplaceCommandIds)[number];
export type McpCommandId = (typeof mcpCommandIds)[number];
export type MessageCommandId = (typeof messageCommandIds)[number];
export type AutomationCommandId = (typeof automationCommandIds)[number];
export type CommentCommandId = (typeof commentCommandIds)[number];
export type EditorCommandId = (typeof commandIds)[number];

/** Type of the tabs with a chat. */
export const CHAT_TAB = 'prowess.chatTab';
export const CHAT_VIEW = 'prowess.chat';
export const OVERVIEW_VIEW = 'prowess.overview';
export const CAPABILITIES_VIEW = 'prowess.capabilities';
/** Files of a workspace that name MCP servers. */
export const MCP_FILES = '**/{.mcp.json,.vscode/mcp.json}';
export const LIST_TOOL = 'prowess_listCapabilities';
export const RUN_TOOL = 'prowess_runCapability';
/** Provider of our MCP server for the agents of the editor. */
export const MCP_PROVIDER = 'prowess.mcp';
/** `@prowess` in VS Code's own chat. */
export const CHAT_PARTICIPANT = 'prowess.prowess';
export const WALKTHROUGH = 'prowess.start';
export const BEFORE_SCHEME = 'prowess-before';
/** Scheme of texts of a worktree that lie in no file: what it was made from. */
export const WORKTREE_SCHEME = 'prowess-worktree';
export const PROPOSAL_SCHEME = 'prowess-proposal';
export const DOCUMENT_SCHEME = 'prowess-document';
/** The type of the tabs that show pages about capabilities. */
export const CAPABILITY_PAGE = 'prowess.page';
/** The type of the tab that shows how a turn went. */
export const TRACE_PAGE = 'prowess.trace';
/** The type of the tab that shows the ledger. */
export const LEDGER_PAGE = 'prowess.ledger';
