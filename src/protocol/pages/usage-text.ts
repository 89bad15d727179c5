/** Use of models in words, as costs and as quotas, for the meter, the command line and warnings. */
import type { Paced } from '../turn/broker.ts';
import { type Text, text } from '../text/text.ts';
import type { Judgement, OverruledJudgement } from '../turn/judgement.ts';
import type { QuotaUse } from '../turn/usage.ts';

/** Why a tool call waits. */
export function pacedText({ limit }: Pick<Paced, 'limit'>): Text {
	if (limit === undefined) {
		return text('The same call had the same result the last times, so the agent waits before it tries again.');
	}
	return text('This thread made {n} tool calls within a minute, the limit of {setting}.', {
		n: limit,
		setting: 'prowess.quotas.toolCallsPerMinute',
	});
}

/** Says that a fast path or strategy is off in a project. */
export function switchedOffText({ kind, name, times }: Judgement & { readonly times: number }): Text {
	return kind === 'strategy'
		? text('You chose Answer directly {times} times instead of {what}, so they are off in this project.', {
				times,
				what: STRATEGY_WORDS[name] ?? name,
			})
		: text('You asked the model {times} times after a fast answer ({name}), so these are off in this project.', {
				times,
				name,
			});
}

/** A line about what was overruled, for the doctor and the command line. */
export function overruledText({ kind, name, times, isOff }: OverruledJudgement): Text {
	const args = { what: JUDGEMENT_WORDS[kind](name), times };
	if (isOff) return text('{what}: overruled {times} times, off', args);
	return times === 1 ? text('{what}: overruled once', args) : text('{what}: overruled {times} times', args);
}

const JUDGEMENT_WORDS: { readonly [K in Judgement['kind']]: (name: string) => Text } = {
	fastPath: (name) => text('Fast answer {name}', { name }),
	strategy: (name) => text('Strategy {name}', { name }),
	loop: () => text('Stopped because it went in circles'),
	claim: () => text('Claim without a result'),
	memory: () => text('Kept memory'),
};

const STRATEGY_WORDS: Readonly<Record<string, Text>> = {
	GOAL: text('plans'),
	SCHEDULED_TASK: text('schedules'),
	SUB_AGENT: text('sub-agents'),
	SCRIPT: text('scripts'),
};

export function quotaText({ kind, used, limit, name = '' }: QuotaUse): Text {
	const formatCount = (value: number) => Math.round(value).toLocaleString('en-US');
	const formatDollars = (value: number) => value.toFixed(2);
	switch (kind) {
		case 'tokensPerHour':
			return text('Tokens in the last hour: {used} of {limit}', { used: formatCount(used), limit: formatCount(limit) });
		case 'toolCallsPerMinute':
			return text('Tool calls in the last minute: {used} of {limit}', {
				used: formatCount(used),
				limit: formatCount(limit),
			});
		case 'dollarsPerHour':
			return text('Cost in the last hour: ${used} of ${limit}', {
				used: formatDollars(used),
				limit: formatDollars(limit),
			});
		case 'dollarsPerDay':
			return text('Cost today: ${used} of ${limit}', { used: formatDollars(used), limit: formatDollars(limit) });
		case 'dollarsPerMonth':
			return text('Cost this month: ${used} of ${limit}', { used: formatDollars(used), limit: formatDollars(limit) });
		case 'tokensPerThread':
			return text('Tokens of the thread: {used} of {limit}', { used: formatCount(used), limit: formatCount(limit) });
		case 'dollarsPerThread':
			return text('Cost of the thread: ${used} of ${limit}', {
				used: formatDollars(used),
				limit: formatDollars(limit),
			});
		case 'tokensPerCapability':
			return text('Tokens of the capability {name} today: {used} of {limit}', {
				name,
				used: formatCount(used),
				limit: formatCount(limit),
			});
		case 'dollarsPerCapability':
			return text('Cost of the capability {name} today: ${used} of ${limit}', {
				name,
				used: formatDollars(used),
				limit: formatDollars(limit),
			});
		case 'tokensPerSchedule':
			return text('Tokens of the schedule "{name}" today: {used} of {limit}', {
				name,
				used: formatCount(used),
				limit: formatCount(limit),
			});
		case 'dollarsPerSchedule':
			return text('Cost of the schedule "{name}" today: ${used} of ${limit}', {
				name,
				used: formatDollars(used),
				limit: formatDollars(limit),
			});
	}
}

/** US dollars; never nothing for something. */
export function costText(cost: number): Text {
	return cost > 0 && cost < 0.01
		? text('under $0.01')
		: text('${dollars}', { dollars: cost.toFixed(cost < 100 ? 2 : 0) });
}
