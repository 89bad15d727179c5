/** Where the user writes. The text lives in the field; every change goes into the draft, which outlives the view. */
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Approval, Question } from '../../../protocol/approvals/approvals.ts';
import { type ActiveFile, contextLabel, type ContextRef, MAX_PASTED_CHARS } from '../../../protocol/thread/context.ts';
import type { ThreadId } from '../../../protocol/ids.ts';
import type { SlashCommand } from '../../../protocol/thread/slash-commands.ts';
import { expandPrompt, readCommand } from '../../state/completion.ts';
import { type Draft, withRefs } from '../../state/drafts.ts';
import { useView } from '../../view-context.ts';
import { choiceOf, choicesOfShown } from '../approvals/approval-choices.tsx';
import { CompletionPopup, optionId } from './completion-popup.tsx';
import { ComposerFooter, type ComposerFooterProps } from './composer-footer.tsx';
import { ContextChips } from './context-chips.tsx';
import { urisOf } from './dropped-uris.ts';
import { useCompletion } from './use-completion.ts';
import { usePictures } from './use-pictures.ts';
import { useSettled } from '../use-settled.ts';

const MAX_REASON = 4_000;
const MAX_ANSWER = 20_000;
/** What is pasted beyond either is attached: in the field it would hide what is written about it. */
const PASTED_CHARS = 4_000;
const PASTED_LINES = 60;

interface ComposerProps extends Omit<
	ComposerFooterProps,
	'canSend' | 'sendWord' | 'sendTitle' | 'modeRequests' | 'modelRequests' | 'levelRequests' | 'onSend'
> {
	/** What waits for the user in this thread: then a message is the answer. */
	/** Those that are shown, for one answer to all of them. */
	readonly approvals: readonly Approval[];
	readonly question: Question | undefined;
	readonly threadId: ThreadId | null;
	readonly draft: Draft;
	readonly sendWith: 'enter' | 'ctrlEnter';
	/** The user's earlier messages, newest first. */
	readonly history: readonly string[];
	readonly focusRequests: number;
	/** What the user looks at, and whether the model is told. */
	readonly activeFile: ActiveFile | null;
	readonly tellsActiveFile: boolean;
}

export function Composer(props: ComposerProps) {
	const { threadId, draft, sendWith, history, focusRequests, approvals, question, ...others } = props;
	const { activeFile, tellsActiveFile, ...footer } = others;
	const { t, threads, desk, editor, dispatch } = useView();
	const hasApprovals = approvals.length > 0;
	// A message that was begun for something else must not answer what has just come up.
	const { isSettled, disturb } = useSettled(hasApprovals ? approvals.map(({ id }) => id).join(' ') : question?.id);
	const field = useRef<HTMLTextAreaElement>(null);
	const pictures = usePictures(threadId);
	const listId = useId();
	const { completion, follow, close, move } = useCompletion();
	const [recalled, setRecalled] = useState(-1);
	const [isDraggedOver, setIsDraggedOver] = useState(false);
	const [modeRequests, setModeRequests] = useState(0);
	const [modelRequests, setModelRequests] = useState(0);
	const [levelRequests, setLevelRequests] = useState(0);

	useLayoutEffect(() => {
		if (field.current !== null && field.current.value !== draft.text) {
			field.current.value = draft.text;
		}
	}, [draft.text, threadId]);
	// Not when the view appears by itself: that would take the focus away from the editor.
	useLayoutEffect(() => {
		if (focusRequests > 0) {
			field.current?.focus();
		}
	}, [focusRequests]);

	// What is added by itself is not told twice.
	const isAdded = draft.refs.some((ref) => 'path' in ref && ref.kind !== 'problems' && ref.path === activeFile?.path);
	const active = activeFile === null || isAdded ? undefined : activeFile;
	/** What goes along with a message. */
	const refsToSend = (): readonly ContextRef[] =>
		active === undefined || !tellsActiveFile ? draft.refs : [{ kind: 'active', ...active }, ...draft.refs];

	const model = footer.models?.models.find(({ id }) => id === footer.modelId);
	const hasUnseenPictures = model?.images === false && draft.refs.some(({ kind }) => kind === 'image');

	const setDraft = (next: Draft) => dispatch({ type: 'draft', threadId, draft: next });
	/** Puts a text into the field as if it had been typed. */
	const write = (text: string, caret = text.length, refs = draft.refs) => {
		if (field.current !== null) {
			field.current.value = text;
			field.current.setSelectionRange(caret, caret);
			field.current.focus();
		}
		setDraft({ text, refs });
	};

	function act(action: NonNullable<SlashCommand['action']>): void {
		write('', 0, draft.refs);
		switch (action) {
			case 'newThread':
				void threads.show(null);
				break;
			case 'plan':
				void threads.choose({ mode: 'plan' });
				break;
			case 'switchModel':
				setModelRequests((count) => count + 1);
				break;
			case 'changeLevel':
				setLevelRequests((count) => count + 1);
				break;
			case 'exportThread':
				if (threadId !== null) {
					void editor.exportThread(threadId);
				}
				break;
			case 'switchMode':
				setModeRequests((count) => count + 1);
				break;
			case 'help':
				write('/', 1);
				void follow('/', 1);
				break;
			default:
				void editor.command(action);
		}
	}

	function send(isNow = false): void {
		const text = field.current?.value ?? draft.text;
		const read = readCommand(text);
		if (read?.command.action === 'plan' && read.rest !== '') {
			void plan(text, read.rest, isNow);
		} else if (read?.command.action !== undefined) {
			act(read.command.action);
		} else if (text.trim() !== '' && !pictures.isAttaching) {
			const message = read?.command.prompt === undefined ? text : expandPrompt(read.command.prompt, read.rest);
			setRecalled(-1);
			give(text, message, isNow);
		}
	}

	/** What follows the command is sent once the thread is in that mode. */
	async function plan(typed: string, message: string, isNow: boolean): Promise<void> {
		await threads.choose({ mode: 'plan' });
		give(typed, message, isNow);
	}

	/** To whoever waits for it: what is asked, the agent that rests, or the end of its turn. */
	function give(typed: string, message: string, isNow: boolean): void {
		if (hasApprovals || question !== undefined) {
			if (isSettled) {
				void answer(typed);
			} else {
				disturb();
			}
		} else if (!footer.isRunning) {
			void threads.send(message, refsToSend(), true);
		} else if ((isNow ? threads.sendNow : threads.enqueue)(message, refsToSend())) {
			write('', 0, []);
		}
	}

	async function answer(text: string): Promise<void> {
		const isTaken = hasApprovals
			? await desk.answerShown(approvals, { kind: 'deny', reason: text.trim().slice(0, MAX_REASON) })
			: question !== undefined && (await desk.reply(question.id, text.trim().slice(0, MAX_ANSWER)));
		if (isTaken && field.current?.value === text) {
			write('', 0, draft.refs);
		}
	}

	function choose(index: number): void {
		const choice = completion?.choices[index];
		const text = field.current?.value ?? '';
		const caret = field.current?.selectionStart ?? text.length;
		if (completion === undefined || choice === undefined) {
			return;
		}
		close();
		if (choice.kind === 'command' && choice.command.action !== undefined) {
			act(choice.command.action);
			return;
		}
		const inserted =
			choice.kind === 'command'
				? `/${choice.command.name} `
				: choice.kind === 'capability'
					? `${t('Use the capability {name}.', { name: choice.name })} `
					: `@${contextLabel(choice.ref)} `;
		const start = completion.request.start;
		const refs = choice.kind === 'context' ? withRefs(draft, [choice.ref]).refs : draft.refs;
		write(text.slice(0, start) + inserted + text.slice(caret).replace(/^ /, ''), start + inserted.length, refs);
	}

	function recall(step: number): boolean {
		const text = field.current?.value ?? '';
		const isBrowsing = text === '' || (recalled >= 0 && text === history[recalled]);
		const next = Math.max(-1, recalled + step);
		if (!isBrowsing || next >= history.length || (step < 0 && recalled < 0)) {
			return false;
		}
		setRecalled(next);
		write(history[next] ?? '');
		return true;
	}

	/** True when the key was meant for the suggestions. */
	function completionKey(key: string): boolean {
		if (completion === undefined) {
			return false;
		}
		switch (key) {
			case 'ArrowDown':
				move(1);
				return true;
			case 'ArrowUp':
				move(-1);
				return true;
			case 'Enter':
			case 'Tab':
				choose(completion.active);
				return true;
			case 'Escape':
				close();
				return true;
			default:
				return false;
		}
	}

	/** An answer to what waits, given from the empty field; true when the key meant one. Too early it is typed. */
	function answerKey(event: KeyboardEvent): boolean {
		const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
		if (field.current?.value !== '' || !isPlain) {
			return false;
		}
		const choice = choiceOf(choicesOfShown(approvals, t), event);
		const option = hasApprovals ? undefined : question?.options[Number(event.key) - 1];
		if (choice === undefined && option === undefined) {
			return false;
		}
		if (!isSettled) {
			disturb();
			return false;
		}
		if (choice !== undefined) {
			void desk.answerShown(approvals, choice.answer);
		} else if (question !== undefined && option !== undefined) {
			void desk.reply(question.id, option);
		}
		return true;
	}

	function enter(event: KeyboardEvent): boolean {
		const isModified = event.ctrlKey || event.metaKey;
		if (isModified && footer.isRunning && event.shiftKey === (sendWith === 'ctrlEnter')) {
			send(true);
			return true;
		}
		if (event.shiftKey || isModified !== (sendWith === 'ctrlEnter')) {
			if (isModified) {
				field.current?.setRangeText('\n', field.current.selectionStart, field.current.selectionEnd, 'end');
				setDraft({ ...draft, text: field.current?.value ?? '' });
			}
			return isModified;
		}
		send();
		return true;
	}

	function onKeyDown(event: KeyboardEvent): void {
		if (event.isComposing) {
			return;
		}
		const isTaken =
			(!event.shiftKey && completionKey(event.key)) ||
			answerKey(event) ||
			(event.key === 'Enter' && enter(event)) ||
			(event.key === 'ArrowUp' && recall(1)) ||
			(event.key === 'ArrowDown' && recall(-1));
		const waits = hasApprovals || question !== undefined;
		if (!isTaken && event.key === 'Escape' && footer.isRunning && !waits) {
			event.preventDefault();
			void threads.stop();
		} else if (isTaken) {
			event.preventDefault();
		}
	}

	async function take(data: DataTransfer | null, way: 'paste' | 'drop'): Promise<void> {
		// What the editor lists is a file of the workspace perhaps, which is better named than copied.
		if (urisOf(data).length === 0) {
			pictures.take(data, way);
			return;
		}
		const refs = await editor.resolveDrop(urisOf(data));
		setDraft(withRefs({ ...draft, text: field.current?.value ?? draft.text }, refs));
		field.current?.focus();
	}

	/** True: it is attached, and stays out of the field. */
	function attachLong(text: string): boolean {
		const isLong = text.length > PASTED_CHARS || text.split('\n').length > PASTED_LINES;
		// A message beyond the limit says so itself. To a question the field alone is the answer.
		if (!isLong || text.length > MAX_PASTED_CHARS || hasApprovals || question !== undefined) {
			return false;
		}
		setDraft(withRefs({ ...draft, text: field.current?.value ?? draft.text }, [{ kind: 'pasted', text }]));
		return true;
	}

	function placeholder(): string {
		if (hasApprovals) {
			return t('Type what to do instead. Sending it denies the request.');
		}
		if (question !== undefined) {
			return t('Type your answer to the question');
		}
		return footer.isRunning
			? t('Type the next message. It is sent when the agent is done.')
			: t('Ask or describe a task. @ for context, / for commands');
	}

	/** Beside the word: what else the keys do. */
	function sendTitle(): string {
		const isQueue = footer.isRunning && !hasApprovals && question === undefined;
		return !isQueue
			? sendWord()
			: sendWith === 'enter'
				? t('Queue (Enter). Send now: Ctrl+Enter')
				: t('Queue (Ctrl+Enter). Send now: Ctrl+Shift+Enter');
	}

	function sendWord(): string {
		if (hasApprovals) {
			return t('Deny with this text');
		}
		return question !== undefined ? t('Answer') : footer.isRunning ? t('Queue') : t('Send');
	}

	return (
		<div
			class="composer"
			data-settled={isSettled}
			onDragOver={(event) => {
				event.preventDefault();
				setIsDraggedOver(true);
			}}
			onDragLeave={(event) => {
				if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))) {
					setIsDraggedOver(false);
				}
			}}
			onDrop={(event) => {
				event.preventDefault();
				setIsDraggedOver(false);
				void take(event.dataTransfer, 'drop');
			}}
		>
			{isDraggedOver && <p class="drop-hint">{t('Drop to attach. Hold Shift for files of the editor.')}</p>}
			{completion !== undefined && (
				<CompletionPopup
					id={listId}
					entries={completion.choices.map(({ entry }) => entry)}
					active={completion.active}
					onChoose={choose}
				/>
			)}
			<ContextChips
				refs={draft.refs}
				onRemove={(index) => setDraft({ ...draft, refs: draft.refs.toSpliced(index, 1) })}
				active={active}
				tellsActive={tellsActiveFile}
				onTellActive={(tells) => void editor.tellActiveFile(tells)}
			/>
			{hasUnseenPictures && (
				<p class="composer-warning" role="status">
					{t('This model takes no pictures. Choose another one, or remove them.')}
				</p>
			)}
			<textarea
				ref={field}
				class="composer-field"
				rows={1}
				aria-label={t('Message')}
				aria-autocomplete="list"
				aria-haspopup="listbox"
				aria-controls={completion === undefined ? undefined : listId}
				aria-activedescendant={completion === undefined ? undefined : optionId(listId, completion.active)}
				placeholder={placeholder()}
				onInput={(event) => {
					const { value, selectionStart } = event.currentTarget;
					setDraft({ ...draft, text: value });
					void follow(value, selectionStart);
				}}
				onKeyDown={onKeyDown}
				onBlur={close}
				onPaste={(event) => {
					if (event.clipboardData?.types.includes('text/plain') === false) {
						event.preventDefault();
						void take(event.clipboardData, 'paste');
					} else if (attachLong(event.clipboardData?.getData('text/plain') ?? '')) {
						event.preventDefault();
					}
				}}
			/>
			<ComposerFooter
				{...footer}
				canSend={draft.text.trim() !== '' && !footer.isSending && !pictures.isAttaching}
				sendWord={sendWord()}
				sendTitle={sendTitle()}
				modeRequests={modeRequests}
				modelRequests={modelRequests}
				levelRequests={levelRequests}
				onSend={() => send()}
			/>
		</div>
	);
}
