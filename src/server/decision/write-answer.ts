/** An answer of ours, in the thread and in the history where a model's would be. */
import type { LoopJournal } from '../turn/journal.ts';

/** `said` is for the history, where it need not repeat what a result says already. */
export function writeAnswer(journal: LoopJournal, shown: string, said = shown): void {
	journal.together('process', () => {
		const itemId = journal.startText('text');
		journal.appendText(itemId, shown);
		journal.endText(itemId);
		journal.say({ role: 'assistant', parts: [{ kind: 'text', text: said }] });
	});
}
