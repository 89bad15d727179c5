/**
 * Rates in points how much a prompt seems to ask for, and finds the model that the settings have for it. No model is
 * asked.
 */
import type { Settings } from '../../../protocol/settings/settings.ts';

type ModelRoutingSetting = Settings['prowess.models.routing'];

export interface PromptToRoute {
	readonly text: string;
	/** Files and selections that the user attached. */
	readonly attachments: number;
	/** Number of earlier messages in the thread, of the user and the agent. */
	readonly messagesBefore: number;
}

/** A route that is taken: the model as the settings name it. */
interface Route {
	readonly size: 'simple' | 'complex';
	readonly points: number;
	readonly model: string;
}

const CHARS_PER_POINT = 4;
const POINTS = { codeMarker: 30, attachment: 30, laterMessage: 15 } as const;
/** Messages that make a thread no harder. */
const SHORT_THREAD = 10;

/** Matches signs of code in a prompt; each match counts. */
const CODE_MARKER =
	/```|=>|\b(?:function|class|interface|import|def|struct|impl|SELECT)\s+\w|\w\.(?:[cm]?[jt]sx?|py|rs|go|java|rb|cs|cpp|sql)\b|^[ \t]+at .+:\d+/gm;

export function ratePrompt({ text, attachments, messagesBefore }: PromptToRoute): number {
	return (
		Math.ceil(text.length / CHARS_PER_POINT) +
		(text.match(CODE_MARKER)?.length ?? 0) * POINTS.codeMarker +
		attachments * POINTS.attachment +
		Math.max(0, messagesBefore - SHORT_THREAD) * POINTS.laterMessage
	);
}

/** Undefined: the default model is meant for such a prompt. */
export function findPromptRoute(prompt: PromptToRoute, routing: ModelRoutingSetting): Route | undefined {
	const points = ratePrompt(prompt);
	const { simple, complex, simpleBelow, complexFrom } = routing;
	if (points < simpleBelow) {
		return simple === undefined ? undefined : { size: 'simple', points, model: simple };
	}
	return points < complexFrom || complex === undefined ? undefined : { size: 'complex', points, model: complex };
}
