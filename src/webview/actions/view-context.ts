/** Texts and actions that every component may use. The value does not change while the view lives, the texts aside. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ChatConversation } from './conversation.ts';
import type { ViewEvent } from '../state/view-event.ts';
import type { Translate } from '../parts/translate.ts';

export interface View extends ChatConversation {
	readonly t: Translate;
	dispatch(event: ViewEvent): void;
}

const ViewContext = createContext<View | null>(null);
export const ViewProvider = ViewContext.Provider;

export function useView(): View {
	const view = useContext(ViewContext);
	if (view === null) {
		throw new Error('a component was drawn outside of the view');
	}
	return view;
}
