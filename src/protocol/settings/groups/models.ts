/** Settings of the group models: which models answer, and how they are reached. */
import * as z from '../../text/zod.ts';
import {
	DEFAULT_PAUSE,
	FallbackModel,
	ModelPause,
	ModelRouting,
	ModelSettings,
	ProviderConfig,
} from '../../turn/models.ts';
import { defineSetting, type SettingDef } from '../setting-def.ts';

export const modelSettings = {
	'prowess.model': defineSetting({
		schema: z.string().max(300),
		default: '',
		scope: 'application',
		description:
			'Model of new threads, as `provider/model`. Empty: the first connected model, or the tour if there is none.',
	}),
	'prowess.providers': defineSetting({
		schema: z.array(ProviderConfig).max(50),
		default: [],
		scope: 'application',
		description:
			'Connected providers. *Connect a Model* writes this list. Keys are kept in the secret store, never here.',
	}),
	'prowess.models.fallback': defineSetting({
		schema: z.array(FallbackModel).max(20),
		default: [],
		scope: 'application',
		description:
			'Models that take over, in this order, when the chosen one cannot answer: no credit, a refused key, an overload, no connection. Each as `{"provider": "…", "model": "…"}`, where wanted with a `baseUrl` of its own.',
	}),
	'prowess.models.pause': defineSetting({
		schema: ModelPause,
		default: DEFAULT_PAUSE,
		scope: 'application',
		description:
			'When a provider is passed over for other models: after `faults` faults (default: 3) within `withinSeconds` seconds (default: 60), for `pauseSeconds` seconds (default: 60). Then one request tries it again. A provider without an alternative is always asked.',
	}),
	'prowess.models.retrySpread': defineSetting({
		schema: z.int().min(0).max(50),
		default: 20,
		scope: 'application',
		description:
			'Percent by which waits before a provider is asked again (1, 2 and 4 seconds) are longer or shorter by chance, so that requests of several agents do not come back together. Default: 20. A provider is never asked sooner than it wants.',
	}),
	'prowess.models.routing': defineSetting({
		schema: ModelRouting,
		default: { simpleBelow: 200, complexFrom: 800 },
		scope: 'application',
		description:
			'Models by how much a prompt seems to ask for, in threads for which you chose none: `simple` below `simpleBelow` points (default: 200), `complex` from `complexFrom` points on (default: 800). A point is four characters; code, attached files and long threads add some. For example `{"simple": "openai/gpt-5-mini", "complex": "anthropic/claude-opus-4-5"}`.',
	}),
	'prowess.models.aliases': defineSetting({
		schema: z.record(
			z.string().regex(/^[\w.-]{1,100}$/, 'expected letters, digits, dots and hyphens'),
			z.string().regex(/^[^/\s]+\/\S+$/, 'expected provider/model'),
		),
		default: {},
		scope: 'application',
		description: 'Short names for models, such as `{"fast": "openai/gpt-5-mini"}`, for use wherever a model is named.',
	}),
	'prowess.models.settings': defineSetting({
		schema: z.record(z.string().regex(/^[^/\s]+\/\S+$/, 'expected provider/model'), ModelSettings),
		default: {},
		scope: 'application',
		description:
			'What you know better about single models, by `provider/model`: `contextWindow` and `maxOutput` in tokens, `temperature`, `effort` of thinking (`off`, `low`, `medium`, `high`), `calls` of tools (`native`, `text` for a model that writes them into its answer, `none`), `images` if it takes pictures or not, `price` of a million tokens in US dollars (`input`, `output`, `cacheRead`, `cacheWrite`), and `headers` to send. For example `{"compatible/qwen3": {"contextWindow": 32768}}`.',
	}),
} as const satisfies Record<string, SettingDef>;
