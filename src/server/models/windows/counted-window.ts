/** Context window that counts for a model, of all that is known of it, and who said it. */
import { familyWindow } from './context-window.ts';
import { modelLimits } from '../limits.ts';
import { PROGRAM_NAMES } from './server-program.ts';
import type { SaidWindow } from './windows.ts';

interface KnownOfWindow {
	/** Window that the user has set, in tokens. */
	readonly set: number | undefined;
	readonly said: SaidWindow | undefined;
	/** Window in the provider's list of models, in tokens. */
	readonly listed: number | undefined;
}

export interface CountedWindow {
	readonly tokens: number;
	readonly by: 'settings' | 'list' | 'family' | 'default' | SaidWindow;
}

export function countedWindow(modelId: string, { set, said, listed }: KnownOfWindow): CountedWindow {
	if (set !== undefined) {
		return { tokens: set, by: 'settings' };
	}
	if (said !== undefined) {
		return { tokens: said.tokens, by: said };
	}
	if (listed !== undefined) {
		return { tokens: listed, by: 'list' };
	}
	const family = familyWindow(modelId);
	return family === undefined
		? { tokens: modelLimits.defaultContextWindow, by: 'default' }
		: { tokens: family, by: 'family' };
}

const SAID: Readonly<Record<Exclude<CountedWindow['by'], SaidWindow>, string>> = {
	settings: 'set in prowess.models.settings',
	list: 'as the provider lists it',
	family: 'usual for its family',
	default: 'assumed, nobody says it',
};

/** For the doctor. */
export function windowWords({ tokens, by }: CountedWindow): string {
	if (typeof by === 'string') {
		return `${formatTokenCount(tokens)} tokens, ${SAID[by]}`;
	}
	const { most = tokens, saidBy } = by;
	const more = most > tokens ? `; it can take ${formatTokenCount(most)}` : '';
	return `${formatTokenCount(tokens)} tokens, as ${PROGRAM_NAMES[saidBy]} runs it${more}`;
}

function formatTokenCount(tokens: number): string {
	return tokens.toLocaleString('en-US');
}
