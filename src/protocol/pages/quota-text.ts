/** A quota in words, for the meter, the command line and warnings. */
import type { Paced } from '../broker.ts';
import { type Text, text } from '../text/text.ts';
import type { QuotaUse } from '../usage.ts';

/** Why a tool call waits. */
export function pacedText({ limit }: Pick<Paced, 'limit'>): Text {
	return text('This thread made {n} tool calls within a minute, the limit of {setting}.', {
		n: limit,
		setting: 'prowess.quotas.toolCallsPerMinute',
	});
}

export function quotaText({ kind, used, limit, name = '' }: QuotaUse): Text {
	const count = (value: number) => Math.round(value).toLocaleString('en-US');
	const sum = (value: number) => value.toFixed(2);
	switch (kind) {
		case 'tokensPerHour':
			return text('Tokens in the last hour: {used} of {limit}', { used: count(used), limit: count(limit) });
		case 'toolCallsPerMinute':
			return text('Tool calls in the last minute: {used} of {limit}', { used: count(used), limit: count(limit) });
		case 'dollarsPerHour':
			return text('Cost in the last hour: ${used} of ${limit}', { used: sum(used), limit: sum(limit) });
		case 'dollarsPerDay':
			return text('Cost today: ${used} of ${limit}', { used: sum(used), limit: sum(limit) });
		case 'dollarsPerMonth':
			return text('Cost this month: ${used} of ${limit}', { used: sum(used), limit: sum(limit) });
		case 'tokensPerThread':
			return text('Tokens of the thread: {used} of {limit}', { used: count(used), limit: count(limit) });
		case 'dollarsPerThread':
			return text('Cost of the thread: ${used} of ${limit}', { used: sum(used), limit: sum(limit) });
		case 'tokensPerCapability':
			return text('Tokens of the capability {name} today: {used} of {limit}', {
				name,
				used: count(used),
				limit: count(limit),
			});
		case 'dollarsPerCapability':
			return text('Cost of the capability {name} today: ${used} of ${limit}', {
				name,
				used: sum(used),
				limit: sum(limit),
			});
		case 'tokensPerSchedule':
			return text('Tokens of the schedule "{name}" today: {used} of {limit}', {
				name,
				used: count(used),
				limit: count(limit),
			});
		case 'dollarsPerSchedule':
			return text('Cost of the schedule "{name}" today: ${used} of ${limit}', {
				name,
				used: sum(used),
				limit: sum(limit),
			});
	}
}
