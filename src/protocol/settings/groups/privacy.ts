/** Settings of the group privacy: what is recorded, for how long, and what is redacted. */
import * as z from '../../text/zod.ts';
import { defineSetting, type SettingDef } from '../setting-def.ts';

/** Where is told how turns went; an empty `endpoint`: nowhere. */
const TelemetryExport = z.strictObject({
	endpoint: z.string().max(2_000).default(''),
	headers: z.record(z.string().regex(/^[\w-]{1,100}$/), z.string().max(4_000)).default({}),
	content: z.boolean().default(false),
});

export const privacySettings = {
	'prowess.redaction.patterns': defineSetting({
		schema: z
			.array(
				z.object({
					name: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/),
					pattern: z.string().min(1).max(300),
				}),
			)
			.max(50),
		default: [],
		scope: 'application',
		description:
			'Additional patterns to redact everywhere, each with a name and a regular expression. *Preview Redaction* shows what they match. *Doctor* names patterns that are too slow to use.',
	}),
	'prowess.ledger.keepDays': defineSetting({
		schema: z.union([z.literal(0), z.int().min(7).max(36_500)]),
		default: 0,
		scope: 'application',
		description:
			'Time the ledger keeps its rows, in days, at least 7. Older rows are removed when Prowess starts, a week or more after a first look, so that a clock that is ahead for less than a week removes nothing. The removal is recorded. Default: 0, forever.',
	}),
	'prowess.threads.keepDays': defineSetting({
		schema: z.union([z.literal(0), z.int().min(7).max(36_500)]),
		default: 0,
		scope: 'application',
		description:
			'Time an unused thread is kept, in days, at least 7. Older threads of the open folder are deleted for good, with their undo: at most 50 when a window opens or a command ends. Threads that are pinned, running, shown last in a side bar, or of a goal or worktree stay. The first go a week or more after a first look, so that a clock that is ahead for less than a week deletes nothing. Default: 0, forever.',
	}),
	'prowess.ledger.anchor': defineSetting({
		schema: z
			.string()
			.max(2_000)
			.regex(/^(?:|git-note:.+|https:\/\/\S+)$/),
		default: '',
		scope: 'application',
		description:
			'Place besides PROWESS_HOME that keeps the anchors of the ledger, so that removed or rewritten rows show: `git-note:` and the path of a Git repository, or an https address that gets them by POST. Default: empty, only PROWESS_HOME keeps them.',
	}),
	'prowess.telemetry': defineSetting({
		schema: TelemetryExport,
		default: { endpoint: '', headers: {}, content: false },
		scope: 'application',
		description:
			'Collector of yours that is told how turns went, by OpenTelemetry over HTTP: `{"endpoint": "http://localhost:4318"}`, or `"environment"` for `OTEL_EXPORTER_OTLP_ENDPOINT`. `headers` may hold `${secret:name}`. `content: true` adds messages and the inputs and results of calls, without secrets. Default: nothing is told. See docs/telemetry.md.',
	}),
} as const satisfies Record<string, SettingDef>;
