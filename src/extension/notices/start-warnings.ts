/** Warnings that a window gives by itself: about settings that cannot be read, and about a sandbox that does not work. */
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { LogPort, SettingsPort } from '../../contract/ports/ports.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { type SettingProblem, settingProblemText } from '../../protocol/settings/read-settings.ts';
import type { SettingDef } from '../../protocol/settings/setting-def.ts';
import { settings as table } from '../../protocol/settings/settings.ts';
import { translateText } from '../../protocol/text/text.ts';
import type { ShownLevel } from '../shown/shown-level.ts';
import { showErrorNotice, warn } from './notices.ts';
import { inBackground } from '../editor/signals.ts';

export function warnOfSettings(settings: Pick<SettingsPort, 'problems' | 'onDidChange'>, log: LogPort): Disposable {
	let told = '';
	const tellIfChanged = () => {
		const faults = settings.problems.map(({ fault }) => fault).join('\n');
		if (faults !== told && faults !== '') {
			inBackground(log, 'settings', showGravestProblem(settings.problems));
		}
		told = faults;
	};
	tellIfChanged();
	return settings.onDidChange(tellIfChanged);
}

/** The gravest of them; when it is repaired, the next one is shown. */
async function showGravestProblem(problems: readonly SettingProblem[]): Promise<void> {
	const gravestFirst = (['refuse', 'ask', undefined] as const).flatMap((effect) =>
		problems.filter(({ name }) => readUnreadableEffect(name) === effect),
	);
	const [problem] = gravestFirst;
	const open = vscode.l10n.t('Open Setting');
	if (problem !== undefined && (await showSettingProblem(problem, open)) === open) {
		await vscode.commands.executeCommand('workbench.action.openSettings', `@id:${problem.name}`);
	}
}

/** Resolves with the button that was chosen. */
function showSettingProblem(problem: SettingProblem, button: string): Thenable<string | undefined> {
	const { l10n } = vscode;
	switch (readUnreadableEffect(problem.name)) {
		case 'refuse': {
			const text = l10n.t('Prowess refuses every action because it cannot read a security setting. {0}', problem.fault);
			return showErrorNotice(text, button);
		}
		case 'ask': {
			const text = l10n.t(
				'Prowess asks about every action because it cannot read a security setting. {0}',
				problem.fault,
			);
			return showErrorNotice(text, button);
		}
		case undefined: {
			const text = l10n.t('Prowess cannot read one of its settings. {0}', settingProblemText(problem));
			return warn(text, button);
		}
	}
}

function readUnreadableEffect(name: SettingProblem['name']): SettingDef['whileUnreadable'] {
	const { whileUnreadable }: SettingDef = table[name];
	return whileUnreadable;
}

/** Says once in a window that the level Auto is less than it could be, because nothing keeps commands in, and what helps. */
export function warnWithoutSandbox(
	base: Pick<TrustedBase, 'commandSandbox'>,
	shownLevel: Pick<ShownLevel, 'onDidChange'>,
	log: LogPort,
): Disposable {
	let isTold = false;
	const warnIfUnsandboxed = async () => {
		const sandbox = await base.commandSandbox();
		if (!sandbox.works) {
			const why = translateText(sandbox.why, (template) => vscode.l10n.t(template));
			warn(vscode.l10n.t('Commands are not sandboxed here, so Prowess asks before it runs them. {0}', why));
		}
	};
	return shownLevel.onDidChange(({ inForce }) => {
		if (!isTold && inForce.level === 'auto') {
			isTold = true;
			inBackground(log, 'sandbox', warnIfUnsandboxed());
		}
	});
}
