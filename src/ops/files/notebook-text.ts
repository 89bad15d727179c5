/** A notebook as its cells: what a person reads of it. Pictures and metadata are left out, so nothing is written back from it. */
import { parseJsonOrUndefined } from '../../base/text/lenient.ts';
import { stripVTControlCharacters } from 'node:util';
import * as z from '../../protocol/text/zod.ts';
import { NOTEBOOK_OUTPUT_LINES } from '../limits.ts';

const NotebookLines = z.union([z.string(), z.array(z.string()).transform((lines) => lines.join(''))]);

const Output = z.discriminatedUnion('output_type', [
	z.object({ output_type: z.literal('stream'), text: NotebookLines }),
	z.object({ output_type: z.enum(['display_data', 'execute_result']), data: z.record(z.string(), z.unknown()) }),
	z.object({
		output_type: z.literal('error'),
		ename: z.string(),
		evalue: z.string(),
		traceback: z.array(z.string()).default([]),
	}),
]);

const Notebook = z.object({
	nbformat: z.literal(4),
	cells: z.array(
		z.object({
			cell_type: z.enum(['code', 'markdown', 'raw']),
			source: NotebookLines,
			outputs: z.array(Output).default([]),
		}),
	),
});

/** Undefined: no notebook by its name or by what it holds, so it is read as the text that it is. */
export function notebookText(path: string, text: string): string | undefined {
	if (!path.toLowerCase().endsWith('.ipynb')) {
		return undefined;
	}
	const parsed = Notebook.safeParse(parseJsonOrUndefined(text));
	if (!parsed.success || parsed.data.cells.length === 0) {
		return undefined;
	}
	return parsed.data.cells
		.map(({ cell_type: kind, source, outputs }, index) => {
			const number = index + 1;
			const shown = outputs.flatMap((output) => [`[output of cell ${number}]`, outputText(output)]);
			return [`[cell ${number}, ${kind}]`, source, ...shown].map((part) => part.replace(/\n$/, '')).join('\n');
		})
		.join('\n\n')
		.concat('\n');
}

function outputText(output: z.output<typeof Output>): string {
	switch (output.output_type) {
		case 'stream':
			return firstLines(output.text);
		case 'error':
			return firstLines([`${output.ename}: ${output.evalue}`, ...output.traceback].join('\n'));
		case 'display_data':
		case 'execute_result': {
			const plain = NotebookLines.safeParse(output.data['text/plain']);
			const others = Object.keys(output.data).filter((type) => !plain.success || type !== 'text/plain');
			const leftOut = others.length === 0 ? [] : [`[left out: ${others.join(', ')}]`];
			return [...(plain.success ? [firstLines(plain.data)] : []), ...leftOut].join('\n');
		}
	}
}

/** Whole lines: a secret that was cut in two is not found by who looks for it later. */
function firstLines(text: string): string {
	const lines = stripVTControlCharacters(text).replace(/\n$/, '').split('\n');
	const more = lines.length - NOTEBOOK_OUTPUT_LINES;
	return more <= 0
		? lines.join('\n')
		: [...lines.slice(0, NOTEBOOK_OUTPUT_LINES), `[${more} more lines of this output]`].join('\n');
}
