/** Decides whether a fast path can answer a turn without a model. */
import type { Turn, TurnDeps } from '../turn/turn.ts';
import type { FastPath, PromptPlace } from './fast-path.ts';
import { fastPaths } from './fast-paths.ts';

/** Longer than any prompt a fast path answers. */
const MOST_FAST_PATH_CHARS = 500;

interface FastPathDecision {
	readonly name: string;
	run(signal: AbortSignal): Promise<void>;
}

/** Undefined: ask a model. */
export function decideFastPath(turn: Turn, deps: TurnDeps): FastPathDecision | undefined {
	// In an untrusted workspace the stages say why nothing happens.
	const hasContext = turn.context.some(({ kind }) => kind !== 'active');
	const { 'prowess.agent.fastPaths': isOn, 'prowess.agent.fastPathsByName': switches } = deps.settings();
	if (!isOn || !deps.workspace().trusted || hasContext) {
		return undefined;
	}
	const wanted = fastPaths.filter(({ name }) => switches[name] !== false);
	const found = findFastPath(turn.text, { isFirst: turn.before.length === 0 }, wanted);
	return found === undefined
		? undefined
		: { name: found.path.name, run: (signal) => found.path.run(found.match, turn, deps, signal) };
}

/** A fast path whose `match` throws does not match. */
export function findFastPath(
	text: string,
	place: PromptPlace,
	table: readonly FastPath[] = fastPaths,
): { readonly path: FastPath; readonly match: unknown } | undefined {
	if (text.length > MOST_FAST_PATH_CHARS) {
		return undefined;
	}
	for (const path of table) {
		try {
			const match = path.match(text, place);
			if (match !== undefined) {
				return { path, match };
			}
		} catch {
			// The model answers, as it would without the table.
		}
	}
	return undefined;
}
