/**
 * Text of a terminal stream without what steers a terminal (ECMA-48: CSI, OSC, DCS, SOS, PM, APC, single escapes, both
 * 7-bit and 8-bit; other control characters). Sequences may be split between chunks. `\r\n` and a lone `\r` are `\n`.
 */
import { SEQUENCE_CHARS } from './limits.ts';

type State = 'text' | 'escape' | 'control' | 'string' | 'stringEscape';

const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** A run of those that only need to go, so that a flood of them is skipped at once. */
const inert = /[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f]+/y;

export class TerminalText {
	#state: State = 'text';
	#length = 0;
	#afterReturn = false;

	push(chunk: string): string {
		let out = '';
		let at = 0;
		while (at < chunk.length) {
			if (this.#state === 'text') {
				steering.lastIndex = at;
				const next = steering.exec(chunk)?.index ?? chunk.length;
				if (next > at) {
					out += chunk.slice(this.#afterReturn && chunk[at] === '\n' ? at + 1 : at, next);
					this.#afterReturn = false;
				}
				inert.lastIndex = next;
				if (inert.test(chunk)) {
					at = inert.lastIndex;
				} else {
					out += next < chunk.length ? this.#steer(chunk.charCodeAt(next)) : '';
					at = next + 1;
				}
			} else {
				this.#sequence(chunk.charCodeAt(at));
				at++;
			}
		}
		return out;
	}

	#steer(code: number): string {
		if (code === 0x0d) {
			this.#afterReturn = true;
			return '\n';
		}
		this.#length = 0;
		if (code === 0x1b) {
			this.#state = 'escape';
		} else if (code === 0x9b) {
			this.#state = 'control';
		} else if (opensString(code - 0x40)) {
			this.#state = 'string';
		}
		return '';
	}

	#sequence(code: number): void {
		// CAN and SUB abort any sequence; so does one without an end, or it would hide all that follows.
		if (code === 0x18 || code === 0x1a || ++this.#length > SEQUENCE_CHARS) {
			this.#state = 'text';
			return;
		}
		switch (this.#state) {
			case 'escape':
				this.#state =
					code === 0x5b ? 'control' : opensString(code) ? 'string' : code >= 0x20 && code <= 0x2f ? 'escape' : 'text';
				return;
			case 'control':
				if (code === 0x1b) {
					this.#state = 'escape';
				} else if (code >= 0x40 && code <= 0x7e) {
					this.#state = 'text';
				}
				return;
			case 'string':
				if (code === 0x07 || code === 0x9c) {
					this.#state = 'text';
				} else if (code === 0x1b) {
					this.#state = 'stringEscape';
				}
				return;
			case 'stringEscape':
				this.#state = code === 0x5c ? 'text' : 'escape';
				if (this.#state === 'escape') {
					this.#sequence(code);
				}
				return;
			case 'text':
				return;
		}
	}
}

/** `]` OSC, `P` DCS, `X` SOS, `^` PM, `_` APC: everything up to their end is not text. */
function opensString(code: number): boolean {
	return code === 0x5d || code === 0x50 || code === 0x58 || code === 0x5e || code === 0x5f;
}
