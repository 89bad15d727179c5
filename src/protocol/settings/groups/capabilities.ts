/** Settings of the group capabilities: which capabilities there are, and what they may use. */
import * as z from '../../text/zod.ts';
import { IndexSource } from '../../capability/marketplace.ts';
import { SubTurnBudget } from '../../ops/definitions/agent/agent.ts';
import { DatabaseName, DatabasePath } from '../../ops/definitions/data/sql.ts';
import { defineSetting, type SettingDef } from '../setting-def.ts';

export const capabilitySettings = {
	'prowess.marketplace.indexes': defineSetting({
		schema: z.array(IndexSource).max(50),
		default: [],
		scope: 'application',
		description:
			'Marketplace indexes besides the built-in one: a folder, an https address, or a Git repository (`….git`, `git+https:`, `git+file:`; add `#name` for a branch or tag). With a `key`, only packages signed with that ed25519 key are accepted.',
	}),
	'prowess.capabilities.model': defineSetting({
		schema: z.string().max(300),
		default: '',
		scope: 'application',
		description:
			'Default model for capabilities, as `provider/model`, or as `capability:type/name` for a capability that provides `llm`. Empty: the model of the thread. *Choose the Model for Capabilities* writes this setting.',
	}),
	'prowess.capabilities.modelProviders': defineSetting({
		schema: z.array(z.string().max(200)).max(100),
		default: [],
		scope: 'application',
		description:
			"Capabilities, as `type/name`, that other capabilities may ask in a model's place. They receive what they are asked, and act with their own permissions.",
	}),
	'prowess.capabilities.modelCalls': defineSetting({
		schema: z.int().min(0).max(100_000),
		default: 100,
		scope: 'application',
		description: 'Model requests that one run of a capability may make. Default: 100.',
	}),
	'prowess.capabilities.modelTokens': defineSetting({
		schema: z.int().min(0).max(1_000_000_000),
		default: 500_000,
		scope: 'application',
		description: 'Tokens, input and output together, that one run of a capability may use. Default: 500000.',
	}),
	'prowess.capabilities.strictTools': defineSetting({
		schema: z.boolean(),
		default: false,
		scope: 'application',
		description:
			'Whether a skill that names tools leaves the agent only those. If not, reading, searching and asking you stay as well. Default: false.',
	}),
	'prowess.capabilities.budgets': defineSetting({
		schema: z.record(
			z
				.string()
				.regex(/^[^/]+\/[^/]+$/, 'expected type/name')
				.max(200),
			SubTurnBudget,
		),
		default: {},
		scope: 'application',
		description:
			'Budgets of capabilities that are written instructions, by `type/name`, in place of what their manifests say: answers, tokens and milliseconds of one run, for example `{ "skill/pdf": { "iterations": 60, "tokens": 400000 } }`. `modelCalls` and `modelTokens` still limit the run.',
	}),
	'prowess.databases': defineSetting({
		schema: z.record(DatabaseName, DatabasePath),
		default: {},
		scope: 'resource',
		description:
			'Names for SQLite files of the workspace, which capabilities use to ask for them, for example `{ "orders": "data/orders.db" }`.',
	}),
} as const satisfies Record<string, SettingDef>;
