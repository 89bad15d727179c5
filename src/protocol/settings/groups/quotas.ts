/** Settings of the group quotas: what models may use before the next turn is refused, and how fast tools are called. */
import * as z from '../../text/zod.ts';
import { defineSetting, type SettingDef } from '../setting-def.ts';

const quotaDollars = z.number().min(0).max(1_000_000);

export const quotaSettings = {
	'prowess.quotas.tokensPerHour': defineSetting({
		schema: z.int().min(0).max(1_000_000_000_000),
		default: 0,
		scope: 'application',
		description:
			'Tokens, in and out, that all windows and command lines may use in any 60 minutes. Beyond it the next turn is refused. Default: 0, no limit.',
	}),
	'prowess.quotas.toolCallsPerMinute': defineSetting({
		schema: z.int().min(0).max(1_000_000),
		default: 0,
		scope: 'application',
		description:
			'Tool calls of each thread in any 60 seconds. Beyond it a call waits until there is room. Default: 0, no limit.',
	}),
	'prowess.quotas.dollarsPerHour': defineSetting({
		schema: quotaDollars,
		default: 0,
		scope: 'application',
		description:
			'US dollars that models with a known price may cost in any 60 minutes. Beyond it the next turn is refused. Default: 0, no limit.',
	}),
	'prowess.quotas.dollarsPerDay': defineSetting({
		schema: quotaDollars,
		default: 0,
		scope: 'application',
		description: 'US dollars that models with a known price may cost on one day. Default: 0, no limit.',
	}),
	'prowess.quotas.dollarsPerMonth': defineSetting({
		schema: quotaDollars,
		default: 0,
		scope: 'application',
		description: 'US dollars that models with a known price may cost in one month. Default: 0, no limit.',
	}),
	'prowess.quotas.tokensPerThread': defineSetting({
		schema: z.int().min(0).max(1_000_000_000_000),
		default: 0,
		scope: 'application',
		description:
			'Tokens, in and out, that one thread may use, with its sub-agents. Beyond it the next turn in it is refused. Default: 0, no limit.',
	}),
	'prowess.quotas.dollarsPerThread': defineSetting({
		schema: quotaDollars,
		default: 0,
		scope: 'application',
		description:
			'US dollars that models with a known price may cost in one thread, with its sub-agents. Default: 0, no limit.',
	}),
	'prowess.quotas.tokensPerCapability': defineSetting({
		schema: z.int().min(0).max(1_000_000_000_000),
		default: 0,
		scope: 'application',
		description:
			'Tokens, in and out, that each capability may have models use on one day. Beyond it what it asks of models is refused. Default: 0, no limit.',
	}),
	'prowess.quotas.dollarsPerCapability': defineSetting({
		schema: quotaDollars,
		default: 0,
		scope: 'application',
		description:
			'US dollars that what each capability asks of models may cost on one day, of models with a known price. Default: 0, no limit.',
	}),
	'prowess.quotas.tokensPerSchedule': defineSetting({
		schema: z.int().min(0).max(1_000_000_000_000),
		default: 0,
		scope: 'application',
		description:
			'Tokens, in and out, that all runs of each schedule may use on one day. Beyond it the next run fails. Default: 0, no limit.',
	}),
	'prowess.quotas.dollarsPerSchedule': defineSetting({
		schema: quotaDollars,
		default: 0,
		scope: 'application',
		description:
			'US dollars that all runs of each schedule may cost on one day, of models with a known price. Default: 0, no limit.',
	}),
	'prowess.quotas.stopTurns': defineSetting({
		schema: z.boolean(),
		default: false,
		scope: 'application',
		description:
			'Stop a turn in the middle when a quota is used up. Otherwise a turn that runs is finished, up to twice the quota. Default: off.',
	}),
} as const satisfies Record<string, SettingDef>;
