/** A line that was typed while a turn runs: a message, or one of a few words that say what becomes of messages. */

type TypedCommand =
	| { readonly kind: 'queue'; readonly text: string }
	| { readonly kind: 'now' | 'stop'; readonly text: string | undefined }
	| { readonly kind: 'list' | 'help' | 'next' }
	| { readonly kind: 'again'; readonly provider: string }
	| { readonly kind: 'drop'; readonly index: number }
	| { readonly kind: 'edit'; readonly index: number; readonly text: string }
	| { readonly kind: 'wrong'; readonly why: string };

export const TYPED_HELP = `text           waits, and is sent when the turn ends
/now [text]    sends it, or what waits first, to the turn that runs
/stop [text]   stops the turn; the next one begins with it, or with what waits first
/queue         lists what waits
/edit N text   replaces the message with that number
/drop N        removes it
/next          waits for no provider any more: the next model is asked now
/again NAME    asks a provider again that is paused after faults
Ctrl+C         stops the turn and ends`;

/** `waiting`: how many messages wait. Words that only look like one of ours are a message: capabilities begin with a slash, too. */
export function parseTypedLine(typed: string, waiting: number): TypedCommand {
	const [, word = '', rest = ''] = /^(\/\S+)\s*([^]*)$/.exec(typed.trim()) ?? [];
	const text = rest.trim();
	switch (word) {
		case '/now':
		case '/stop':
			return { kind: word === '/now' ? 'now' : 'stop', text: text === '' ? undefined : text };
		case '/queue':
			return text === '' ? { kind: 'list' } : { kind: 'queue', text: typed.trim() };
		case '/next':
			return text === '' ? { kind: 'next' } : { kind: 'queue', text: typed.trim() };
		case '/again':
			return /^\S{1,100}$/.test(text)
				? { kind: 'again', provider: text }
				: { kind: 'wrong', why: '/again takes the name of a provider.' };
		case '/help':
			return text === '' ? { kind: 'help' } : { kind: 'queue', text: typed.trim() };
		case '/drop':
		case '/edit': {
			const [, digits = '', words = ''] = /^(\d+)\s*([^]*)$/.exec(text) ?? [];
			const number = Number(digits);
			if (digits === '' || number < 1 || number > waiting) {
				return { kind: 'wrong', why: `${word} takes the number of a message that waits; /queue lists them.` };
			}
			if (word === '/drop') {
				return { kind: 'drop', index: number - 1 };
			}
			return words === ''
				? { kind: 'wrong', why: '/edit takes the new text after the number.' }
				: { kind: 'edit', index: number - 1, text: words };
		}
		default:
			return { kind: 'queue', text: typed.trim() };
	}
}
