/**
 * An event stream without what no provider means: nothing after the event that says it is done, and no figure of usage that
 * is none. A library that reads the stream would carry out the one, and throw the whole answer away for the other.
 */

const LINE_END = /[\r\n]/;
const DONE = /^data: ?\[DONE\]\s*$/;
const TOKENS = /token/i;
/** Takes the place of a figure that cannot be believed: with whatever it is added up, the sum is no count. */
const NO_FIGURE = -1_000_000_000_000_000;
const MOST_TOKENS = 1_000_000_000_000;

export function tidiedStream(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
	const reader = body.getReader();
	const decoder = new TextDecoder();
	const encoder = new TextEncoder();
	const lines = new Lines();
	return new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				for (let text = ''; text === '';) {
					const { done, value } = await reader.read();
					text = done
						? lines.take(decoder.decode()) + lines.end()
						: lines.take(decoder.decode(value, { stream: true }));
					if (text !== '') {
						controller.enqueue(encoder.encode(text));
					}
					if (done || lines.isDone) {
						controller.close();
						// The answer ends with it: nobody reads what else may come.
						await reader.cancel();
						return;
					}
				}
			},
			cancel: (reason) => reader.cancel(reason),
		},
		{ highWaterMark: 0 },
	);
}

/** Takes text as it comes and gives the lines that are whole. */
class Lines {
	/** The one that says so has been given: there are no more. */
	isDone = false;
	#begun = '';

	take(text: string): string {
		let whole = '';
		let rest = text;
		for (let end = rest.search(LINE_END); end !== -1 && !this.isDone; end = rest.search(LINE_END)) {
			const line = this.#begun + rest.slice(0, end);
			this.isDone = DONE.test(line);
			whole += tidied(line) + (this.isDone ? '\n\n' : rest.charAt(end));
			this.#begun = '';
			rest = rest.slice(end + 1);
		}
		this.#begun += rest;
		return whole;
	}

	/** What has no end of its own. */
	end(): string {
		return this.isDone ? '' : tidied(this.#begun);
	}
}

function tidied(line: string): string {
	if (!line.startsWith('data:') || !/"usage/.test(line)) {
		return line;
	}
	const text = line.slice('data:'.length);
	const event = parsed(text);
	if (event !== undefined) {
		return tidyUsage(event) ? `data: ${JSON.stringify(event)}` : line;
	}
	// JSON has no word for a number that is none; some endpoints use one all the same.
	const repaired = parsed(text.replaceAll(/(?<=[:,[]\s*)-?(?:NaN|Infinity)(?=\s*[,}\]])/g, String(NO_FIGURE)));
	return repaired === undefined ? line : `data: ${JSON.stringify(repaired)}`;
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

/** Whether something was changed. */
function tidyUsage(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) {
		return false;
	}
	let isChanged = false;
	for (const [name, member] of Object.entries(value)) {
		isChanged = (name.startsWith('usage') ? tidyFigures(member) : tidyUsage(member)) || isChanged;
	}
	return isChanged;
}

function tidyFigures(usage: unknown): boolean {
	if (typeof usage !== 'object' || usage === null) {
		return false;
	}
	let isChanged = false;
	for (const [name, figure] of Object.entries(usage)) {
		if (typeof figure === 'object' && figure !== null && /details$|^cache/i.test(name)) {
			isChanged = tidyFigures(figure) || isChanged;
		} else if (TOKENS.test(name) && !isFigure(figure)) {
			(usage as Record<string, unknown>)[name] = NO_FIGURE;
			isChanged = true;
		}
	}
	return isChanged;
}

function isFigure(value: unknown): boolean {
	const isNumber = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_TOKENS;
	// What is not there is no figure, and every library knows that.
	return isNumber || value === null || value === undefined;
}
