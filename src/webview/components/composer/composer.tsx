/** Where the user writes: the field, what goes along with it, what is suggested, and who answers. */
import { useId, useState } from 'preact/hooks';
import type { Approval, DeskQuestion } from '../../../protocol/approvals/approvals.ts';
import { type ActiveFile, contextLabel, type ContextRef } from '../../../protocol/thread/context.ts';
import type { ThreadId } from '../../../protocol/rpc/ids.ts';
import type { ThreadDraft } from '../../state/drafts.ts';
import { useView } from '../../actions/view-context.ts';
import { Icon } from '../../parts/icon.tsx';
import { CompletionPopup, optionId } from './completion-popup.tsx';
import { ComposerFooter, type ComposerFooterProps } from './composer-footer.tsx';
import { onComposerKey } from './input/composer-keys.ts';
import { placeholderFor, chooseRecipient, sendTitleFor, sendWordFor } from './composer-words.ts';
import { ContextChips } from './context-chips.tsx';
import { useAttaching } from './input/use-attaching.ts';
import { type CompletionList, useCompletion } from './input/use-completion.ts';
import { type ComposerField, useField } from './input/use-field.ts';
import { useSending } from './input/use-sending.ts';
import { useSettled } from '../use-settled.ts';

interface ComposerProps extends Omit<
	ComposerFooterProps,
	'canSend' | 'sendWord' | 'sendTitle' | 'modeRequests' | 'modelRequests' | 'levelRequests' | 'usageRequests' | 'onSend'
> {
	/** Approvals of this thread that wait for the user. A message is then the answer to all of them. */
	readonly approvals: readonly Approval[];
	readonly question: DeskQuestion | undefined;
	/** Something that belongs to no thread waits, too: it is answered in its dock alone. */
	readonly isAskedOutside: boolean;
	readonly threadId: ThreadId | null;
	readonly draft: ThreadDraft;
	readonly sendWith: 'enter' | 'ctrlEnter';
	/** The user's earlier messages, newest first. */
	readonly history: readonly string[];
	readonly focusRequests: number;
	/** File that the user looks at; `tellsActiveFile`: the model is told. */
	readonly activeFile: ActiveFile | null;
	readonly tellsActiveFile: boolean;
}

export function Composer(props: ComposerProps) {
	const { threadId, draft, sendWith, history, focusRequests, approvals, question, isAskedOutside, ...others } = props;
	const { activeFile, tellsActiveFile, ...footer } = others;
	const { t, threads, desk, editor, pictures } = useView();
	const hasApprovals = approvals.length > 0;
	const { isRunning } = footer;
	const recipient = chooseRecipient({ hasApprovals, hasQuestion: question !== undefined, isRunning });
	// A message that was begun for something else must not answer what has just come up.
	const settled = useSettled(hasApprovals ? approvals.map(({ id }) => id).join(' ') : question?.id);
	const listId = useId();
	const field = useField({ threadId, draft, focusRequests });
	const { completion, follow, close, move, whenFound } = useCompletion();
	const { recall, forget } = useRecall(field, history);
	const takesLongTexts = recipient === 'agent' || recipient === 'queue';
	const { isAttaching, isDraggedOver, dropHandlers, onPaste } = useAttaching({ threadId, field, takesLongTexts });

	const active = activeBeside(activeFile, draft.refs);
	function refsNow(): readonly ContextRef[] {
		const attached = field.attached();
		const told = tellsActiveFile ? activeBeside(activeFile, attached) : undefined;
		return told === undefined ? attached : [{ kind: 'active', ...told }, ...attached];
	}
	const model = footer.models?.models.find(({ id }) => id === footer.modelId);
	const hasUnseenPictures = model?.images === false && draft.refs.some(({ kind }) => kind === 'image');

	const { send, act, ...requests } = useSending({
		threadId,
		field,
		recipient,
		approvals,
		question,
		isAttaching,
		refs: refsNow,
		...settled,
		showCommands() {
			field.write('/', 1);
			void follow('/', 1);
		},
		onSend: close,
		onMessage: forget,
	});

	function chooseCompletion({ choices, request: { start } }: CompletionList, index: number): void {
		const choice = choices[index];
		const [text, caret] = [field.text(), field.caret()];
		if (choice === undefined) {
			return;
		}
		close();
		if (choice.kind === 'command' && choice.command.action !== undefined) {
			act(choice.command.action);
			return;
		}
		if (choice.kind === 'context' && choice.ref.kind === 'terminal') {
			// The editor reads what stands in it, and adds that.
			field.write(text.slice(0, start) + text.slice(caret), start);
			void editor.command('addTerminal');
			return;
		}
		if (choice.kind === 'context' && choice.isOff) {
			void editor.turnOnCodeIndex();
		}
		const inserted =
			choice.kind === 'command'
				? `/${choice.command.name} `
				: choice.kind === 'capability'
					? `${t('Use the capability {name}.', { name: choice.name })} `
					: choice.ref.kind === 'prompt'
						? `/${choice.ref.server}:${choice.ref.name} `
						: `@${contextLabel(choice.ref)} `;
		field.write(text.slice(0, start) + inserted + text.slice(caret).replace(/^ /, ''), start + inserted.length);
		if (choice.kind === 'context') {
			field.attach([choice.ref]);
		}
	}

	const keys = {
		t,
		field,
		sendWith,
		isRunning,
		approvals,
		question,
		isAskedOutside,
		desk,
		send,
		recall,
		...settled,
		suggestions: completion && {
			move,
			choose: (otherwise: () => void) =>
				whenFound((found) => (found === undefined ? otherwise() : chooseCompletion(found, found.active))),
			close,
		},
		stop: () => void threads.stop(),
	};

	return (
		<div class="composer" data-settled={settled.isSettled} {...dropHandlers}>
			{isDraggedOver && <p class="drop-hint">{t('Drop to attach. Hold Shift for files of the editor.')}</p>}
			{completion !== undefined && (
				<CompletionPopup
					id={listId}
					entries={completion.choices.map(({ entry }) => entry)}
					active={completion.active}
					isCut={completion.isCut}
					isBare={completion.request.kind === 'context' && completion.request.query === ''}
					onChoose={(index) => chooseCompletion(completion, index)}
				/>
			)}
			<ContextChips
				refs={draft.refs}
				onRemove={field.detach}
				active={active}
				tellsActive={tellsActiveFile}
				onTellActive={(tells) => void editor.tellActiveFile(tells)}
			/>
			{hasUnseenPictures && (
				<p class="composer-warning" role="status">
					{t('This model does not accept pictures. Choose another one, or remove them.')}
				</p>
			)}
			<div class="composer-line">
				<textarea
					ref={field.element}
					class="composer-field"
					rows={1}
					aria-label={t('Message')}
					aria-autocomplete="list"
					aria-haspopup="listbox"
					aria-controls={completion === undefined ? undefined : listId}
					aria-activedescendant={completion === undefined ? undefined : optionId(listId, completion.active)}
					placeholder={placeholderFor(recipient, t)}
					onInput={(event) => {
						const { value, selectionStart } = event.currentTarget;
						field.typed(value);
						void follow(value, selectionStart);
					}}
					onKeyDown={(event) => onComposerKey(keys, event)}
					onBlur={close}
					onPaste={onPaste}
				/>
				<button
					type="button"
					class="attach-button"
					title={t('Attach files or pictures')}
					aria-label={t('Attach files or pictures')}
					onClick={() => void pictures.pick(threadId)}
				>
					<Icon name="attach" />
				</button>
			</div>
			<ComposerFooter
				{...footer}
				canSend={draft.text.trim() !== '' && !footer.isSending && !isAttaching}
				sendWord={sendWordFor(recipient, t)}
				sendTitle={sendTitleFor(recipient, sendWith, t)}
				{...requests}
				onSend={() => send()}
			/>
		</div>
	);
}

/** Returns the file that the user looks at; undefined when it is attached, because the model is not told twice. */
function activeBeside(file: ActiveFile | null, refs: readonly ContextRef[]): ActiveFile | undefined {
	const isAttached = refs.some((ref) => 'path' in ref && ref.kind !== 'problems' && ref.path === file?.path);
	return file === null || isAttached ? undefined : file;
}

interface MessageRecall {
	/**
	 * Puts the next older (1) or newer (-1) message into the field. False: the text in the field would be lost, or no
	 * such message exists.
	 */
	recall(step: 1 | -1): boolean;
	/** Begins at the newest again. */
	forget(): void;
}

/** The user's earlier messages, brought back into the field one by one. `history`: the newest first. */
function useRecall(field: ComposerField, history: readonly string[]): MessageRecall {
	const [recalled, setRecalled] = useState(-1);
	return {
		recall(step) {
			const text = field.text();
			const isBrowsing = text === '' || (recalled >= 0 && text === history[recalled]);
			const next = Math.max(-1, recalled + step);
			if (!isBrowsing || next >= history.length || (step < 0 && recalled < 0)) {
				return false;
			}
			setRecalled(next);
			field.write(history[next] ?? '');
			return true;
		},
		forget: () => setRecalled(-1),
	};
}
