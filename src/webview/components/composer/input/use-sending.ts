/** Sends the text as what it is: a command of ours, a message to the agent, or the answer to what waits. */
import { useRef, useState } from 'preact/hooks';
import type { Approval, DeskQuestion } from '../../../../protocol/approvals/approvals.ts';
import type { ContextRef } from '../../../../protocol/thread/context.ts';
import type { ThreadId } from '../../../../protocol/rpc/ids.ts';
import type { SlashCommand } from '../../../../protocol/thread/message/slash-commands.ts';
import { expandPrompt, readSlashCommand } from '../../../state/completion.ts';
import { useView } from '../../../actions/view-context.ts';
import type { Recipient } from '../composer-words.ts';
import type { ComposerField } from './use-field.ts';

const MAX_REASON = 4_000;
const MAX_ANSWER = 20_000;

interface Sending {
	/** `isNow`: the agent reads it within its turn, instead of afterwards. */
	send(isNow?: boolean): void;
	act(action: NonNullable<SlashCommand['action']>): void;
	/** Raised when the lists of modes, models and levels, and the panel of usage, should open. */
	readonly modeRequests: number;
	readonly modelRequests: number;
	readonly levelRequests: number;
	readonly usageRequests: number;
}

interface SendingProps {
	readonly threadId: ThreadId | null;
	readonly field: ComposerField;
	readonly recipient: Recipient;
	readonly approvals: readonly Approval[];
	readonly question: DeskQuestion | undefined;
	/** Pictures are on their way into the draft: a message waits for them. */
	readonly isAttaching: boolean;
	/** Returns the references that go along with a message sent at this moment. */
	refs(): readonly ContextRef[];
	/** True when the waiting question may be answered; `disturb` restarts the wait until then. */
	readonly isSettled: boolean;
	disturb(): void;
	/** Shows all commands. */
	showCommands(): void;
	/**
	 * Called when the text of the field is sent. Suggestions for it are of no more use, even those still on their way.
	 */
	onSend(): void;
	/** A message is on its way. */
	onMessage(): void;
}

export function useSending(props: SendingProps): Sending {
	const { threadId, field, recipient, approvals, question, isSettled, disturb } = props;
	const { threads, desk, editor, restores, dispatch } = useView();
	const [modeRequests, setModeRequests] = useState(0);
	const [modelRequests, setModelRequests] = useState(0);
	const [levelRequests, setLevelRequests] = useState(0);
	const [usageRequests, setUsageRequests] = useState(0);
	/** Carries out, and sends, in the thread that is drawn, for what waits for the start. */
	const latest = useRef({ carryOut, sendToRecipient });
	latest.current = { carryOut, sendToRecipient };

	function runCommandAction(action: NonNullable<SlashCommand['action']>): void {
		field.write('', 0);
		threads.afterStart(() => latest.current.carryOut(action));
	}

	function carryOut(action: NonNullable<SlashCommand['action']>): void {
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
			case 'showUsage':
				setUsageRequests((count) => count + 1);
				break;
			case 'aside':
				// The question follows.
				field.write('/btw ');
				break;
			case 'exportThread':
				if (threadId !== null) {
					void editor.exportThread(threadId);
				}
				break;
			case 'goBack':
				dispatch({ type: 'goBack', to: 'choose' });
				break;
			case 'forkThread':
				void restores.fork();
				break;
			case 'switchMode':
				setModeRequests((count) => count + 1);
				break;
			case 'help':
				props.showCommands();
				break;
			default:
				void editor.command(action);
		}
	}

	function sendText(isNow = false): void {
		props.onSend();
		const text = field.text();
		const read = readSlashCommand(text);
		const action = read?.command.action ?? (read?.rest.trim() === '' ? read.command.alone : undefined);
		const isPlan = action === 'plan' && read?.rest !== '';
		if (action === 'aside' && read !== undefined && read.rest.trim() !== '') {
			const asked = read.rest.trim();
			field.write('', 0);
			threads.afterStart(() => void threads.askBeside(asked));
		} else if (action !== undefined && !isPlan) {
			runCommandAction(action);
		} else if (text.trim() !== '' && !props.isAttaching) {
			props.onMessage();
			if (isPlan) {
				void sendInPlanMode(text, read?.rest ?? '', isNow);
			} else {
				const prompt = read?.command.prompt;
				sendToRecipient(text, prompt === undefined ? text : expandPrompt(prompt, read?.rest ?? ''), isNow);
			}
		}
	}

	/** Switches the thread to Plan mode, then sends the text that follows the command; nothing in another mode. */
	async function sendInPlanMode(typed: string, message: string, isNow: boolean): Promise<void> {
		if (await threads.choose({ mode: 'plan' })) latest.current.sendToRecipient(typed, message, isNow);
	}

	function sendToRecipient(typed: string, message: string, isNow: boolean): void {
		switch (recipient) {
			case 'approval':
			case 'question':
				if (isSettled) {
					void sendAnswer(typed);
				} else {
					disturb();
				}
				break;
			case 'agent':
				void threads.send(message, props.refs(), true);
				break;
			case 'queue':
				if ((isNow ? threads.sendNow : threads.enqueue)(message, props.refs())) {
					field.write('', 0, []);
				}
		}
	}

	async function sendAnswer(text: string): Promise<void> {
		const isTaken =
			recipient === 'approval'
				? await desk.answerShown(approvals, { kind: 'deny', reason: text.trim().slice(0, MAX_REASON) })
				: question !== undefined && (await desk.reply(question.id, text.trim().slice(0, MAX_ANSWER)));
		if (isTaken && field.text() === text) {
			field.write('', 0);
		}
	}

	return { send: sendText, act: runCommandAction, modeRequests, modelRequests, levelRequests, usageRequests };
}
