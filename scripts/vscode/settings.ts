/** User settings for every workbench of ours: quiet, without the network, and without VS Code's own AI features. */
export const quietSettings: Readonly<Record<string, unknown>> = {
	'workbench.startupEditor': 'none',
	'workbench.enableExperiments': false,
	'workbench.tips.enabled': false,
	'workbench.welcomePage.walkthroughs.openOnInstall': false,
	'telemetry.telemetryLevel': 'off',
	'update.mode': 'none',
	'extensions.autoCheckUpdates': false,
	'extensions.autoUpdate': 'off',
	'extensions.ignoreRecommendations': true,
	'chat.disableAIFeatures': true,
	'js/ts.tsserver.automaticTypeAcquisition.enabled': false,
	'npm.fetchOnlinePackageInfo': false,
	'git.openRepositoryInParentFolders': 'never',
	'window.confirmBeforeClose': 'never',
	// The browser has no native dialogs.
	'files.simpleDialog.enable': true,
};
