/** The tab *Scripts*: the files of the workspace that are scripts, and how far the last run of each came. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { escapeToLine } from '../../base/text/one-line.ts';
import type { Script } from '../../features/script/script.ts';
import type { PageRow } from '../../protocol/pages/capability-page.ts';
import { extensionLimits } from '../editor/limits.ts';
import { type BuiltAutomationTab, OfferedActs } from './built-tab.ts';
import { type HostScripts, keepScriptAsSkill } from './run-script.ts';

interface FoundScript {
	readonly uri: vscode.Uri;
	readonly text: string;
	readonly script: Script;
}

export async function scriptsTab(scripts: HostScripts): Promise<BuiltAutomationTab> {
	const { t } = vscode.l10n;
	const offered = new OfferedActs();
	const rows = (await findScripts(scripts)).map((found) => scriptRow(found, scripts, offered));
	return {
		summary: t('Ops and capabilities in a fixed order, written as YAML and run without a model.'),
		blocks: [
			{
				kind: 'rows',
				groups: [{ title: '', rows }],
				none: t('No YAML file of this workspace is a script. Run one from elsewhere to see it checked, step by step.'),
			},
		],
		actions: [{ action: 'runScript', label: t('Run Script…'), command: 'prowess.runScript', on: undefined }],
		rowActions: offered.all,
	};
}

function scriptRow({ uri, text, script }: FoundScript, scripts: HostScripts, offered: OfferedActs): PageRow {
	const { t } = vscode.l10n;
	const id = uri.toString();
	const last = scripts.lastRun(script);
	const count = script.steps.length;
	return {
		id,
		icon: 'list-ordered',
		what: escapeToLine(script.name),
		state:
			last === undefined
				? t('not run yet')
				: last.isRunning
					? t('running')
					: last.state === 'done'
						? t('Done')
						: t('Stopped: the next run goes on there'),
		isBad: last?.state === 'open' && !last.isRunning,
		notes: [escapeToLine(vscode.workspace.asRelativePath(uri)), count === 1 ? t('1 step') : t('{0} steps', count)],
		actions: [
			offered.offer('run', t('Run…'), id, async () => vscode.commands.executeCommand('prowess.runScript', uri)),
			offered.offer('open', t('Open File'), id, async () => void (await vscode.window.showTextDocument(uri))),
			...(last === undefined
				? []
				: [offered.offer('showInLedger', t('Show in Ledger'), id, () => showScriptRows(last.threadId))]),
			offered.offer('keepAsSkill', t('Keep as Skill…'), id, () => keepScriptAsSkill(scripts, script, text)),
		],
	};
}

/** A script works in a thread without messages, which no chat can open. */
async function showScriptRows(threadId: string): Promise<void> {
	await vscode.commands.executeCommand('prowess.showLedger', `thread:${threadId}`);
}

/** A file that is no script, or one with a mistake, is left out: whoever runs it is told what is wrong with it. */
async function findScripts(scripts: HostScripts): Promise<readonly FoundScript[]> {
	const files = await vscode.workspace.findFiles('**/*.{yaml,yml}', '**/node_modules/**', extensionLimits.scriptFiles);
	const found = await Promise.all(
		files.map(async (uri): Promise<FoundScript | undefined> => {
			try {
				if ((await vscode.workspace.fs.stat(uri)).size > extensionLimits.scriptFileBytes) return undefined;
				const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
				return { uri, text, script: await scripts.read(text, basename(uri.path)) };
			} catch {
				return undefined;
			}
		}),
	);
	return found.filter((each) => each !== undefined).toSorted((a, b) => a.uri.path.localeCompare(b.uri.path, 'en'));
}
