/** *Run Script*: a file of steps, shown before it runs, through the gate, and gone on with behind the step that failed. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { escapeInvisible } from '../../base/text/escape-invisible.ts';
import type { Script, ScriptStep } from '../../features/script/script.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { isProwessError } from '../../protocol/errors/errors.ts';
import type { RunStep } from '../../protocol/turn/run-steps.ts';
import { askInDialog, inform, warn, withProgress } from '../notices/notices.ts';
import { createTitleTranslator } from '../shown/title-translations.ts';

export type HostScripts = TrustedBase['scripts'];

interface ScriptHost extends Pick<TrustedBase, 'scripts' | 'desk'> {
	showChat(): Promise<void>;
}
type DoubtDecision = NonNullable<Parameters<HostScripts['run']>[1]['inDoubt']>;

/** `on`: the file; without it, the one in the active editor, else one that is chosen. */
export async function runScriptFile(host: ScriptHost, on: unknown): Promise<void> {
	const { t } = vscode.l10n;
	const { scripts } = host;
	const read = await readChosenScript(scripts, on);
	if (read === undefined) return;
	const { script, text } = read;
	const yes = t('Run Script');
	const translate = createTitleTranslator(vscode.l10n.bundle);
	const lines = script.steps.map(({ id, title }, at) => `${at + 1}. ${id}: ${translate(title)}`);
	if (
		(await askInDialog(t('Run the script {0}?', script.name), lines, yes)) === yes &&
		(await runScriptSteps(host, script))
	) {
		const keep = t('Keep as Skill…');
		if ((await inform(t('The script is done: {0}', script.name), keep)) === keep) {
			await keepScriptAsSkill(scripts, script, text);
		}
	}
}

/** Rejects with what is wrong with it, each problem with its line. Undefined: the user chose none. */
async function readChosenScript(
	scripts: HostScripts,
	on: unknown,
): Promise<{ readonly script: Script; readonly text: string } | undefined> {
	const active = vscode.window.activeTextEditor?.document;
	const shown = active?.languageId === 'yaml' ? active.uri : undefined;
	const uri = on instanceof vscode.Uri ? on : (shown ?? (await pickScriptFile()));
	if (uri === undefined) {
		return undefined;
	}
	const text = (await vscode.workspace.openTextDocument(uri)).getText();
	return { script: await scripts.read(text, basename(uri.path)), text };
}

async function pickScriptFile(): Promise<vscode.Uri | undefined> {
	const { t } = vscode.l10n;
	const filters = { [t('Scripts')]: ['yaml', 'yml'] };
	return (await vscode.window.showOpenDialog({ title: t('Run Script'), filters }))?.[0];
}

/** True: all its steps are done. A step of which nobody knows whether it took effect is asked about. */
async function runScriptSteps(host: ScriptHost, script: Script, inDoubt?: DoubtDecision): Promise<boolean> {
	const { t } = vscode.l10n;
	const { scripts, desk, showChat } = host;
	const translate = createTitleTranslator(vscode.l10n.bundle);
	try {
		await withProgress(t('Running the script {0}…', script.name), async (signal, report, move) => {
			let isWaiting = false;
			const following = desk.onDidChange(({ approvals, questions }) => {
				const threadId = scripts.lastRun(script)?.threadId;
				const isAsked = [...approvals, ...questions].some((asked) => asked.threadId === threadId);
				if (isAsked === isWaiting) return;
				isWaiting = isAsked;
				report(isWaiting ? t('needs your answer in the chat') : '');
				// A notification would cover the question in the chat.
				move(isWaiting ? 'statusBar' : 'notification');
				if (isWaiting) void showChat();
			});
			const reportSteps = (steps: readonly RunStep[]) => {
				const { from, title = '' } = steps.findLast((step) => step.from !== undefined) ?? {};
				if (from !== undefined) report(escapeInvisible(`${from}: ${translate(title)}`, 'line'));
			};
			const told = { onStep: ({ id }: ScriptStep) => report(id), onRunSteps: reportSteps };
			try {
				await scripts.run(script, { isAnew: false, inDoubt, ...told }, signal);
			} finally {
				following.dispose();
			}
		});
		return true;
	} catch (error) {
		const step = isProwessError(error) && error.code === 'OUTCOME_IN_DOUBT' ? error.facts['step'] : undefined;
		if (typeof step !== 'string' || inDoubt?.step === step) {
			const stopped = script.steps.find(({ id }) => isProwessError(error) && id === error.facts['step']);
			if (stopped !== undefined) {
				warn(t('The script stopped at the step {0}, line {1}. Run it again to go on there.', stopped.id, stopped.line));
			}
			throw error;
		}
		const [repeat, skip] = [t('Do It Again'), t('Skip It')];
		const question = t(
			'The step {0} was begun before, and whether it took effect is not known. Look before you decide.',
			step,
		);
		const answer = await askInDialog(question, [], repeat, skip);
		return answer === undefined ? false : await runScriptSteps(host, script, { step, isRepeated: answer === repeat });
	}
}

export async function keepScriptAsSkill(scripts: HostScripts, script: Script, text: string): Promise<void> {
	const { t } = vscode.l10n;
	const name = await vscode.window.showInputBox({
		title: t('Keep as Skill'),
		prompt: t('Name of the skill'),
		value: script.name
			.toLowerCase()
			.replaceAll(/[^a-z0-9]+/g, '-')
			.replaceAll(/^-|-$/g, ''),
		ignoreFocusOut: true,
	});
	if (name) {
		await scripts.keep(script, name, text);
		inform(t('The script is kept as skill/{0}.', name));
		await vscode.commands.executeCommand('prowess.refreshCapabilities');
	}
}
