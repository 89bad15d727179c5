/** `prowess usage`: what models have used, and what of the user's quotas is left. Starts no server and reads no project. */
import { costText, overruledText, quotaText } from '../../protocol/pages/usage-text.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import type { OverruledJudgement } from '../../protocol/turn/judgement.ts';
import type { CommandAction } from '../invocation/command.ts';
import { withHost } from '../ports/cli-host.ts';
import { visibleLine } from '../terminal/visible.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { realFolder } from '../home/trusted-folders.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { formatJson } from '../invocation/print-result.ts';

export const showUsage: CommandAction = (invocation, context) => {
	const again = invocation.values['again'];
	if (again === undefined && invocation.values['workspace'] !== undefined) {
		throw new UsageError('usage: --workspace goes with --again');
	}
	if (again !== undefined || invocation.switches.has('judgement')) {
		return showJudgement(again, invocation, context);
	}
	return withHost(invocation, context, { workspace: undefined, approvalMode: 'never' }, async (host) => {
		const report = (await host.trustedBase()).usage.report();
		const { terminal } = context;
		if (invocation.switches.has('json')) {
			terminal.out(formatJson(report));
			return exitCodes.done;
		}
		const formatNumber = (value: number) => value.toLocaleString('en-US');
		const spans = [
			['last hour', report.hour],
			['today', report.day],
			['this month', report.month],
		] as const;
		for (const [name, { requests, inputTokens, outputTokens, cost }] of spans) {
			const sum = cost === 0 ? '' : `, ${inEnglish(costText(cost))}`;
			terminal.out(
				`${name.padEnd(10)}  ${formatNumber(requests)} requests, ${formatNumber(inputTokens)} tokens in, ${formatNumber(outputTokens)} out${sum}\n`,
			);
		}
		const { schedules } = await host.trustedBase();
		const texts = new Map(schedules.list().map(({ id, text }) => [id, text]));
		for (const { kind, name, tokens, cost } of report.spenders) {
			const shown = kind === 'schedule' ? `schedule "${visibleLine(texts.get(name) ?? name)}"` : `capability ${name}`;
			terminal.out(
				`today, ${shown}: ${formatNumber(tokens)} tokens${cost === 0 ? '' : `, ${inEnglish(costText(cost))}`}\n`,
			);
		}
		for (const quota of report.quotas) {
			terminal.out(`${inEnglish(quotaText(quota))}\n`);
		}
		return exitCodes.done;
	});
};

/** Prints what the user has overruled. `again`: the fast path or strategy that is to be on in the project of the working folder. */
async function showJudgement(
	again: string | undefined,
	invocation: Parameters<CommandAction>[0],
	context: Parameters<CommandAction>[1],
): Promise<number> {
	const folder = realFolder(invocation.values['workspace'] ?? '.');
	return withHost(invocation, context, { workspace: undefined, approvalMode: 'never' }, async (host) => {
		const { overrules } = (await host.trustedBase()).usage;
		const { terminal } = context;
		if (again !== undefined && !KINDS.some((kind) => overrules.restore({ kind, name: again }, folder))) {
			throw new UsageError(`usage: nothing named ${visibleLine(again)} was overruled in ${visibleLine(folder)}`);
		}
		const overruled = overrules.list();
		if (invocation.switches.has('json')) {
			terminal.out(formatJson({ overruled }));
			return exitCodes.done;
		}
		terminal.out(overruled.length === 0 ? 'Nothing was overruled.\n' : overruled.map(overruledLine).join(''));
		return exitCodes.done;
	});
}

const KINDS = ['fastPath', 'strategy'] as const;

function overruledLine(overruled: OverruledJudgement): string {
	const where = overruled.project === '' ? '(no project)' : visibleLine(overruled.project);
	return `${where}  ${inEnglish(overruledText(overruled))}\n`;
}
