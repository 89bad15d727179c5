// VS Code opens the secondary side bar on its own chat, which is switched off here; a setting cannot name another view.
const vscode = require('vscode');

exports.activate = () => vscode.commands.executeCommand('prowess.focusChat');
