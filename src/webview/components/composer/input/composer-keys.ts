/** Keys of the input, in the order in which they are tried: suggestions, answers, sending, earlier messages, Stop. */
import { isComposingKey } from '../../../parts/composing-key.ts';
import type { Approval, DeskQuestion } from '../../../../protocol/approvals/approvals.ts';
import type { DeskActions } from '../../../actions/desk-actions.ts';
import type { Translate } from '../../../parts/translate.ts';
import { findChoice, choicesOfShown } from '../../approvals/approval-choices.tsx';
import type { ComposerField } from './use-field.ts';

interface KeyPorts {
	readonly t: Translate;
	readonly field: ComposerField;
	readonly sendWith: 'enter' | 'ctrlEnter';
	readonly isRunning: boolean;
	readonly approvals: readonly Approval[];
	readonly question: DeskQuestion | undefined;
	readonly isAskedOutside: boolean;
	readonly desk: Pick<DeskActions, 'answerShown' | 'reply'>;
	readonly isSettled: boolean;
	disturb(): void;
	/** Undefined while nothing is suggested. `otherwise`: nothing fits what is typed by now. */
	readonly suggestions: { move(step: number): void; choose(otherwise: () => void): void; close(): void } | undefined;
	send(isNow?: boolean): void;
	recall(step: 1 | -1): boolean;
	stop(): void;
}

export function onComposerKey(ports: KeyPorts, event: KeyboardEvent): void {
	if (isComposingKey(event)) {
		return;
	}
	const isTaken =
		(!event.shiftKey && suggestionKey(ports, event.key)) ||
		answerKey(ports, event) ||
		(event.key === 'Enter' && enterKey(ports, event)) ||
		(event.key === 'ArrowUp' && ports.recall(1)) ||
		(event.key === 'ArrowDown' && ports.recall(-1));
	const waits = ports.approvals.length > 0 || ports.question !== undefined || ports.isAskedOutside;
	if (!isTaken && event.key === 'Escape' && ports.isRunning && !waits) {
		event.preventDefault();
		ports.stop();
	} else if (isTaken) {
		event.preventDefault();
	}
}

/** True when the key was meant for the suggestions. */
function suggestionKey({ suggestions, sendWith, send }: KeyPorts, key: string): boolean {
	switch (suggestions === undefined ? undefined : key) {
		case 'ArrowDown':
			suggestions?.move(1);
			return true;
		case 'ArrowUp':
			suggestions?.move(-1);
			return true;
		case 'Enter':
			suggestions?.choose(sendWith === 'enter' ? send : () => {});
			return true;
		case 'Tab':
			suggestions?.choose(() => {});
			return true;
		case 'Escape':
			suggestions?.close();
			return true;
		default:
			return false;
	}
}

/** An answer to what waits, given from the empty field; true when the key meant one. Too early it is typed. */
function answerKey(ports: KeyPorts, event: KeyboardEvent): boolean {
	const { approvals, question, desk, t } = ports;
	const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
	if (ports.field.text() !== '' || !isPlain) {
		return false;
	}
	const choice = findChoice(choicesOfShown(approvals, t), event);
	const option = approvals.length > 0 ? undefined : question?.options[Number(event.key) - 1];
	if (choice === undefined && option === undefined) {
		return false;
	}
	if (!ports.isSettled) {
		ports.disturb();
		return false;
	}
	if (choice !== undefined) {
		void desk.answerShown(approvals, choice.answer);
	} else if (question !== undefined && option !== undefined) {
		void desk.reply(question.id, option);
	}
	return true;
}

/** Sends, queues, or begins a line, as the setting says. */
function enterKey({ field, sendWith, isRunning, send }: KeyPorts, event: KeyboardEvent): boolean {
	const isModified = event.ctrlKey || event.metaKey;
	if (isModified && isRunning && event.shiftKey === (sendWith === 'ctrlEnter')) {
		send(true);
		return true;
	}
	if (event.shiftKey || isModified !== (sendWith === 'ctrlEnter')) {
		const area = field.element.current;
		if (isModified && area !== null) {
			area.setRangeText('\n', area.selectionStart, area.selectionEnd, 'end');
			field.typed(area.value);
		}
		return isModified;
	}
	send();
	return true;
}
