/** Schedules in the editor: added and looked after by commands; those that fall due run while it is open, and their end is told. */
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { LogPort } from '../../contract/ports/ports.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import type { ThreadId } from '../../protocol/ids.ts';
import { inform } from '../notices/notices.ts';
import { explainError } from '../notices/user-message.ts';
import { inBackground } from '../editor/signals.ts';
import { createScheduleCommands } from './schedule-commands.ts';

interface ScheduleViewPorts {
	readonly log: LogPort;
	readonly home: string;
	readonly extensionUri: vscode.Uri;
	base(): Promise<TrustedBase>;
}

export interface ScheduleViews {
	readonly commands: ReturnType<typeof createScheduleCommands>;
	/** From now on what falls due is run. */
	follow(base: TrustedBase): Disposable;
}

export function createScheduleViews({ log, ...ports }: ScheduleViewPorts): ScheduleViews {
	return {
		commands: createScheduleCommands(ports),
		follow({ schedules }) {
			schedules.follow();
			return schedules.onDidEnd(({ schedule: { kind, text }, run: { threadId }, state, error }) => {
				if (kind === 'reminder') {
					inform(text);
				} else {
					inBackground(log, 'scheduled run', tellScheduledRunEnd(text, { state, error }, threadId));
				}
			});
		},
	};
}

async function tellScheduledRunEnd(
	text: string,
	{ state, error }: { state: string; error?: unknown },
	threadId: ThreadId,
) {
	const { t } = vscode.l10n;
	const open = t('Open Thread');
	const sentence =
		state === 'done'
			? t('The scheduled run has ended: {0}', text)
			: error === undefined
				? t('The scheduled run did not end well: {0}', text)
				: t('The scheduled run "{0}" did not end well. {1}', text, explainError(error));
	if ((await inform(sentence, open)) === open) {
		await vscode.commands.executeCommand('prowess.openThread', threadId);
	}
}
