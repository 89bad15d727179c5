/** What is there for the ops that need more than a host: an editor, a provider of web searches. */
import { type OpName, ops } from '../../protocol/ops.ts';
import type { Settings } from '../../protocol/settings/settings.ts';

export interface Surroundings {
	readonly hasEditor: boolean;
	/** The user has named a provider. */
	readonly hasWebSearch: boolean;
}

export function surroundingsOf(deps: { readonly hasEditor: boolean; readonly settings: () => Settings }): Surroundings {
	return { hasEditor: deps.hasEditor, hasWebSearch: deps.settings()['prowess.web.search'].provider !== 'off' };
}

/** What a model is told that the op lacks; undefined: nothing. */
export function lackOf(name: OpName, { hasEditor, hasWebSearch }: Surroundings): string | undefined {
	if (ops[name].permission === 'editor' && !hasEditor) {
		return 'needs an editor; there is none here';
	}
	return name === 'web.search' && !hasWebSearch
		? 'needs a provider, which only the user can name, in prowess.web.search'
		: undefined;
}
