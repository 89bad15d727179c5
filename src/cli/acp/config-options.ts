/** Modes and options of a session: what an editor may choose for a thread. Pure. */
import { RequestError, type SessionConfigOption, type SessionModeState } from '@agentclientprotocol/sdk';
import { isWiderLevel, LEVEL_WORDS, PERMISSION_LEVELS, PermissionLevel } from '../../protocol/ops/permission-level.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import { MODE_NAMES } from '../../protocol/thread/thread-mode.ts';
import { Mode } from '../../protocol/thread/thread.ts';
import { Effort, type ModelInfo } from '../../protocol/turn/models.ts';
import { createRequestError } from './request-errors.ts';

/** State of a session that its options show. */
export interface SessionOptions {
	readonly mode: Mode;
	/** Null: as the settings say. */
	readonly modelId: string | null;
	readonly effort: Effort | undefined;
	readonly level: PermissionLevel;
	/** Widest level that may be chosen: the user's own, as far as rules permit it. */
	readonly widest: PermissionLevel;
	readonly models: readonly ModelInfo[];
}

/** Value for "as the settings say": no model and no effort has this name. */
const OF_SETTINGS = 'settings';

const SESSION_MODES: readonly Mode[] = ['agent', 'ask', 'plan'];
const EFFORTS: readonly Effort[] = ['off', 'low', 'medium', 'high'];
const MODE_SENTENCES: Readonly<Record<Mode, string>> = {
	agent: 'Every tool, within the permission level',
	ask: 'Only tools that read',
	plan: 'Reads, and asks you about a plan first',
};

export function modeState(mode: Mode): SessionModeState {
	return {
		currentModeId: mode,
		availableModes: SESSION_MODES.map((id) => ({
			id,
			name: inEnglish(MODE_NAMES[id]),
			description: MODE_SENTENCES[id],
		})),
	};
}

/** Levels from the strictest to `widest`, and the one that is in force. */
function offeredLevels({ level, widest }: Pick<SessionOptions, 'level' | 'widest'>): PermissionLevel[] {
	return PERMISSION_LEVELS.filter((each) => !isWiderLevel(each, widest) || each === level);
}

export function sessionState(options: SessionOptions) {
	return { modes: modeState(options.mode), configOptions: configOptions(options) };
}

export function configOptions(options: SessionOptions): SessionConfigOption[] {
	const { mode, modelId, effort, level, models } = options;
	const known = models.map(({ id, name }) => ({ value: id, name }));
	const current =
		modelId === null || models.some(({ id }) => id === modelId) ? [] : [{ value: modelId, name: modelId }];
	return [
		{
			id: 'mode',
			name: 'Mode',
			category: 'mode',
			type: 'select',
			currentValue: mode,
			options: modeState(mode).availableModes.map(({ id, name, description }) => ({
				value: id,
				name,
				description: description ?? null,
			})),
		},
		{
			id: 'model',
			name: 'Model',
			category: 'model',
			type: 'select',
			currentValue: modelId ?? OF_SETTINGS,
			options: [{ value: OF_SETTINGS, name: 'As the settings say' }, ...current, ...known],
		},
		{
			id: 'effort',
			name: 'Effort',
			category: 'thought_level',
			type: 'select',
			currentValue: effort ?? OF_SETTINGS,
			options: [
				{ value: OF_SETTINGS, name: 'As the settings say' },
				...EFFORTS.map((value) => ({ value, name: value.charAt(0).toUpperCase() + value.slice(1) })),
			],
		},
		{
			id: 'level',
			name: 'Permission level',
			category: '_permission_level',
			type: 'select',
			currentValue: level,
			options: offeredLevels(options).map((value) => ({
				value,
				name: inEnglish(LEVEL_WORDS[value].name),
				description: inEnglish(LEVEL_WORDS[value].sentence),
			})),
		},
	];
}

/** Change of a thread, or of what the host keeps for it. */
interface OptionChange {
	readonly mode?: Mode;
	readonly level?: PermissionLevel;
	readonly thread?: { readonly mode?: Mode; readonly modelId?: string | null; readonly effort?: Effort | null };
}

/** Throws a RequestError for a value that was not offered. */
export function readOption(configId: string, value: unknown, options: SessionOptions): OptionChange {
	const isOfSettings = value === OF_SETTINGS;
	const mode = Mode.safeParse(value).data;
	const effort = Effort.safeParse(value).data;
	const level = PermissionLevel.safeParse(value).data;
	const isModel = typeof value === 'string' && options.models.some(({ id }) => id === value);
	if (configId === 'mode' && mode !== undefined) {
		return { mode, thread: { mode } };
	}
	if (configId === 'model' && (isModel || isOfSettings)) {
		return { thread: { modelId: isModel ? value : null } };
	}
	if (configId === 'effort' && (effort !== undefined || isOfSettings)) {
		return { thread: { effort: effort ?? null } };
	}
	if (configId === 'level' && level !== undefined) {
		if (offeredLevels(options).includes(level)) {
			return { level };
		}
		const message = `the permission level "${level}" is wider than that of the user's settings`;
		throw createRequestError({ code: 'DENIED_BY_RULE', message });
	}
	throw RequestError.invalidParams({ configId: configId.slice(0, 100) }, 'this option does not take this value');
}
