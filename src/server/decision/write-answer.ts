/** An answer of ours, in the thread and in the history where a model's would be. */
import type { LoopJournal } from '../turn/journal.ts';

export function writeAnswer(journal: LoopJournal, text: string): void {
	journal.together('process', () => {
		const itemId = journal.startText('text');
		journal.appendText(itemId, text);
		journal.endText(itemId);
		journal.say({ role: 'assistant', parts: [{ kind: 'text', text }] });
	});
}
