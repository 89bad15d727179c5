/** A run of a capability as a script of one step: YAML that runs without a model. */
import * as vscode from 'vscode';
import { ProwessError } from '../../../protocol/errors/errors.ts';

interface KeptRun {
	readonly type: string;
	readonly name: string;
	readonly tool: string | undefined;
	readonly params: Readonly<Record<string, unknown>>;
}

/** Opens the script, which the user saves where they want it. Rejects with INVALID_STATE for a run that no script can hold. */
export async function openAsScript(run: KeptRun): Promise<void> {
	const document = await vscode.workspace.openTextDocument({ language: 'yaml', content: formatAsScript(run) });
	await vscode.window.showTextDocument(document, { preview: false });
}

function formatAsScript({ type, name, tool, params }: KeptRun): string {
	const written = JSON.stringify(params, null, 2);
	// A step names no tool, and would read this as the result of another step.
	if (tool !== undefined || written.includes('${')) {
		throw new ProwessError('INVALID_STATE', vscode.l10n.t('A script cannot hold this run of {0}.', name), { name });
	}
	const lines = written.split('\n').map((line, at) => (at === 0 ? line : `      ${line}`));
	return [
		`# ${vscode.l10n.t('Save it, then run it with the command Prowess: Run Script.')}`,
		`name: ${JSON.stringify(vscode.l10n.t('Run of {0}', name))}`,
		'steps:',
		'  - id: run',
		`    capability: ${type}/${name}`,
		...(written === '{}' ? [] : [`    with: ${lines.join('\n')}`]),
		'',
	].join('\n');
}
