/** A quota in words, for the meter, the command line and warnings. */
import { type Text, text } from '../text/text.ts';
import type { QuotaUse } from '../usage.ts';

export function quotaText({ kind, used, limit }: QuotaUse): Text {
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
	}
}
