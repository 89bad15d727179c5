/** Says once in a window that the autonomy "auto" is less than it could be, because nothing keeps commands in, and what helps. */
import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import type { LogPort, SettingsPort } from '../capability-host/contract/ports.ts';
import type { TrustedBase } from '../capability-host/trusted-base.ts';
import { wordsOf } from '../protocol/text.ts';
import { warn } from './notices.ts';
import { inBackground } from './signals.ts';

export function warnWithoutSandbox(
	base: Pick<TrustedBase, 'commandSandbox'>,
	settings: Pick<SettingsPort, 'current' | 'onDidChange'>,
	log: LogPort,
): Disposable {
	let isTold = false;
	const tell = async () => {
		if (isTold || settings.current['prowess.approvals.autonomy'] !== 'auto') {
			return;
		}
		isTold = true;
		const sandbox = await base.commandSandbox();
		if (!sandbox.works) {
			const why = wordsOf(sandbox.why, (template) => vscode.l10n.t(template));
			warn(vscode.l10n.t('Commands are not sandboxed here, so Prowess asks before it runs them. {0}', why));
		}
	};
	inBackground(log, 'sandbox', tell());
	return settings.onDidChange(() => inBackground(log, 'sandbox', tell()));
}
