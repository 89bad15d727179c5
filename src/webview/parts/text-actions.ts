/** Requests that a text may make to the editor, wherever it is drawn. Drawn Markdown knows nothing else of its page. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Translate } from './translate.ts';

export interface TextActions {
	readonly t: Translate;
	copy(text: string): void;
	openLink(url: string): void;
	openFile(path: string, line?: number): void;
	/** True when `openFile` takes files of the workspace; files that a text names are then links. */
	readonly opensWorkspaceFiles?: boolean;
	/** Has the agent run a command: it asks like for anything else. Absent: there is no agent. */
	readonly run?: ((text: string, language: string) => void) | undefined;
	/** Shows code as a change to review, or has the agent find its place. */
	readonly apply?: ((text: string, language: string) => void) | undefined;
	/** Where there is an editor beside it. */
	readonly insertAtCursor?: ((text: string) => void) | undefined;
}

const TextContext = createContext<TextActions | null>(null);
export const TextProvider = TextContext.Provider;

export function useText(): TextActions {
	const actions = useContext(TextContext);
	if (actions === null) {
		throw new Error('a text was drawn outside of a page');
	}
	return actions;
}
