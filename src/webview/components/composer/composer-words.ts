/** To whom a message goes that is sent now, and the words for that. */
import type { Translate } from '../../parts/translate.ts';

/** `approval` and `question` wait for the user: then a message is the answer. `queue`: the agent works. */
export type Recipient = 'approval' | 'question' | 'queue' | 'agent';

interface WaitingState {
	readonly hasApprovals: boolean;
	readonly hasQuestion: boolean;
	readonly isRunning: boolean;
}

export function chooseRecipient({ hasApprovals, hasQuestion, isRunning }: WaitingState): Recipient {
	return hasApprovals ? 'approval' : hasQuestion ? 'question' : isRunning ? 'queue' : 'agent';
}

export function placeholderFor(recipient: Recipient, t: Translate): string {
	switch (recipient) {
		case 'approval':
			return t('Type what to do instead. Sending it denies the request.');
		case 'question':
			return t('Type your answer to the question');
		case 'queue':
			return t('Type the next message. It is sent when the agent is done.');
		case 'agent':
			return t('Ask or describe a task. @ for context, / for commands');
	}
}

export function sendWordFor(recipient: Recipient, t: Translate): string {
	switch (recipient) {
		case 'approval':
			return t('Deny with this text');
		case 'question':
			return t('Answer');
		case 'queue':
			return t('Queue');
		case 'agent':
			return t('Send');
	}
}

/** Beside the word: what else the keys do. */
export function sendTitleFor(recipient: Recipient, sendWith: 'enter' | 'ctrlEnter', t: Translate): string {
	return recipient !== 'queue'
		? sendWordFor(recipient, t)
		: sendWith === 'enter'
			? t('Queue (Enter). Send now: Ctrl+Enter')
			: t('Queue (Ctrl+Enter). Send now: Ctrl+Shift+Enter');
}
