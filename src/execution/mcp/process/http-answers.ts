/**
 * Answers of a server over HTTP in the form of a message, before the SDK parses them: an answer of another form would be
 * an error of the stream, and who waits for it would learn nothing of what it holds.
 */
import { parseJsonOrUndefined } from '../../../base/text/lenient.ts';
import { isEventStream } from '../../../machine/http/streamed-fetch.ts';
import { toAnswer } from './raw-results.ts';

/** The response with answers in the form of messages. A body that is neither JSON nor a stream of events stays as it is. */
export async function withFormedAnswers(response: Response): Promise<Response> {
	const { status, headers, body } = response;
	const type = headers.get('content-type');
	if (body === null) return response;
	if (isEventStream(type)) return new Response(body.pipeThrough(formAnswersOfEvents()), { status, headers });
	if (!/^\s*application\/json\s*(?:;|$)/i.test(type ?? '')) return response;
	return new Response(formAnswers(await response.text()), { status, headers });
}

/** JSON of one message or of several; a text without answers stays as it is. */
function formAnswers(json: string): string {
	const read = parseJsonOrUndefined(json);
	const messages: readonly unknown[] = Array.isArray(read) ? read : [read];
	const formed = messages.map(toAnswer);
	if (formed.every((each, n) => each === messages[n])) return json;
	return JSON.stringify(Array.isArray(read) ? formed : formed[0]);
}

/** Passes on each event when the empty line after it has come. */
function formAnswersOfEvents(): TransformStream<Uint8Array, Uint8Array> {
	const decoder = new TextDecoder();
	const encoder = new TextEncoder();
	let pending: string[] = [];
	let lines: string[] = [];
	const enqueueLines = (text: string, controller: TransformStreamDefaultController<Uint8Array>) => {
		const [first = '', ...more] = text.split(/\r\n|[\r\n]/);
		pending.push(first);
		for (const next of more) {
			const line = pending.join('');
			pending = [next];
			lines.push(line);
			if (line !== '') continue;
			controller.enqueue(encoder.encode(formAnswersOfEvent(lines).join('\n') + '\n'));
			lines = [];
		}
	};
	let endsInReturn = false;
	return new TransformStream({
		transform(piece, controller) {
			const text = decoder.decode(piece, { stream: true });
			if (text === '') return;
			// The two characters of one line end may come in two pieces.
			enqueueLines(endsInReturn && text.startsWith('\n') ? text.slice(1) : text, controller);
			endsInReturn = text.endsWith('\r');
		},
	});
}

/** Lines of one event, with its data on a single line where it is an answer. */
function formAnswersOfEvent(lines: readonly string[]): readonly string[] {
	const isData = (line: string) => line === 'data' || line.startsWith('data:');
	const data = lines.filter(isData).map((line) => line.slice('data:'.length).replace(/^ /, ''));
	const said = data.join('\n');
	const formed = formAnswers(said);
	return formed === said ? lines : [...lines.filter((line) => line !== '' && !isData(line)), `data: ${formed}`, ''];
}
