/** Says once in a window that the level Auto is less than it could be, because nothing keeps commands in, and what helps. */
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { LogPort } from '../../contract/ports/ports.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { translateText } from '../../protocol/text/text.ts';
import type { ShownLevel } from '../shown/shown-level.ts';
import { warn } from './notices.ts';
import { inBackground } from '../editor/signals.ts';

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
