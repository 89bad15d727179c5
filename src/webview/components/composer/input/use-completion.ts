/** The suggestions for what stands before the caret: asked for anew at each key, the last question wins. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ContextRef } from '../../../../protocol/thread/context.ts';
import { translateText } from '../../../../protocol/text/text.ts';
import type { SlashCommand } from '../../../../protocol/thread/message/slash-commands.ts';
import { type CompletionRequest, completionAt, matchingCommands } from '../../../state/completion.ts';
import type { ContextSuggestion } from '../../../actions/editor-actions.ts';
import { useView } from '../../../actions/view-context.ts';
import type { CompletionEntry } from '../completion-popup.tsx';
import { refIcon } from '../context-chips.tsx';

type CompletionChoice =
	| { readonly kind: 'context'; readonly ref: ContextRef; readonly isOff: boolean; readonly entry: CompletionEntry }
	| { readonly kind: 'capability'; readonly name: string; readonly entry: CompletionEntry }
	| { readonly kind: 'command'; readonly command: SlashCommand; readonly entry: CompletionEntry };

export interface CompletionList {
	readonly request: CompletionRequest;
	readonly choices: readonly CompletionChoice[];
	readonly active: number;
	/** More fit than are listed. */
	readonly isCut: boolean;
}

export function useCompletion() {
	const { t, editor } = useView();
	const [completion, setCompletion] = useState<CompletionList | undefined>(undefined);
	const asked = useRef(new AbortController());
	/** Request for the text as typed at present, for which the list may be on its way. */
	const latest = useRef<CompletionRequest | undefined>(undefined);
	const awaited = useRef<((found: CompletionList | undefined) => void) | undefined>(undefined);
	useEffect(() => () => asked.current.abort(), []);

	function cancelRequest(): void {
		asked.current.abort();
		awaited.current = undefined;
	}

	function close(): void {
		cancelRequest();
		setCompletion(undefined);
	}

	async function follow(text: string, caret: number): Promise<void> {
		cancelRequest();
		const controller = new AbortController();
		asked.current = controller;
		const request = completionAt(text, caret);
		latest.current = request;
		const showChoices = (choices: readonly CompletionChoice[], isCut = false) => {
			if (controller.signal.aborted) return;
			const found = request === undefined || choices.length === 0 ? undefined : { request, choices, isCut, active: 0 };
			setCompletion((shown) => found && { ...found, active: shown?.request === found.request ? shown.active : 0 });
			const onFound = awaited.current;
			awaited.current = undefined;
			onFound?.(found);
		};
		if (request?.kind === 'command') {
			const commands = commandsFor(request.query);
			// They are known here: nobody waits for the capabilities.
			showChoices(commands);
			const capabilities = await capabilitiesFor(request.query, controller.signal);
			showChoices([...commands, ...capabilities]);
			const prompts = await editor.complete(`/${request.query}`, controller.signal);
			showChoices([...commands, ...capabilities, ...prompts.items.map(contextChoice)]);
		} else if (request === undefined) {
			showChoices([]);
		} else {
			const { items, isCut } = await editor.complete(request.query, controller.signal);
			showChoices(items.map(contextChoice), isCut);
		}
	}

	function commandsFor(query: string): readonly CompletionChoice[] {
		return matchingCommands(query).map((command) => ({
			kind: 'command',
			command,
			entry: { icon: 'symbol-event', label: `/${command.name}`, detail: translateText(command.description, t) },
		}));
	}

	async function capabilitiesFor(query: string, signal: AbortSignal): Promise<readonly CompletionChoice[]> {
		const named = await editor.capabilities(signal);
		return named
			.filter(({ name }) => isMeant(name, query.toLowerCase()))
			.map(({ name, description, source, hint }) => ({
				kind: 'capability',
				name,
				entry: {
					icon: 'tools',
					label: hint === undefined ? `/${name}` : `/${name} ${hint}`,
					detail: `${source} · ${description}`,
				},
			}));
	}

	function move(step: number): void {
		setCompletion((shown) => {
			const count = shown?.choices.length ?? 0;
			return shown === undefined ? undefined : { ...shown, active: (shown.active + step + count) % count };
		});
	}

	/**
	 * Gives the list to choose from: the one that is shown when it fits all that is typed, or the user has moved in it, and else
	 * the one that comes; undefined where nothing fits. Never calls back once something else is typed.
	 */
	function whenFound(onFound: (found: CompletionList | undefined) => void): void {
		if (completion !== undefined && (completion.active > 0 || completion.request === latest.current)) {
			onFound(completion);
		} else {
			awaited.current = onFound;
		}
	}

	return { completion, follow, close, move, whenFound };
}

function contextChoice({ ref, label, detail, isOff }: ContextSuggestion): CompletionChoice {
	return { kind: 'context', ref, isOff: isOff === true, entry: { icon: refIcon(ref), label, detail } };
}

/**
 * True when the query begins the name. A capability of a plugin is also found by its own name: `commit` finds
 * `git:commit`.
 */
function isMeant(name: string, query: string): boolean {
	return name.startsWith(query) || name.slice(name.indexOf(':') + 1).startsWith(query);
}
