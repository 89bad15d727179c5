/** `prowess usage`: what models have used, and what of the user's quotas is left. Starts no server and reads no project. */
import { costText, quotaText } from '../../protocol/pages/usage-text.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import type { CommandAction } from '../invocation/command.ts';
import { withHost } from '../ports/cli-host.ts';
import { visibleLine } from '../terminal/visible.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { formatJson } from '../invocation/print-result.ts';

export const showUsage: CommandAction = (invocation, context) =>
	withHost(invocation, context, { workspace: undefined, approvalMode: 'never' }, async (host) => {
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
