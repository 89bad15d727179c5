/** `prowess schedule run`: carries out what is due, folder by folder, or one schedule now, with the steps of its capabilities. */
import type { EndedRun } from '../../features/schedule/schedule-runner.ts';
import type { Schedule } from '../../features/schedule/schedule.ts';
import { type CliHost, withHost } from '../ports/cli-host.ts';
import { openHome } from '../home/home-folder.ts';
import { isTrusted } from '../home/trusted-folders.ts';
import { isExistingFolder } from '../../machine/paths/is-folder.ts';
import type { CommandAction, CommandContext, Invocation } from '../invocation/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { causeInEnglish } from '../terminal/messages.ts';
import { followRunSteps } from '../terminal/run-step-line.ts';
import { visibleLine } from '../terminal/visible.ts';
import { formatZonedTime } from '../terminal/zoned-time.ts';
import { runLine } from './schedules.ts';

export const runSchedules: CommandAction = async (invocation, context) => {
	const id = invocation.operands[0];
	const ours = { workspace: undefined, approvalMode: 'never' } as const;
	if (id !== undefined) {
		const schedule = await withHost(invocation, context, ours, async (host) =>
			(await host.trustedBase()).schedules.get(id),
		);
		return await withFolderHost(invocation, context, schedule.folder, (host) => runOne(host, schedule));
	}
	const folders = await withHost(invocation, context, ours, async (host) => {
		const { schedules } = await host.trustedBase();
		for (const { schedule, run, isCutOff } of schedules.underWay()) {
			if (!isCutOff && schedule.nextDue !== null && schedule.nextDue <= Date.now()) {
				const since = new Date(run.startedAt).toISOString();
				const who = `${processName(schedules.ownerOf(run))} has a run of it under way, since ${since}`;
				context.terminal.err(`${visibleLine(`${schedule.text}: ${who}`)}\n`);
			}
		}
		return schedules.dueFolders();
	});
	let worst: number = exitCodes.done;
	for (const folder of folders) {
		context.signal.throwIfAborted();
		const code = await withFolderHost(invocation, context, folder, async (host) => {
			const { schedules } = await host.trustedBase();
			const begun = schedules.underWay().filter(({ run: { state }, isCutOff }) => isCutOff && state === 'started');
			const ended = await schedules.runDue();
			for (const { schedule, run } of begun.filter((each) => each.schedule.folder === folder)) {
				const what = `the run of ${formatZonedTime(run.due, schedule.zone)} was interrupted`;
				const why = `${processName(schedules.ownerOf(run))} is gone`;
				context.terminal.err(`${visibleLine(`${schedule.text}: ${what}: ${why}`)}\n`);
			}
			return ended;
		});
		worst = Math.max(worst, code);
	}
	return worst;
};

function processName({ pid, host }: { readonly pid: number; readonly host: string }): string {
	return `process ${pid} on ${host}`;
}

async function runOne(host: CliHost, { id }: Schedule): Promise<readonly EndedRun[]> {
	const { schedules } = await host.trustedBase();
	const ended: EndedRun[] = [];
	const listening = schedules.onDidEnd((run) => ended.push(run));
	await schedules.runNow(id);
	listening.dispose();
	return ended;
}

async function withFolderHost(
	invocation: Invocation,
	context: CommandContext,
	folder: string,
	run: (host: CliHost) => Promise<readonly EndedRun[]>,
): Promise<number> {
	const { terminal } = context;
	if (folder !== '' && !(isExistingFolder(folder) && isTrusted(openHome(context.environment), folder))) {
		terminal.err(
			`${visibleLine(folder)} is gone or is not trusted. Trust it with "prowess capability list --trust".\n`,
		);
		return exitCodes.failed;
	}
	const options = {
		workspace: folder === '' ? undefined : folder,
		approvalMode: terminal.isInteractive ? 'ask' : 'never',
	} as const;
	return await withHost(invocation, context, options, async (host) => {
		const isJson = invocation.switches.has('json');
		const newStepLine = followRunSteps();
		const { schedules } = await host.trustedBase();
		const listening = schedules.onDidEvent(({ scheduleId, event }) => {
			if (event.type !== 'item.step') return;
			terminal.err(newStepLine(event) ?? '');
			if (isJson) terminal.out(`${JSON.stringify({ ...event, scheduleId })}\n`);
		});
		const ended = await run(host).finally(() => listening.dispose());
		for (const { schedule, run: done, state, error } of ended) {
			const { zone, kind, text } = schedule;
			const why = error === undefined ? '' : ` (${causeInEnglish(error)})`;
			const line = `${visibleLine(text)}: ${visibleLine(runLine({ ...done, state }, zone, kind) + why)}`;
			terminal.out(isJson ? `${JSON.stringify({ ...done, state, kind, text })}\n` : `${line}\n`);
		}
		// A watch whose time is over has done what it was to do.
		return ended.every(({ state }) => state === 'done' || state === 'expired') ? exitCodes.done : exitCodes.failed;
	});
}
